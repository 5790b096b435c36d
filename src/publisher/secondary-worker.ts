/**
 * The correspondence with one secondary: its pursuits, the lanes their packets wait in, and whether it is silent. A secondary that
 * leaves several questions unanswered is asked by one at a time; when it answers again, everything that was put off is due at once.
 */
import type { Correspondent, Seen, Target } from "../secondary/sighting.ts";
import { type Outlet, Pursuit } from "./delivery.ts";
import { type Notified, notify } from "./notify.ts";
import type { Ledger } from "./sighting-buffer.ts";
import { type Sight, sight } from "./soa-probe.ts";
import { Lane } from "./task-queue.ts";
import type { UdpSockets } from "./udp-client.ts";

/** What every correspondence shares. */
export interface Desk {
  readonly sockets: UdpSockets;
  readonly ledger: Ledger;
  committed(domainId: number): Promise<number | undefined>;
  exists(zone: string): Promise<boolean>;
}

/** Packets under way to one secondary, in each lane. */
const atOnce = 50;
const silentAfter = 3;

export class Correspondence implements Outlet {
  secondary: Correspondent;
  /** Whether it was seen to serve the catalog. */
  followsCatalog: boolean;
  readonly #desk: Desk;
  readonly #pursuits = new Map<number, Pursuit>();
  readonly #notifies = new Lane(() => this.#limit);
  readonly #sights = new Lane(() => this.#limit);
  #unanswered = 0;

  constructor(desk: Desk, secondary: Correspondent, followsCatalog: boolean) {
    this.#desk = desk;
    this.secondary = secondary;
    this.followsCatalog = followsCatalog;
  }

  get pursuits(): number {
    return this.#pursuits.size;
  }

  /** Pursues a zone as it is committed now; a calm pursuit looks before it says anything. */
  pursue(target: Target, calm = false): void {
    const known = this.#pursuits.get(target.domainId);
    if (target.isCatalog && !this.secondary.key && this.secondary.keyError === undefined) return;
    if (target.isDeleted && !this.followsCatalog) {
      this.#drop(target.domainId);
      return;
    }
    if (known) {
      if (!calm) known.want(target);
      return;
    }
    // A row before the first look: until it says refused, the deleted zone may still be served.
    if (target.isDeleted) this.#desk.ledger.see(notSeen(this.secondary.id, target));
    this.#pursuits.set(target.domainId, new Pursuit(this, target, calm));
  }

  close(): void {
    for (const domainId of [...this.#pursuits.keys()]) this.#drop(domainId);
  }

  #drop(domainId: number): void {
    this.#pursuits.get(domainId)?.close();
    this.#pursuits.delete(domainId);
  }

  get #limit(): number {
    return this.#unanswered >= silentAfter ? 1 : atOnce;
  }

  get secondaryId(): number {
    return this.secondary.id;
  }

  get takesNotify(): boolean {
    return this.secondary.notify;
  }

  async notify(zone: string, timeoutMs: number): Promise<Notified> {
    const at = new Date();
    const notified = await notify(this.#desk.sockets, this.secondary, zone, timeoutMs);
    this.#heard(notified.outcome !== "silent");
    this.#desk.ledger.contact(this.secondary.id, {
      notifiedAt: at,
      notifyAnswer: notified.words,
      ...tsigContact(notified.tsigError),
    });
    return notified;
  }

  async sight(target: Target, timeoutMs: number): Promise<Sight> {
    const at = new Date();
    const seen = await sight(this.#desk.sockets, this.secondary, target, timeoutMs);
    this.#heard(seen.kind !== "silent");
    this.#desk.ledger.contact(this.secondary.id, {
      queriedAt: at,
      queryAnswer: seen.words,
      ...tsigContact(seen.kind === "failed" ? seen.tsigError : undefined),
    });
    return seen;
  }

  #heard(answered: boolean): void {
    const wasSilent = this.#unanswered >= silentAfter;
    this.#unanswered = answered ? 0 : this.#unanswered + 1;
    if (answered && wasSilent) for (const pursuit of this.#pursuits.values()) pursuit.wake();
  }

  enterNotify(task: () => Promise<void>): void {
    this.#notifies.enter(task);
  }

  enterSight(task: () => Promise<void>, calm: boolean): void {
    this.#sights.enter(task, calm);
  }

  leave(task: () => Promise<void>): void {
    this.#notifies.leave(task);
    this.#sights.leave(task);
  }

  committed(domainId: number): Promise<number | undefined> {
    return this.#desk.committed(domainId);
  }

  exists(zone: string): Promise<boolean> {
    return this.#desk.exists(zone);
  }

  seen(seen: Seen, target: Target): void {
    if (target.isCatalog && seen.seenAt) this.followsCatalog = seen.serial !== null;
    this.#desk.ledger.see(seen);
  }

  done(pursuit: Pursuit): void {
    this.#drop(pursuit.target.domainId);
  }
}

function notSeen(secondaryId: number, { domainId, zone }: Target): Seen {
  return { secondaryId, domainId, zone, serial: null, isRefused: false, isAhead: false, seenAt: null, lastError: null };
}

function tsigContact(tsigError: string | undefined) {
  return tsigError === undefined ? {} : { tsigErrorAt: new Date(), tsigError };
}
