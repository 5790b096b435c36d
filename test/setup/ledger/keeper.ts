/**
 * Keeps the service running as an init system does: when its process ends it is started again, and that is counted.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type ServiceProcess, zonesmith } from "../process/process.ts";

/** How long an init system waits before it starts a service again, ms. */
const restartPauseMs = 200;

/** An end of the service's process. */
export interface End {
  readonly code: number | null;
  /** What it printed last. */
  readonly output: string;
}

export class Keeper {
  /** Ends of the process since they were taken last. */
  #ends: End[] = [];
  #process: ServiceProcess | undefined;
  #isClosed = false;
  #loop: Promise<void> | undefined;
  readonly #environment: Record<string, string>;

  constructor(environment: Record<string, string>) {
    this.#environment = environment;
  }

  start(): void {
    this.#loop = this.#keep();
  }

  /** The process id of the service; 0 while it is not running. */
  get pid(): number {
    const child = this.#process?.child;
    return child && child.exitCode === null && child.signalCode === null ? (child.pid ?? 0) : 0;
  }

  /** What the running process has printed last. */
  get output(): string {
    return this.#process ? lastOf(this.#process) : "";
  }

  takeEnds(): End[] {
    return this.#ends.splice(0);
  }

  /** Waits for the end of the present process; false when it takes longer than this, ms. */
  async ended(within: number): Promise<boolean> {
    const running = this.#process;
    if (!running) return true;
    const late = sleep(within, false as const, { ref: false });
    return Promise.race([running.ended().then(() => true), late]);
  }

  kill(signal: NodeJS.Signals): void {
    this.#process?.child.kill(signal);
  }

  /** Ends the service for good; kills it when it does not end by itself. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.kill("SIGCONT");
    this.kill("SIGTERM");
    if (!(await this.ended(15_000))) this.kill("SIGKILL");
    await this.#loop;
  }

  async #keep(): Promise<void> {
    while (!this.#isClosed) {
      const running = zonesmith(["serve"], this.#environment);
      this.#process = running;
      const code = await running.ended();
      this.#ends.push({ code, output: lastOf(running) });
      if (!this.#isClosed) await sleep(restartPauseMs);
    }
  }
}

const lastOf = (process: ServiceProcess) => {
  const { stdout, stderr } = process.output();
  return `${stdout.slice(-1500)}${stderr.slice(-1500)}`.trim();
};
