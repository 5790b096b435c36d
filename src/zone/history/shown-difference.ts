/** The difference that a change makes or would make, by RRset, in the form of the difference of two moments. */
import type { ZoneChange } from "../edit/change-zone.ts";
import type { WorkingRecord } from "../edit/working-copy.ts";
import { positionOf } from "../record.ts";

/** A record that a change removes or adds. `recordId` is null for a new record that is not stored; `changeId` is null for a dry run. */
export interface ShownLine {
  readonly removed: boolean;
  readonly recordId: number | null;
  readonly ttl: number;
  readonly rdata: string;
  readonly changeId: number | null;
}

export interface ShownRrset {
  readonly owner: string;
  readonly type: string;
  readonly lines: readonly ShownLine[];
}

type Changed = Omit<WorkingRecord, "digest">;

export function shownDifference({
  change,
  removed,
  added,
}: Pick<ZoneChange, "change"> & Record<"removed" | "added", readonly Changed[]>): ShownRrset[] {
  const all = [
    ...removed.map((record) => ({ record, removed: true })),
    ...added.map((record) => ({ record, removed: false })),
  ];
  const groups = Map.groupBy(all, ({ record }) => positionOf(record));
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => {
      const [{ record }] = group as [(typeof group)[number]];
      const lines = group.map((each): ShownLine => {
        const { id, ttl, rdata } = each.record;
        return { removed: each.removed, recordId: id ?? null, ttl, rdata, changeId: change?.id ?? null };
      });
      return { owner: record.owner, type: record.type, lines };
    });
}
