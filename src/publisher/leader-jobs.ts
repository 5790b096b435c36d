/**
 * Jobs of the leader that have nothing to do with publishing: they are handed to it, and each runs again and again while it leads. Commits in
 * the session of a job succeed only while this instance leads. A job must expect that another instance continues at any point.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Session } from "../session/session.ts";

/** What the leader does from time to time. */
export interface LeaderJob {
  readonly name: string;
  /** The pause between the end of a run and the next one, milliseconds. */
  readonly everyMs: number;
  /**
   * Of a job that waits for commits: the pause once some runs in a row found nothing to do, milliseconds. A commit of this process ends it;
   * one of another process is found after it.
   */
  readonly idleMs?: number;
  /**
   * Ends soon, at a point where another can go on, once `stopped` is aborted. Returns false when there was nothing to do. Once another leads,
   * the transactions of `session` fail.
   */
  run(session: Session, stopped: AbortSignal): Promise<unknown>;
}

/** After how many runs in a row that found nothing to do a job is idle. */
const idleAfter = 10;

/** The jobs of one time in which this service leads. */
export class LeaderJobs {
  readonly #jobs: readonly LeaderJob[];
  readonly #session: () => Session;
  readonly #log: Logger;
  readonly #stopped = new AbortController();
  /** Ends the pauses of jobs that are idle; a new one after each commit. */
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

  /** Begins no run any more, and waits for those under way. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  /** Something was committed: jobs that are idle run again. */
  nudge(): void {
    // With a reason of its own no DOMException is made, with its stack, for each commit.
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
