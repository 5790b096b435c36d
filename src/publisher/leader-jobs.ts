/** Jobs of the leader besides publishing, which other rooms pass in. A job must expect that another instance continues at any point. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Session } from "../session/session.ts";

export interface LeaderJob {
  readonly name: string;
  /** The pause between two runs, ms. */
  readonly everyMs: number;
  /** For a job that waits for commits: the pause after several runs without work, ms. A commit of this process ends it. */
  readonly idleMs?: number;
  /** Returns false when there was no work. Ends soon once `stopped` is aborted; transactions fail when another instance leads. */
  run(session: Session, stopped: AbortSignal): Promise<unknown>;
}

const idleAfter = 10;

export class LeaderJobs {
  readonly #jobs: readonly LeaderJob[];
  readonly #session: () => Session;
  readonly #log: Logger;
  readonly #stopped = new AbortController();
  #nudged = new AbortController();
  #running: Promise<unknown> | undefined;

  constructor(jobs: readonly LeaderJob[], session: () => Session, log: Logger) {
    this.#jobs = jobs;
    this.#session = session;
    this.#log = log;
  }

  start(): void {
    this.#running = Promise.all(this.#jobs.map((job) => this.#repeat(job)));
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  /** Called after a commit: idle jobs run now. */
  nudge(): void {
    // A given reason avoids a DOMException with its stack for each commit.
    this.#nudged.abort("committed");
    this.#nudged = new AbortController();
  }

  async #repeat({ name, everyMs, idleMs = everyMs, run }: LeaderJob): Promise<void> {
    const { signal } = this.#stopped;
    let emptyRuns = 0;
    while (!signal.aborted) {
      const { signal: nudged } = this.#nudged;
      try {
        emptyRuns = (await run(this.#session(), signal)) === false ? emptyRuns + 1 : 0;
      } catch (error) {
        if (!signal.aborted) this.#log.warn({ err: error, job: name }, "a job of the leader failed; it runs again");
      }
      await sleep(everyMs, undefined, { signal }).catch(() => {});
      if (emptyRuns >= idleAfter && idleMs > everyMs)
        await sleep(idleMs - everyMs, undefined, { signal: AbortSignal.any([signal, nudged]) }).catch(() => {});
      if (nudged.aborted) emptyRuns = 0;
    }
  }
}
