/**
 * The end of the service, within 10 s whatever its database does: requests in progress may finish for some seconds, then
 * every database connection is broken, on which all that still waits for PostgreSQL fails, and what is left of the time is
 * for the embedded PostgreSQL.
 */
import { ConnectionSupervisor } from "../database/connection-supervisor.ts";

/** How long everything may take together, ms: half a second less than is promised. */
const limitMs = 9500;

/** After how long the database connections are broken, ms: HTTP has closed by then. */
const connectionsMs = 4000;

export class Shutdown {
  /** The database connections of the service. */
  readonly supervisor = new ConnectionSupervisor();
  readonly #stopping = new AbortController();
  #deadline = 0;

  /** Aborted when the service begins to stop: nobody waits for anything new then. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** How much of the time is left, ms; all of it before the shutdown has begun, and never less than a second. */
  get timeLeftMs(): number {
    return this.#deadline === 0 ? limitMs : Math.max(1000, this.#deadline - performance.now());
  }

  /** Stops what was started. */
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
