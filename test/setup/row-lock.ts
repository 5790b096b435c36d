/**
 * The locks of domains' rows, held by a session of the test, on which the service waits.
 */
import pg from "pg";
import { eventually } from "./eventually.ts";

export class RowLock {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Begins a transaction that holds the rows of zones. */
  static async take(databaseUrl: string, ...zones: readonly string[]): Promise<RowLock> {
    const client = new pg.Client({ connectionString: databaseUrl });
    client.on("error", () => {});
    await client.connect();
    await client.query("begin");
    await client.query("select from domain where zone = any($1) for update", [zones]);
    return new RowLock(client);
  }

  /** Runs a statement in the transaction. */
  async run(statement: string, values: unknown[] = []): Promise<pg.QueryResult> {
    return this.#client.query(statement, values);
  }

  /** Waits until so many of the service's connections wait for a lock; returns their process ids. */
  async waiters(count: number): Promise<readonly number[]> {
    return eventually(async () => {
      await this.run("select pg_stat_clear_snapshot()"); // or the transaction sees the sessions of its first look
      const { rows } = await this.run(
        `select pid from pg_stat_activity where datname = current_database() and application_name = 'zonesmith'
         and wait_event_type = 'Lock'`,
      );
      if (rows.length < count) throw new Error(`${rows.length} connections wait`);
      return rows.map(({ pid }) => pid as number);
    });
  }

  /** Ends the transaction, and with it the lock. */
  async release(end: "commit" | "rollback" = "rollback"): Promise<void> {
    await this.run(end);
    await this.#client.end();
  }
}
