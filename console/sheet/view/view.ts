/**
 * The rows that a sheet shows, in their order: records in natural order or sorted by a column, with what is staged over them. A new row
 * is where the zone would have it, whatever filter or sort is on; a changed row stays where its record was.
 */
import { plainOwner } from "../../parts/text/names.ts";
import type { AddedEdit, Draft, Edit } from "../draft/draft.ts";
import type { Outcome } from "../draft/outcome.ts";
import { compareOrder, naturalKey, type OrderedRow, ordered } from "../records/natural-order.ts";
import type { Records } from "../records/records.ts";
import { type Column, type RowValues, type StoredRow, ttlWords, valuesOf } from "../records/row.ts";
import { type Filter, matcher } from "./filter.ts";

type RowState = "stored" | "added" | "changed" | "removed" | "moved";

export interface SheetRow {
  readonly key: string;
  readonly state: RowState;
  /** The record as it is stored; undefined for a new row, and for one whose record is gone. */
  readonly stored: StoredRow | undefined;
  /** The record as it was when its edit was staged. */
  readonly before: StoredRow | undefined;
  readonly values: RowValues;
  /** The TTL that the row will have, seconds. */
  readonly ttl: number;
}

export interface Sort {
  readonly column: Column;
  readonly descending: boolean;
}

export interface View {
  readonly rows: readonly SheetRow[];
  /** Staged rows that the filter does not show. */
  readonly hiddenStaged: number;
}

/** What a view is made of. `wrong` are the keys of refused rows. */
interface ViewOptions {
  readonly filter: Filter;
  readonly sort: Sort | undefined;
  readonly outcome: Outcome;
  readonly wrong: ReadonlySet<string>;
  readonly defaultTtl: number;
}

function editedRow(edit: Edit, stored: StoredRow | undefined, { outcome, defaultTtl }: ViewOptions): SheetRow {
  const { key } = edit;
  if (edit.kind === "add") {
    const ttl = outcome.ttls.get(key) ?? defaultTtl;
    return { key, state: "added", stored: undefined, before: undefined, values: edit.values, ttl };
  }
  const { before } = edit;
  if (edit.kind === "remove")
    return { key, state: "removed", stored, before, values: valuesOf(before), ttl: before.ttl };
  return { key, state: "changed", stored, before, values: edit.values, ttl: outcome.ttls.get(key) ?? before.ttl };
}

const storedRows = new WeakMap<StoredRow, SheetRow>();

/** The row of a record that is not edited; the same object each time, so that a table need not draw it again. */
function storedRow(record: StoredRow): SheetRow {
  const drawn = storedRows.get(record);
  if (drawn) return drawn;
  const values = valuesOf(record);
  const row: SheetRow = { key: record.id, state: "stored", stored: record, before: undefined, values, ttl: record.ttl };
  storedRows.set(record, row);
  return row;
}

function movedRow(record: StoredRow, ttl: number): SheetRow {
  const values = { ...valuesOf(record), ttl: String(ttl) };
  return { key: record.id, state: "moved", stored: record, before: record, values, ttl };
}

function sorted(rows: readonly OrderedRow[], sort: Sort | undefined): readonly OrderedRow[] {
  if (!sort) return rows;
  const { column, descending } = sort;
  const keyed = rows.map((row) => ({ row, key: column === "ttl" ? row.ttl : naturalKey(row[column]) }));
  const sign = descending ? -1 : 1;
  return keyed.sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0)).map(({ row }) => row);
}

/** New rows against the order of the zone. */
function lastFirst(edits: readonly AddedEdit[], zone: string): AddedEdit[] {
  const placed = edits.map((edit) => {
    const { owner, type, rdata } = edit.values;
    return { ...ordered({ id: edit.key, owner: plainOwner(owner, zone), type, ttl: 0, rdata }), edit };
  });
  return placed.sort((a, b) => compareOrder(b, a)).map(({ edit }) => edit);
}

