/**
 * Decides which changes go to a secondary as urgent. A source (a key, a change set) may have a hundred urgent zones under way. Further
 * zones go as bulk, behind the changes of others. A zone counts for ten seconds at most, so that zones that a secondary does not transfer
 * do not delay others.
 */
import type { Target } from "../secondary/sighting.ts";
import type { Pace } from "./delivery.ts";

/** The maximum number of urgent zones of one source at a time. */
const maxUrgent = 100;
/** How long an urgent zone under way counts, ms. */
const recentMs = 10_000;

export class UrgentZones {
  /** By domain, in the order of their beginning: the time, ms of performance.now(), and the source. */
  readonly #underWay = new Map<number, { readonly at: number; readonly source: string }>();
  /** The number of urgent zones under way, by source. */
  readonly #counts = new Map<string, number>();

  /** Returns the common pace of these zones. Urgent zones count from now on; a zone under way is not counted again. */
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
