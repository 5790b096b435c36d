/**
 * Keeps one PostgreSQL running: when it ends by itself it is started again, after growing pauses and at most some times a
 * minute. It serves the same URL again, so that nobody else has to know.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type PostgresProcess, shutDown } from "./process.ts";

/** The pauses before it is started again, ms: one for each time within a minute. */
export const restartDelaysMs = [100, 1000, 5000] as const;
const windowMs = 60_000;

/** How PostgreSQL is started. */
export interface Launch {
  /** Starts the process, once nothing is left of the one before; throws when the signal is aborted meanwhile. */
  readonly start: (signal?: AbortSignal) => Promise<PostgresProcess>;
  /** Waits until it can be connected to; throws when it cannot. */
  readonly ready: (server: PostgresProcess) => Promise<void>;
  readonly log: (line: string) => void;
  readonly delaysMs: readonly number[];
}

export class PostgresSupervisor {
  readonly #launch: Launch;
  readonly #stopping = new AbortController();
  /** Called once it is given up, with the last lines of PostgreSQL. */
  readonly #onGivenUp: (lastLines: string) => void;
  readonly #watching: Promise<void>;
  #server: PostgresProcess;
  /** When it was started again, ms of performance.now(). */
  #restarts: readonly number[] = [];

  /** Takes over a PostgreSQL that can be connected to. */
  constructor(server: PostgresProcess, launch: Launch, onGivenUp: (lastLines: string) => void) {
    this.#server = server;
    this.#launch = launch;
    this.#onGivenUp = onGivenUp;
    this.#watching = this.#watch();
  }

  /** Shuts PostgreSQL down, in at most this time, and starts it no more. */
  async stop(withinMs?: number): Promise<void> {
    this.#stopping.abort();
    await shutDown(this.#server, withinMs);
    await this.#watching;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      await this.#server.ended;
      if (signal.aborted) return;
      const recent = this.#restarts.filter((time) => time > performance.now() - windowMs);
      const delayMs = this.#launch.delaysMs[recent.length];
      const lastLines = this.#server.lastLines();
      if (delayMs === undefined) return this.#onGivenUp(lastLines);
      this.#launch.log(`PostgreSQL ended by itself; it is started again (${lastLines}).`);
      await sleep(delayMs, undefined, { signal }).catch(() => {});
      this.#restarts = [...recent, performance.now()];
      if (!signal.aborted) await this.#restart();
    }
  }

  /** Starts it again; when that fails, the process has ended. */
  async #restart(): Promise<void> {
    const { start, ready, log } = this.#launch;
    const { signal } = this.#stopping;
    try {
      this.#server = await start(signal);
      await ready(this.#server);
      log("PostgreSQL runs again.");
    } catch (error) {
      if (signal.aborted) return;
      log(`PostgreSQL could not be started again: ${(error as Error).message}`);
      await shutDown(this.#server);
    }
  }
}
