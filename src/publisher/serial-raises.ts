/**
 * Raises of zones' serials past unproven serials at secondaries (probe-meaning.ts). All raises of a zone in a term count together: servers
 * that lie again after each raise move it no farther than one raise can.
 */
import type { Logger } from "pino";
import { type Serial, serialIsGreater } from "../dns/serial.ts";
import { isNear, type RaiseOptions, raisePast } from "../secondary/resync.ts";
import type { Target } from "../secondary/sighting.ts";
import { type Session, today } from "../session/session.ts";
import type { Raise, RaiseState } from "./probe-meaning.ts";
import { TaskQueue } from "./task-queue.ts";

const maxConcurrentRaises = 2;

export class Raises {
  /** Whether zones may be published without a confirmation. */
  mayRaise = false;
  readonly #session: () => Session;
  readonly #log: Logger;
  readonly #queue = new TaskQueue(() => maxConcurrentRaises);
  /** By secondary and domain: the serial that the zone was raised to because of the secondary, until that has a proven copy. */
  readonly #raised = new Map<number, Map<number, Serial | "queued">>();
  /** By domain: the steps by which raises exceeded ordinary changes. */
  readonly #spent = new Map<number, number>();
  /** By domain: the last running raise. The next one waits, since both share the limit. */
  readonly #running = new Map<number, Promise<void>>();

  constructor(session: () => Session, log: Logger) {
    this.#session = session;
    this.#log = log;
  }

  /** The serial that a raise led to; undefined without a raise because of the secondary, and once that has a proven copy. */
  raisedTo(secondaryId: number, domainId: number): Serial | undefined {
    const raised = this.#raised.get(secondaryId)?.get(domainId);
    return raised === "queued" ? undefined : raised;
  }

  proven(secondaryId: number, domainId: number): void {
    this.#raised.get(secondaryId)?.delete(domainId);
  }

  /** Forgets the raises that the secondary caused; those that are still queued do not happen. */
  forget(secondaryId: number): void {
    this.#raised.delete(secondaryId);
  }

  /** Queues a raise, unless the zone was raised already or may not be. */
  raise(secondaryId: number, { domainId, zone }: Target, { served, past, committed, isWhole }: Raise): RaiseState {
    const raised = this.#raised.get(secondaryId)?.get(domainId);
    if (raised === "queued") return raised;
    if (raised !== undefined) return serialIsGreater(raised, served) ? "queued" : "repeated";
    const session = this.#session();
    if (!isNear(past, committed, today(session), this.#spent.get(domainId))) return "far";
    if (!this.mayRaise) return "held";
    const ofSecondary = this.#raised.get(secondaryId) ?? new Map<number, Serial | "queued">();
    this.#raised.set(secondaryId, ofSecondary.set(domainId, "queued"));
    this.#queue.add(async () => {
      const raise = async () => {
        if (ofSecondary.get(domainId) !== "queued" || this.#raised.get(secondaryId) !== ofSecondary) return;
        const serial = await this.#raise(domainId, zone, { past, isWhole });
        if (serial !== undefined && serialIsGreater(serial, past)) ofSecondary.set(domainId, serial);
        else ofSecondary.delete(domainId);
      };
      const running = (this.#running.get(domainId) ?? Promise.resolve()).then(raise);
      this.#running.set(domainId, running);
      await running;
      if (this.#running.get(domainId) === running) this.#running.delete(domainId);
    }, "high");
    return "queued";
  }

  /** Returns the serial; undefined when the domain is deleted or the raise failed. */
  async #raise(domainId: number, zone: string, options: RaiseOptions): Promise<Serial | undefined> {
    const spent = this.#spent.get(domainId) ?? 0;
    try {
      const raised = await raisePast(this.#session(), domainId, options, spent);
      if (raised && raised.leap > 0) this.#spent.set(domainId, spent + raised.leap);
      return raised?.serial;
    } catch (error) {
      this.#log.warn({ zone, err: error }, "the serial could not be raised; retrying");
      return undefined;
    }
  }
}
