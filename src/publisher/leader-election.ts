/**
 * Leader election: exactly one instance per database publishes. The leader holds a session advisory lock on its own connection, and leads
 * until it resigns or the connection ends. Another instance takes over within a second, within five when a host vanishes (TCP keep-alive);
 * PostgreSQL ends the idle session of a suspended leader. Each leader begins a new term (`beginTerm`), after which no write of an earlier
 * one is committed. Limitation: a pooler that assigns connections per transaction cannot hold the lock.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import type { ConnectionSupervisor } from "../database/connection-supervisor.ts";

/** The key of the advisory lock: "zonepubl" in ASCII. */
const leaderLock = 0x7a6f6e657075626cn;
const retryDelayMs = 500;
const heartbeatMs = 1000;
/** PostgreSQL ends the session after this time without a heartbeat, ms; longer than the process is ever busy. */
const suspendedAfterMs = 10_000;
const databaseTimeoutMs = 3000;

interface LeaderCallbacks {
  /** Called once the lock is held. When it throws, the leadership ends. */
  onElected(): Promise<void>;
  /** Called at the end of each leadership, also of one whose `onElected` failed. */
  onResigned(): Promise<void>;
}

interface ElectionDatabase {
  readonly url: string;
  readonly supervisor: ConnectionSupervisor;
}

export class LeaderElection {
  readonly #database: ElectionDatabase;
  readonly #callbacks: LeaderCallbacks;
  readonly #log: Logger;
  readonly #stopped = new AbortController();
  #end: (() => void) | undefined;
  #running: Promise<void> | undefined;

  constructor(database: ElectionDatabase, callbacks: LeaderCallbacks, log: Logger) {
    this.#database = database;
    this.#callbacks = callbacks;
    this.#log = log;
  }

  start(): void {
    this.#running = this.#run();
  }

  resign(): void {
    this.#end?.();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#end?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      try {
        await this.#campaign(signal);
      } catch (error) {
        if (!signal.aborted) this.#log.warn({ err: error }, "lost the database connection; reconnecting");
      }
      await sleep(retryDelayMs, undefined, { signal }).catch(() => {});
    }
  }

  async #campaign(signal: AbortSignal): Promise<void> {
    const { url, supervisor } = this.#database;
    const client = new supervisor.Client({
      connectionString: url,
      application_name: "zonesmith-publisher",
      connectionTimeoutMillis: databaseTimeoutMs,
      query_timeout: databaseTimeoutMs,
      options: "-c tcp_keepalives_idle=2 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=2",
    });
    const ended = new Promise<void>((resolve) => {
      this.#end = resolve;
      client.on("error", () => resolve());
      client.on("end", () => resolve());
    });
    try {
      await client.connect();
      // As a statement: PgBouncer refuses or ignores the startup parameter `options`.
      await client.query(`set idle_session_timeout = ${suspendedAfterMs}`);
      if (await this.#takeLock(client, ended, signal)) await this.#lead(client, ended);
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Returns whether it has the lock; false when the campaign ended before. */
  async #takeLock(client: pg.Client, ended: Promise<void>, signal: AbortSignal): Promise<boolean> {
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    while (!isOver && !signal.aborted) {
      const query = "select pg_try_advisory_lock($1) as taken";
      const { rows } = await client.query<{ taken: boolean }>(query, [leaderLock]);
      if (rows[0]?.taken) return true;
      await Promise.race([ended, sleep(retryDelayMs, undefined, { signal }).catch(() => {})]);
    }
    return false;
  }

  async #beat(client: pg.Client, signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        await client.query("select 1");
        await sleep(heartbeatMs, undefined, { signal }).catch(() => {});
      }
    } catch {
      this.#end?.();
    }
  }

  async #lead(client: pg.Client, ended: Promise<void>): Promise<void> {
    const resigned = new AbortController();
    void this.#beat(client, resigned.signal);
    try {
      await this.#callbacks.onElected();
      await ended;
    } finally {
      await this.#callbacks.onResigned().finally(() => resigned.abort());
    }
  }
}
