/**
 * Which changes go to a secondary as urgent. Of one source (a key, a change set) that is the first hundred zones which are under way to it;
 * what the source changes beyond them, at once or one after the other, is bulk, which the changes of others go before. Only those of the last
 * moments count: zones that the secondary does not take make nothing else bulk.
 */
import type { Target } from "../secondary/sighting.ts";
import type { Pieces } from "../turns/pieces.ts";
import type { Pace } from "./delivery-host.ts";

/** Zones of one source that are urgent at a time. */
const maxUrgent = 100;
/** How long an urgent zone that is under way counts, ms. */
const recentMs = 10_000;

export class UrgentZones {
  /** By domain, in the order in which they began: when, ms of performance.now(), and the source. */
  readonly #underWay = new Map<number, { readonly at: number; readonly source: string }>();
  /** How many of them there are, by source. */
  readonly #counts = new Map<string, number>();

  /** Returns the pace of zones of a source; urgent ones count from now on, those that are under way already no second time. */
  begin(source: string, zones: readonly Target[]): Pace {
    const at = performance.now();
    for (const [domainId, begun] of this.#underWay) {
      if (begun.at >= at - recentMs) break;
      this.end(domainId);
    }
    const added = zones.filter(({ domainId }) => !this.#underWay.has(domainId));
    const count = (this.#counts.get(source) ?? 0) + added.length;
    if (count > maxUrgent) return "bulk";
    this.#counts.set(source, count);
    for (const { domainId } of added) this.#underWay.set(domainId, { at, source });
    return "urgent";
  }

  end(domainId: number): void {
    const begun = this.#underWay.get(domainId);
    if (!begun) return;
    this.#underWay.delete(domainId);
    const count = (this.#counts.get(begun.source) ?? 0) - 1;
    if (count > 0) this.#counts.set(begun.source, count);
    else this.#counts.delete(begun.source);
  }
}

/** Delivers zones to a secondary as they are committed now. */
export async function deliverAll<Zone extends Target>(
  worker: { deliver(target: Target, pace: Pace, isAbsent?: boolean): void },
  zones: readonly Zone[],
  pace: Pace,
  pieces: Pieces,
  isAbsent: (zone: Zone) => boolean = () => false,
): Promise<void> {
  for (const zone of zones) {
    worker.deliver(zone, pace, isAbsent(zone));
    await pieces.next();
  }
}
