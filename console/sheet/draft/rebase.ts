/**
 * What somebody else changed while edits were staged. The page reads the records again; where an RRset that the draft touches is no
 * longer as it was, a person decides: keep mine, or take theirs. Everything else needs no decision, since an edit names its record.
 */
import { withoutSerial } from "../../difference/difference.ts";
import type { Records } from "../records/records.ts";
import { type Column, type RowValues, rrsetOf, type StoredRow, valuesOf } from "../records/row.ts";
import { type Draft, drop, type Edit, stage, touchedBy } from "./draft.ts";

export interface Conflict {
  readonly rrset: string;
  /** As it was when the first edit of it was staged. */
  readonly old: readonly StoredRow[];
  readonly theirs: readonly StoredRow[];
  readonly mine: readonly Edit[];
}

function fingerprint(rows: readonly StoredRow[]): string {
  return rows
    .map(({ id, type, ttl, rdata }) => `${id} ${ttl} ${type === "SOA" ? withoutSerial(rdata) : rdata}`)
    .sort()
    .join("\n");
}

/** The RRsets in which the zone is no longer as the draft saw it, each with the edits that touch it. */
export function conflicts(draft: Draft, records: Records): Conflict[] {
  const changed = [...draft.seen].filter(([name, old]) => fingerprint(old) !== fingerprint(records.rrset(name)));
  if (changed.length === 0) return [];
  const edits = [...draft.edits.values()];
  return changed.map(([rrset, old]) => ({
    rrset,
    old,
    theirs: records.rrset(rrset),
    mine: edits.filter((edit) => touchedBy(edit, draft.zone).includes(rrset)),
  }));
}

/** What was written over the old values, over theirs: a field that was not edited is theirs. */
function over(theirs: StoredRow, { before, values }: { before: StoredRow; values: RowValues }): RowValues {
  const old = valuesOf(before);
  const fresh = valuesOf(theirs);
  const pick = (column: Column) => (values[column] === old[column] ? fresh[column] : values[column]);
  return { owner: pick("owner"), type: pick("type"), ttl: pick("ttl"), rdata: pick("rdata") };
}

/** Decides a conflict for the draft: its edits are now of the records as they are. A record that is gone is added again. */
export function keepMine(draft: Draft, records: Records, rrset: string): Draft {
  const staged: Edit[] = [];
  const dropped: string[] = [];
  const isThere = (values: RowValues) => records.withData(values) !== undefined;
  for (const edit of draft.edits.values()) {
    if (!touchedBy(edit, draft.zone).includes(rrset)) continue;
    const theirs = records.get(edit.key);
    if (edit.kind === "add") {
      if (isThere(edit.values)) dropped.push(edit.key);
    } else if (edit.kind === "remove") {
      if (theirs) staged.push({ ...edit, before: theirs });
      else dropped.push(edit.key);
    } else if (theirs) staged.push({ ...edit, before: theirs, values: over(theirs, edit) });
    else {
      dropped.push(edit.key);
      if (!isThere(edit.values))
        staged.push({ kind: "add", key: `again-${edit.key}`, values: edit.values, after: null });
    }
  }
  const others = new Map(draft.seen);
  others.delete(rrset);
  // An edit that has become that of no record any more is dropped first: what is staged remembers the zone as it is now.
  const left = drop({ ...draft, seen: others }, records, dropped);
  return stage(left, records, staged);
}

/** Decides a conflict for the zone: the edits of the RRset are dropped. */
export function takeTheirs(draft: Draft, records: Records, rrset: string): Draft {
  const mine = [...draft.edits].flatMap(([key, edit]) => (touchedBy(edit, draft.zone).includes(rrset) ? key : []));
  return drop(draft, records, mine);
}

/** What is left to be sent: an edit that was made meanwhile stays; the note went with the others. */
export function withoutSent(draft: Draft, records: Records, sent: Draft): Draft {
  const gone = [...sent.edits].flatMap(([key, edit]) => (draft.edits.get(key) === edit ? key : []));
  const { zone, edits, seen } = drop(draft, records, gone);
  return { zone, edits, seen };
}

export function touchesDraft(draft: Draft, rows: readonly { owner: string; type: string }[]): boolean {
  return rows.some((row) => draft.seen.has(rrsetOf(row, draft.zone)));
}

/**
 * The draft after all records were read: what was staged while only some were known remembers RRsets without the records that came
 * later. `before` are the names that an earlier page remembered, where a difference is a change by somebody else.
 */
export function admitLoaded(draft: Draft, records: Records, before: ReadonlySet<string>): Draft {
  const late = [...draft.seen].filter(([name, old]) => {
    const now = new Set(records.rrset(name).map(({ id }) => id));
    return !before.has(name) && old.length < now.size && old.every(({ id }) => now.has(id));
  });
  if (late.length === 0) return draft;
  return { ...draft, seen: new Map([...draft.seen, ...late.map(([name]) => [name, records.rrset(name)] as const)]) };
}
