/**
 * The presence of this process among the instances: it says every ten seconds that it is there, and at once when it is elected or resigns.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Session } from "../session/session.ts";
import { version } from "../version.ts";
import { removeInstance, storeHeartbeat } from "./instance.ts";

const everyMs = 10_000;

/** What is needed to say so. */
export interface PresenceOptions {
  readonly session: () => Session;
  readonly log: Pick<Logger, "debug">;
  /** Asked each time before it is said: whether this version may still write to the database. */
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

  /** Says in which term this process leads; null: it does not. */
  lead(term: number | null): void {
    this.#term = term;
    this.#hurry.abort();
  }

  /** Ends it, and removes the row as far as the database takes that soon. */
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
    // Asked first: a later version may have changed the table that is written.
    if (!(await this.#isAllowed())) return;
    try {
      const self = { id: this.#id, host: hostname(), pid: process.pid, version: version(), term: this.#term };
      await storeHeartbeat(this.#session(), self);
    } catch (error) {
      this.#log.debug({ err: error }, "could not say that this instance is there");
    }
  }

  /** Whether it may go on; it does while that cannot be asked. */
  async #isAllowed(): Promise<boolean> {
    try {
      return await this.#mayGoOn();
    } catch (error) {
      this.#log.debug({ err: error }, "could not see whether this version may go on with the database");
      return true;
    }
  }
}
