/**
 * The difference that a change makes, or would make, by RRset as the difference of two moments is shown.
 */
import type { ZoneChange } from "../edit/change-zone.ts";
import type { WorkingRecord } from "../edit/working-copy.ts";
import { positionOf } from "../record.ts";

/** A record that a change removes or adds; one that would get a new id has none yet. `changeId` is null of a dry run. */
export interface ShownLine {
  readonly removed: boolean;
  readonly recordId: number | null;
  readonly ttl: number;
  readonly rdata: string;
  readonly changeId: number | null;
}

/** An RRset that a change makes another. */
export interface ShownRrset {
  readonly owner: string;
  readonly type: string;
  readonly lines: readonly ShownLine[];
}

/** A record of a change. */
type Changed = Omit<WorkingRecord, "digest">;

/** What a change removes and adds, by RRset in the order of a zone. */
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
