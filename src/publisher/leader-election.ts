/**
 * The office of publisher: of all instances on one database, one holds it. It is a session advisory lock on a connection of its own,
 * so that it ends with the process or the connection, and the next instance takes it within a second; a host that vanishes is noticed
 * by TCP keep-alive within five. Whoever takes office raises the term, after which nothing of an earlier one can be written.
 *
 *     candidate -> in office -> candidate        connection lost, term lost, resigned
 *
 * Limitations: a process that is stopped and not dead keeps the office; a connection pooler that hands out connections per transaction
 * cannot hold the lock.
 */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Log } from "./log.ts";

/** "zonepubl" in ASCII. */
const officeLock = 0x7a6f6e657075626cn;
const askAgainMs = 500;
const heartbeatMs = 1000;

/** What holding the office means to its holder. */
export interface Holder {
  /** Takes office. Throws when that fails. */
  enter(): Promise<void>;
  /** Leaves it; called after every `enter`. */
  leave(): Promise<void>;
}

export class Office {
  readonly #url: string;
  readonly #holder: Holder;
  readonly #log: Log;
  readonly #stopped = new AbortController();
  #end: (() => void) | undefined;
  #running: Promise<void> | undefined;

  constructor(url: string, holder: Holder, log: Log) {
    this.#url = url;
    this.#holder = holder;
    this.#log = log;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Gives the office up, to stand for it again. */
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
        await this.#stand(signal);
      } catch (error) {
        if (!signal.aborted) this.#log.warn({ err: error }, "the publisher has lost its connection; it tries again");
      }
      await sleep(askAgainMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Stands for the office, holds it, and returns when it is over. */
  async #stand(signal: AbortSignal): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: "zonesmith-publisher",
      connectionTimeoutMillis: 3000,
      query_timeout: 3000,
      options: "-c tcp_keepalives_idle=2 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=2",
    });
    const ended = new Promise<void>((resolve) => {
      this.#end = resolve;
      client.on("error", () => resolve());
      client.on("end", () => resolve());
    });
    try {
      await client.connect();
      if (await this.#elected(client, ended, signal)) await this.#hold(client, ended);
    } finally {
      await client.end().catch(() => {});
    }
  }

  async #elected(client: pg.Client, ended: Promise<void>, signal: AbortSignal): Promise<boolean> {
    let lost = false;
    void ended.then(() => {
      lost = true;
    });
    while (!lost && !signal.aborted) {
      const { rows } = await client.query<{ got: boolean }>("select pg_try_advisory_lock($1) as got", [officeLock]);
      if (rows[0]?.got) return true;
      await Promise.race([ended, sleep(askAgainMs, undefined, { signal }).catch(() => {})]);
    }
    return false;
  }

  async #hold(client: pg.Client, ended: Promise<void>): Promise<void> {
    const heartbeat = setInterval(() => client.query("select 1").catch(() => this.#end?.()), heartbeatMs);
    try {
      await this.#holder.enter();
      await ended;
    } finally {
      clearInterval(heartbeat);
      await this.#holder.leave();
    }
  }
}
