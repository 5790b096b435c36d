/**
 * A draft: the edits of one zone that are staged and not sent. It is never changed, only replaced, so that a step back is an earlier
 * draft. With its edits it keeps the RRsets they touch, as they were when the first of them was made: what differs from that later is a
 * change by somebody else (rebase.ts).
 */
import type { Records } from "../records/records.ts";
import { isSameValues, parseTtl, type RowValues, rrsetOf, type StoredRow, valuesOf } from "../records/row.ts";

/** As many edits of each kind as one change takes. */
export const maxEdits = 1000;

export const isTooLarge = (draft: Draft) => Object.values(countEdits(draft)).some((count) => count > maxEdits);

/** A new row; `after` is the key of the row that it was made below, null at the top. */
export interface AddedEdit {
  readonly kind: "add";
  readonly key: string;
  readonly values: RowValues;
  readonly after: string | null;
}

/** A stored record with other values; the key is its id. */
export interface ChangedEdit {
  readonly kind: "change";
  readonly key: string;
  readonly before: StoredRow;
  readonly values: RowValues;
}

interface RemovedEdit {
  readonly kind: "remove";
  readonly key: string;
  readonly before: StoredRow;
}

export type Edit = AddedEdit | ChangedEdit | RemovedEdit;

export interface Draft {
  readonly zone: string;
  /** In the order in which they were made. */
  readonly edits: ReadonlyMap<string, Edit>;
  /** The touched RRsets, by name, as they were. */
  readonly seen: ReadonlyMap<string, readonly StoredRow[]>;
  readonly note?: string;
  /** The id of the change that the draft undoes, all of it and nothing else: the next edit makes it another. */
  readonly undoes?: string;
  readonly begun?: string;
}

export function emptyDraft(zone: string): Draft {
  return { zone, edits: new Map(), seen: new Map() };
}

export function touchedBy(edit: Edit, zone: string): string[] {
  const names = [];
  if (edit.kind !== "add") names.push(rrsetOf(edit.before, zone));
  if (edit.kind !== "remove") names.push(rrsetOf(edit.values, zone));
  return [...new Set(names)];
}

/** The TTL that an edit gives to its RRset, as it was written; undefined when it leaves the TTL as it is. */
export function givenTtl(edit: Edit): string | undefined {
  if (edit.kind === "remove" || edit.values.ttl.trim() === "") return undefined;
  return edit.kind === "change" && edit.values.ttl === String(edit.before.ttl) ? undefined : edit.values.ttl;
}

/** The draft with these edits in place of those of the same keys. A TTL that one gives becomes that of its RRset in all staged edits. */
export function stage(draft: Draft, records: Records, staged: readonly Edit[]): Draft {
  const edits = new Map(draft.edits);
  const ttls = new Map<string, string>();
  for (const edit of staged) {
    if (edit.kind === "change" && isSameValues(edit.values, valuesOf(edit.before))) edits.delete(edit.key);
    else edits.set(edit.key, edit);
    const ttl = givenTtl(edit);
    if (ttl !== undefined && edit.kind !== "remove") ttls.set(rrsetOf(edit.values, draft.zone), ttl);
  }
  if (ttls.size > 0) moveTtls(edits, ttls, draft.zone);
  return settled(draft, edits, records);
}

/** An RRset has one TTL: edits that gave theirs another are given the last one. */
function moveTtls(edits: Map<string, Edit>, ttls: ReadonlyMap<string, string>, zone: string): void {
  for (const [key, edit] of edits) {
    if (givenTtl(edit) === undefined || edit.kind === "remove") continue;
    const ttl = ttls.get(rrsetOf(edit.values, zone));
    if (ttl === undefined || edit.values.ttl === ttl || parseTtl(edit.values.ttl) === parseTtl(ttl)) continue;
    const moved: Edit = { ...edit, values: { ...edit.values, ttl } };
    if (moved.kind === "change" && isSameValues(moved.values, valuesOf(moved.before))) edits.delete(key);
    else edits.set(key, moved);
  }
}

