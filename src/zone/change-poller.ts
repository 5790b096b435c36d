/**
 * Polls the table of changes by their ids. A change gets its id before it is committed, so that a lower id may appear
 * after a higher one: the ids that are missing in between (gaps) are read again until every transaction that could fill
 * them has had time to end. Whatever is committed later still is found by the reconciler's full comparison.
 */
import { idStep } from "../sql/typed-ids.ts";

/** The distance of the ids of two changes. */
export const changeIdStep = idStep;

/**
 * How many changes may be under way at once: below the latest change, so many ids may still be filled. A change set makes as many in one
 * transaction as it has zones, 4000 at most (settings.ts).
 */
export const maxChangesUnderWay = 4100;

/** What is read of a change. */
export interface PolledChange {
  readonly changeId: number;
  readonly domainId: number;
  /** Whether it created or deleted the zone. */
  readonly isMembership: boolean;
}

/** Reads the changes with ids above `after`, and those with the ids `gaps`, in the order of their ids. */
type ReadChanges<Row> = (after: number, gaps: readonly number[], limit: number) => Promise<Row[]>;

/** How long a gap is read again: longer than a transaction takes from its id to its commit. */
const gapTimeoutMs = 120_000;
const maxGaps = 5000;
const maxBatchRows = 5000;

export class ChangePoller<Row extends PolledChange> {
  readonly #read: ReadChanges<Row>;
  /** When each missing id was first noticed, ms of performance.now(). */
  readonly #gaps = new Map<number, number>();
  #last: number | undefined;

  constructor(read: ReadChanges<Row>) {
    this.#read = read;
  }

  /** Sets where polling starts, unless it has started: after this id, and with the ids below it that are missing. */
  startAfter(id: number, gaps: readonly number[]): void {
    if (this.#last !== undefined) return;
    this.#last = id;
    for (const gap of gaps) this.#gaps.set(gap, performance.now());
  }

  /** Returns the changes committed since the last call; of several changes of one zone, the last. */
  async poll(): Promise<Row[]> {
    if (this.#last === undefined) return [];
    const zones = new Map<number, Row>();
    for (;;) {
      const changes = await this.#read(this.#last, [...this.#gaps.keys()], maxBatchRows);
      for (const change of changes) {
        const before = zones.get(change.domainId);
        zones.set(change.domainId, { ...change, isMembership: change.isMembership || (before?.isMembership ?? false) });
        this.#advance(change.changeId);
      }
      if (changes.length < maxBatchRows) break;
    }
    const expired = performance.now() - gapTimeoutMs;
    for (const [id, since] of this.#gaps) if (since < expired) this.#gaps.delete(id);
    return [...zones.values()];
  }

  /** The id up to which every change was returned that will ever be committed; 0 before the first one. */
  get settled(): number {
    return Math.min(this.#last ?? 0, ...[...this.#gaps.keys()].map((gap) => gap - changeIdStep));
  }

  #advance(id: number): void {
    // 0: there was no change yet, and the first id is a large number.
    const last = this.#last || id - 1 - maxChangesUnderWay * changeIdStep;
    this.#gaps.delete(id);
    for (let gap = id - changeIdStep; gap > last && this.#gaps.size < maxGaps; gap -= changeIdStep)
      this.#gaps.set(gap, performance.now());
    this.#last = Math.max(last, id);
  }
}
