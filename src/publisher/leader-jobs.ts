/**
 * Jobs of the leader that have nothing to do with publishing: they are handed to it, and each runs again and again while it leads. A job must
 * bear being run by two instances at once, as when a leader is suspended.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";

/** What the leader does from time to time. */
export interface LeaderJob {
  readonly name: string;
  /** The pause between the end of a run and the next one, milliseconds. */
  readonly everyMs: number;
  /** Ends soon, at a point where another can go on, once `stopped` is aborted. */
  run(stopped: AbortSignal): Promise<void>;
}

/** The jobs of one time in which this service leads. */
export class LeaderJobs {
  readonly #jobs: readonly LeaderJob[];
  readonly #log: Logger;
  readonly #stopped = new AbortController();
  #running: Promise<unknown> | undefined;

  constructor(jobs: readonly LeaderJob[], log: Logger) {
    this.#jobs = jobs;
    this.#log = log;
  }

  start(): void {
    this.#running = Promise.all(this.#jobs.map((job) => this.#repeat(job)));
  }

  /** Begins no run any more, and waits for those under way. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #repeat({ name, everyMs, run }: LeaderJob): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      try {
        await run(signal);
      } catch (error) {
        if (!signal.aborted) this.#log.warn({ err: error, job: name }, "a job of the leader failed; it runs again");
      }
      await sleep(everyMs, undefined, { signal }).catch(() => {});
    }
  }
}