export function drop(draft: Draft, records: Records, keys: Iterable<string>): Draft {
  const edits = new Map(draft.edits);
  for (const key of keys) edits.delete(key);
  return edits.size === draft.edits.size ? draft : settled(draft, edits, records);
}

/** The draft with other edits: RRsets that are touched for the first time are remembered as they are now. */
function settled(draft: Draft, edits: ReadonlyMap<string, Edit>, records: Records): Draft {
  const rrsets = new Map<string, readonly StoredRow[]>();
  for (const edit of edits.values())
    for (const name of touchedBy(edit, draft.zone))
      if (!rrsets.has(name)) rrsets.set(name, draft.seen.get(name) ?? records.rrset(name).map(plain));
  if (edits.size === 0) return emptyDraft(draft.zone);
  const { zone, note, begun = new Date().toISOString() } = draft;
  return { zone, edits, seen: rrsets, begun, ...(note !== undefined && { note }) };
}

const plain = ({ id, owner, type, ttl, rdata }: StoredRow): StoredRow => ({ id, owner, type, ttl, rdata });

/** Writes values into a row, new or stored; a row that is as it was before is not staged any more. */
export function write(draft: Draft, records: Records, key: string, values: RowValues): Draft {
  return writeMany(draft, records, [[key, values]]);
}

export function writeMany(draft: Draft, records: Records, rows: readonly (readonly [string, RowValues])[]): Draft {
  const edits = rows.flatMap(([key, values]): Edit[] => {
    const edit = draft.edits.get(key);
    if (edit?.kind === "add") return [{ ...edit, values }];
    const before = edit?.before ?? records.get(key);
    return before ? [{ kind: "change", key, before: plain(before), values }] : [];
  });
  return stage(draft, records, edits);
}

/** Removes rows: stored ones are staged to go, new ones are not staged any more. */
export function remove(draft: Draft, records: Records, keys: Iterable<string>): Draft {
  const added: string[] = [];
  const removed: Edit[] = [];
  for (const key of keys) {
    const edit = draft.edits.get(key);
    if (edit?.kind === "add") added.push(key);
    else {
      const before = edit?.before ?? records.get(key);
      if (before) removed.push({ kind: "remove", key, before: plain(before) });
    }
  }
  return stage(drop(draft, records, added), records, removed);
}

/** Adds rows below the one of this key, in their order; `keys` are new ones, as many as the values. */
export function add(
  draft: Draft,
  records: Records,
  after: string | null,
  rows: readonly { readonly key: string; readonly values: RowValues }[],
): Draft {
  let above = after;
  const edits = rows.map(({ key, values }): Edit => {
    const edit: Edit = { kind: "add", key, values, after: above };
    above = key;
    return edit;
  });
  return stage(draft, records, edits);
}

/** How many records that have no edit are given another TTL by one of their RRset (RFC 2181 §5.2). */
export function countMoved({ zone, edits, seen }: Draft): number {
  const ttls = new Map<string, number>();
  for (const edit of edits.values()) {
    const ttl = parseTtl(givenTtl(edit) ?? "");
    if (edit.kind !== "remove" && ttl !== undefined) ttls.set(rrsetOf(edit.values, zone), ttl);
  }
  const isMoved = (name: string, { id, ttl }: StoredRow) => !edits.has(id) && ttls.get(name) !== ttl;
  return [...ttls.keys()].reduce(
    (sum, name) => sum + (seen.get(name) ?? []).filter((row) => isMoved(name, row)).length,
    0,
  );
}

/** How many rows of a sheet a draft makes others. */
export const countStaged = (draft: Draft): number => draft.edits.size + countMoved(draft);

export function countEdits(draft: Draft) {
  const kinds = Map.groupBy(draft.edits.values(), ({ kind }) => kind);
  const count = (kind: Edit["kind"]) => kinds.get(kind)?.length ?? 0;
  return { added: count("add"), changed: count("change"), removed: count("remove") };
}

export const hiddenWords = (count: number) =>
  `${count} of your edits ${count === 1 ? "is" : "are"} hidden by the filter.`;
