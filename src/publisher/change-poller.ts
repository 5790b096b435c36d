/**
 * Follows the journal by the ids of its changes. An id is given before its change is committed, so a lower one may appear after a
 * higher one: the ids that are missing are asked for again until they have had time enough. What is later still, the sweep finds.
 */
import type { ChangedZone } from "../secondary/sighting.ts";

type Read = (after: number, gaps: readonly number[], limit: number) => Promise<ChangedZone[]>;

/** How long a change may take from its id to its commit, and how many such are waited for. */
const patienceMs = 120_000;
const mostGaps = 5000;
const batch = 5000;

export class Journal {
  readonly #read: Read;
  readonly #gaps = new Map<number, number>();
  #last: number | undefined;

  constructor(read: Read) {
    this.#read = read;
  }

  /** Begins after this id; all up to it is known otherwise. The gaps below it stay open. */
  begin(id: number): void {
    this.#last ??= id;
  }

  /** The changes that were committed since the last call; of several of one zone, the last. */
  async next(): Promise<ChangedZone[]> {
    if (this.#last === undefined) return [];
    const zones = new Map<number, ChangedZone>();
    for (;;) {
      const changes = await this.#read(this.#last, [...this.#gaps.keys()], batch);
      for (const change of changes) {
        const before = zones.get(change.domainId);
        zones.set(change.domainId, { ...change, isMembership: change.isMembership || (before?.isMembership ?? false) });
        this.#pass(change.changeId);
      }
      if (changes.length < batch) break;
    }
    const tooOld = Date.now() - patienceMs;
    for (const [id, since] of this.#gaps) if (since < tooOld) this.#gaps.delete(id);
    return [...zones.values()];
  }

  #pass(id: number): void {
    const last = this.#last || id - 1; // 0: there was no change yet, and the first id is a great number.
    this.#gaps.delete(id);
    for (let gap = last + 1; gap < id && this.#gaps.size < mostGaps; gap += 1) this.#gaps.set(gap, Date.now());
    this.#last = Math.max(last, id);
  }
}