/** The rows of a sheet. Edited rows whose record is gone come first, where they are seen. */
export function viewOf(records: Records, draft: Draft, options: ViewOptions): View {
  const { filter, outcome, wrong, sort } = options;
  const matches = matcher(filter, records.zone);
  const below = Map.groupBy(
    [...draft.edits.values()].filter((edit): edit is AddedEdit => edit.kind === "add"),
    ({ after }) => after,
  );
  const rows: SheetRow[] = [];
  let hiddenStaged = 0;
  const isShown = (row: SheetRow) =>
    (filter.show !== "wrong" || wrong.has(row.key)) &&
    (filter.show !== "staged" || row.state !== "stored") &&
    (row.state === "added" || matches(row.values) || (row.before !== undefined && matches(row.before)));
  const push = (row: SheetRow) => {
    if (isShown(row)) rows.push(row);
    else if (row.state !== "stored") hiddenStaged++;
  };
  /** Pushes the new rows below a row in their order, each with those below it. */
  const pushBelow = (key: string | null) => {
    const waiting = lastFirst(below.get(key) ?? [], records.zone);
    below.delete(key);
    for (let edit = waiting.pop(); edit; edit = waiting.pop()) {
      push(editedRow(edit, undefined, options));
      waiting.push(...lastFirst(below.get(edit.key) ?? [], records.zone));
      below.delete(edit.key);
    }
  };

  for (const edit of draft.edits.values())
    if (edit.kind !== "add" && !records.get(edit.key)) {
      push(editedRow(edit, undefined, options));
      pushBelow(edit.key);
    }
  // New rows at the top, and those whose place is not in the zone any more.
  for (const key of [...below.keys()]) if (key === null || !(records.get(key) || draft.edits.has(key))) pushBelow(key);
  for (const record of sorted(records.rows, sort)) {
    const edit = draft.edits.get(record.id);
    const ttl = outcome.moved.get(record.id);
    push(edit ? editedRow(edit, record, options) : ttl === undefined ? storedRow(record) : movedRow(record, ttl));
    if (below.has(record.id)) pushBelow(record.id);
  }
  return { rows, hiddenStaged };
}

/** The SOA and NS with which the rows begin; none where one of them is edited. */
export function apexOf(rows: readonly SheetRow[], zone: string): readonly SheetRow[] {
  const isOther = ({ values: { owner, type } }: SheetRow) =>
    plainOwner(owner, zone) !== "@" || !["SOA", "NS"].includes(type.trim().toUpperCase());
  const end = rows.findIndex(isOther);
  const apex = end < 0 ? rows : rows.slice(0, end);
  const isWhole = apex.length > 1 && apex[0]?.values.type === "SOA" && apex.every(({ state }) => state === "stored");
  return isWhole ? apex : [];
}

/** The rows with those of the apex as one, which has the key of the SOA. */
export function folded(rows: readonly SheetRow[], apex: readonly SheetRow[]): readonly SheetRow[] {
  const [soa, ...servers] = apex;
  if (!soa) return rows;
  const rdata = servers.map(({ values }) => values.rdata).join(" ");
  return [{ ...soa, values: { ...soa.values, type: "SOA NS", rdata } }, ...rows.slice(apex.length)];
}

/** What a folded SOA says: `serial 7 · refresh 3 h · negative answers 1 h`. */
export function soaWords({ rdata, ttl }: { readonly rdata: string; readonly ttl: number }): string {
  const [serial, refresh, , , minimum] = rdata.split(" ").slice(2);
  // A negative answer is kept no longer than the SOA itself (RFC 2308 §5).
  const negative = Math.min(ttl, Number(minimum));
  return `serial ${serial} · refresh ${shortWords(Number(refresh))} · negative answers ${shortWords(negative)}`;
}

const shortWords = (seconds: number) => ttlWords(seconds).replace(/(?<= \w)\w+/, "");
