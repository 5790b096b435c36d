/**
 * Decides which changes go to a secondary as urgent. A source (a key, a change set) may have a hundred zones under way as urgent. Zones that
 * would exceed that go as bulk, behind the changes of others. A zone counts for ten seconds at most, so that zones which a secondary does not
 * take slow no others.
 */
import type { Target } from "../secondary/sighting.ts";
import type { Pace } from "./delivery-worker.ts";

/** Zones of one source that are urgent at a time. */
const maxUrgent = 100;
/** How long an urgent zone that is under way counts, ms. */
const recentMs = 10_000;

export class UrgentZones {
  /** By domain, in the order in which they began: when, ms of performance.now(), and the source. */
  readonly #underWay = new Map<number, { readonly at: number; readonly source: string }>();
  /** How many of them there are, by source. */
  readonly #counts = new Map<string, number>();

  /** Returns the one pace of these zones. Urgent zones count from now on; a zone that is under way already is not counted again. */
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
