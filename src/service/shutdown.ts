/**
 * The shutdown of the service, within 10 s whatever its database does. Requests in progress may finish for some seconds. Then every
 * database connection is broken, so that everything that waits for PostgreSQL fails. The rest of the time is for the embedded PostgreSQL.
 */
import { ConnectionSupervisor } from "../database/connection-supervisor.ts";

const limitMs = 9500;

/** When the database connections are broken, ms after the beginning; HTTP has closed by then. */
const connectionsMs = 4000;

export class Shutdown {
  readonly supervisor = new ConnectionSupervisor();
  readonly #stopping = new AbortController();
  #deadline = 0;

  /** Aborted when the shutdown begins; nothing new is waited for then. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** The time left, ms: all of it before the shutdown begins, and never less than a second. */
  get timeLeftMs(): number {
    return this.#deadline === 0 ? limitMs : Math.max(1000, this.#deadline - performance.now());
  }

  async run(running: AsyncDisposableStack): Promise<void> {
    this.#deadline = performance.now() + limitMs;
    const timeout = setTimeout(() => this.supervisor.close(), connectionsMs);
    this.#stopping.abort();
    try {
      await running.disposeAsync();
    } finally {
      clearTimeout(timeout);
    }
  }
}
