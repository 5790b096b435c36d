/** Locks that a session of the test holds, and on which the service waits: those of domains' rows, or one of changes. */
import pg from "pg";
import { eventually } from "../basics/eventually.ts";
import type { TestService } from "./service.ts";

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

  /**
   * Begins a transaction that holds the changes of a zone, or of all, when they are about to be stored; those on connections of the pool
   * wait for as long as it takes. It holds until it is released, and its trigger until `drop function hold cascade`.
   */
  static async ofChanges(service: TestService, zone?: string): Promise<RowLock> {
    await service.sql(`create function hold() returns trigger language plpgsql as $$ begin
      perform set_config('lock_timeout', '0', true) where current_setting('application_name') = 'zonesmith';
      perform pg_advisory_xact_lock(7); return new; end $$`);
    const condition = zone === undefined ? "" : `when (new.zone = '${zone}')`;
    await service.sql(`create trigger hold before insert on change for each row ${condition} execute function hold()`);
    const lock = await RowLock.take(service.databaseUrl, "no.example");
    await lock.run("select pg_advisory_xact_lock(7)");
    return lock;
  }

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
