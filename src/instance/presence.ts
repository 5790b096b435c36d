/** Stores a heartbeat of this process every ten seconds, and at once when the process is elected leader or resigns. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Session } from "../session/session.ts";
import { version } from "../version.ts";
import { removeInstance, storeHeartbeat } from "./instance.ts";

const everyMs = 10_000;

interface PresenceOptions {
  readonly session: () => Session;
  readonly log: Pick<Logger, "debug">;
  /** Called before each heartbeat: returns whether this version may still write to the database. */
  readonly mayGoOn?: () => Promise<boolean>;
}

export class Presence {
  readonly #session: () => Session;
  readonly #log: Pick<Logger, "debug">;
  readonly #mayGoOn: () => Promise<boolean>;
  readonly #id = randomUUID();
  readonly #stopped = new AbortController();
  #term: number | null = null;
  /** Ends the pause before the next heartbeat. */
  #hurry = new AbortController();
  readonly #running: Promise<void>;

  constructor({ session, log, mayGoOn = async () => true }: PresenceOptions) {
    this.#session = session;
    this.#log = log;
    this.#mayGoOn = mayGoOn;
    this.#running = this.#run();
  }

  /** Stores the term in which this process leads; null when it does not lead. */
  lead(term: number | null): void {
    this.#term = term;
    this.#hurry.abort();
  }

  /** Ends the heartbeats and removes the row. Gives up when the database does not respond soon. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#hurry.abort();
    await this.#running;
    const over = sleep(1000, undefined, { ref: false });
    await Promise.race([removeInstance(this.#session(), this.#id).catch(() => {}), over]);
  }

  async #run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      this.#hurry = new AbortController();
      await this.#beat();
      if (this.#stopped.signal.aborted) return;
      await sleep(everyMs, undefined, { signal: this.#hurry.signal }).catch(() => {});
    }
  }

  async #beat(): Promise<void> {
    // This check comes first: a later version may have changed the table of the heartbeats.
    if (!(await this.#isAllowed())) return;
    try {
      const self = { id: this.#id, host: hostname(), pid: process.pid, version: version(), term: this.#term };
      await storeHeartbeat(this.#session(), self);
    } catch (error) {
      this.#log.debug({ err: error }, "could not store the heartbeat of this instance");
    }
  }

  /** Returns whether this version may still write to the database; true while the check itself fails. */
  async #isAllowed(): Promise<boolean> {
    try {
      return await this.#mayGoOn();
    } catch (error) {
      this.#log.debug({ err: error }, "could not check whether this version may still use the database");
      return true;
    }
  }
}
