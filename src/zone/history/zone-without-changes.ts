/**
 * A zone in memory as it would be without some of its changes. The changes are undone there one after the other, so that the result is a
 * single difference.
 */
import type { RecordsAt } from "./change-conflict.ts";
import { contentOf, type ReturnLine } from "./return-plan.ts";

type RecordWithoutChanges = Awaited<ReturnType<RecordsAt>>[number];

const keyOf = (record: Omit<RecordWithoutChanges, "id">) => `${record.owner} ${record.type} ${contentOf(record)}`;

export class ZoneWithoutChanges {
  readonly #read: RecordsAt;
  /** The records of the owners that were read, before and after the undoing. */
  readonly #stored = new Map<string, readonly RecordWithoutChanges[]>();
  readonly #folded = new Map<string, readonly RecordWithoutChanges[]>();

  constructor(read: RecordsAt) {
    this.#read = read;
  }

  readonly at: RecordsAt = async (owners) => {
    const missing = owners.filter((owner) => !this.#folded.has(owner));
    const byOwner = Map.groupBy(missing.length > 0 ? await this.#read(missing) : [], ({ owner }) => owner);
    for (const owner of missing) {
      const records = byOwner.get(owner) ?? [];
      this.#stored.set(owner, records);
      this.#folded.set(owner, records);
    }
    return owners.flatMap((owner) => this.#folded.get(owner) ?? []);
  };

  /** Applies removals and additions at owners that `at` has read. */
  apply(lines: readonly ReturnLine[]): void {
    for (const [owner, ofOwner] of Map.groupBy(lines, (line) => line.owner)) {
      const removed = new Set(ofOwner.filter((line) => line.removed).map(keyOf));
      const kept = (this.#folded.get(owner) ?? []).filter((record) => !removed.has(keyOf(record)));
      const added = ofOwner
        .filter((line) => !line.removed)
        .map(({ recordId, removed: _, ...record }) => {
          return { ...record, id: recordId };
        });
      this.#folded.set(owner, [...kept, ...added]);
    }
  }

  difference(): ReturnLine[] {
    return [...this.#stored].flatMap(([owner, stored]) => {
      const folded = this.#folded.get(owner) ?? [];
      const [before, after] = [new Set(stored.map(keyOf)), new Set(folded.map(keyOf))];
      const lineOf = ({ id, ...record }: RecordWithoutChanges, removed: boolean): ReturnLine => {
        return { ...record, recordId: id, removed };
      };
      return [
        ...stored.filter((record) => !after.has(keyOf(record))).map((record) => lineOf(record, true)),
        ...folded.filter((record) => !before.has(keyOf(record))).map((record) => lineOf(record, false)),
      ];
    });
  }
}
