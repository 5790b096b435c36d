/** Keeps the service running as an init system does: when its process ends it is started again, and that is counted. */
import { setTimeout as sleep } from "node:timers/promises";
import { type ServiceProcess, zonesmith } from "../process/process.ts";

/** How long an init system waits before it starts a service again, ms. */
const restartPauseMs = 200;

const lastOf = (process: ServiceProcess) => {
  const { stdout, stderr } = process.output();
  return `${stdout.slice(-1500)}${stderr.slice(-1500)}`.trim();
};

export class Keeper {
  /** Ends of the process, with what it printed last, since they were taken last. */
  #ends: string[] = [];
  #process: ServiceProcess;
  #isClosed = false;
  readonly #loop: Promise<void>;

  constructor(environment: Record<string, string>) {
    const start = () => zonesmith(["serve"], environment);
    this.#process = start();
    this.#loop = this.#keep(start);
  }

  /** The process id of the service; 0 while it is not running. */
  get pid(): number {
    const { exitCode, signalCode, pid = 0 } = this.#process.child;
    return exitCode === null && signalCode === null ? pid : 0;
  }

  /** What the running process has printed last. */
  get output(): string {
    return lastOf(this.#process);
  }

  takeEnds(): string[] {
    return this.#ends.splice(0);
  }

  async ended(within: number): Promise<boolean> {
    const late = sleep(within, false as const, { ref: false });
    return Promise.race([this.#process.ended().then(() => true), late]);
  }

  kill(signal: NodeJS.Signals): void {
    this.#process.child.kill(signal);
  }

  /** Ends the service for good; kills it when it does not end by itself. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.kill("SIGCONT");
    this.kill("SIGTERM");
    if (!(await this.ended(15_000))) this.kill("SIGKILL");
    await this.#loop;
  }

  async #keep(start: () => ServiceProcess): Promise<void> {
    for (;;) {
      const code = await this.#process.ended();
      this.#ends.push(`${code}: ${this.output}`);
      if (!this.#isClosed) await sleep(restartPauseMs);
      if (this.#isClosed) return;
      this.#process = start();
    }
  }
}
