/**
 * Keeps one PostgreSQL running. When PostgreSQL ends by itself it is started again after a growing pause, at most three times within a
 * minute. The URL stays the same, so that connections work again without further steps.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type PostgresProcess, shutDown } from "./process.ts";

/** The pause before each restart within one minute, ms. */
export const restartDelaysMs = [100, 1000, 5000] as const;
const windowMs = 60_000;

export interface Launch {
  /** Starts the process after the earlier one has ended; throws when the signal is aborted. */
  readonly start: (signal?: AbortSignal) => Promise<PostgresProcess>;
  readonly ready: (server: PostgresProcess) => Promise<void>;
  readonly log: (line: string) => void;
  readonly delaysMs: readonly number[];
}

export class PostgresSupervisor {
  readonly #launch: Launch;
  readonly #stopping = new AbortController();
  readonly #onGivenUp: (lastLines: string) => void;
  readonly #watching: Promise<void>;
  #server: PostgresProcess;
  #restarts: readonly number[] = [];

  constructor(server: PostgresProcess, launch: Launch, onGivenUp: (lastLines: string) => void) {
    this.#server = server;
    this.#launch = launch;
    this.#onGivenUp = onGivenUp;
    this.#watching = this.#watch();
  }

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

  /** Starts PostgreSQL again; when that fails, no process is left. */
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
