/**
 * Which changes go to a secondary as urgent. Of one source (a key, a change set) that is the first hundred zones which are under way to it;
 * what the source changes beyond them, at once or one after the other, is bulk, which the changes of others go before. Only those of the last
 * moments count: zones that the secondary does not take make nothing else bulk.
 */
import type { Target } from "../secondary/sighting.ts";
import { Pieces } from "../turns/pieces.ts";
import type { Pace } from "./delivery-host.ts";

/** Zones of one source that are urgent at a time. */
const maxUrgent = 100;
/** How long an urgent zone that is under way counts, ms. */
const recentMs = 10_000;

export class UrgentZones {
  /** By domain, in the order in which they began: when, ms of performance.now(), and the source. */
  readonly #underWay = new Map<number, { readonly at: number; readonly source: string }>();

  /** The pace of so many more zones of a source. */
  paceOf(source: string, count: number): Pace {
    const recent = performance.now() - recentMs;
    let zones = count;
    for (const [domainId, each] of this.#underWay) {
      if (each.at < recent) this.#underWay.delete(domainId);
      else if (each.source === source) zones += 1;
    }
    return zones > maxUrgent ? "bulk" : "urgent";
  }

  begin(domainId: number, source: string): void {
    this.end(domainId);
    this.#underWay.set(domainId, { at: performance.now(), source });
  }

  end(domainId: number): void {
    this.#underWay.delete(domainId);
  }
}

/** Where zones are delivered to. */
interface Receiver {
  readonly urgent: UrgentZones;
  deliver(target: Target, pace: Pace, isAbsent?: boolean): void;
}

/** Delivers zones of one source to a secondary as they are committed now, in pieces. */
export async function deliverAll<Zone extends Target>(
  worker: Receiver,
  source: string,
  zones: readonly Zone[],
  isAbsent: (zone: Zone) => boolean,
): Promise<void> {
  const pace = worker.urgent.paceOf(source, zones.length);
  const pieces = new Pieces();
  for (const zone of zones) {
    worker.deliver(zone, pace, isAbsent(zone));
    if (pace === "urgent") worker.urgent.begin(zone.domainId, source);
    await pieces.next();
  }
}

/** Verifies zones at a secondary, in pieces. */
export async function verifyAll(worker: Receiver, zones: readonly Target[]): Promise<void> {
  const pieces = new Pieces();
  for (const zone of zones) {
    worker.deliver(zone, "verify");
    await pieces.next();
  }
}
