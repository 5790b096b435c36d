/**
 * Decides which changes go to a secondary as urgent: a hundred zones of a source (a key, a change set) at a time. Further ones go as bulk,
 * behind the changes of others. A zone counts for ten seconds at most, whether it is transferred or not.
 */
import type { Target } from "../secondary/sighting.ts";
import type { Pace } from "./delivery.ts";

const maxUrgent = 100;
const recentMs = 10_000;

export class UrgentZones {
  /** By domain, oldest first; `at` in ms of performance.now(). */
  readonly #underWay = new Map<number, { readonly at: number; readonly source: string }>();
  readonly #counts = new Map<string, number>();

  /** Decides the pace that all these zones share. If it is urgent, the zones count from now on, once each. */
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
