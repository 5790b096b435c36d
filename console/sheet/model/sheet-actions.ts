/** What a person does to the rows of a sheet, as steps of its draft. */
import { plainOwner } from "../../parts/text/names.ts";
import { type AddedEdit, drop, remove, stage, write, writeMany } from "../draft/draft.ts";
import { inverse, ownersOf, skippedText, type TakenBack } from "../draft/inverse.ts";
import { keepMine, takeTheirs } from "../draft/rebase.ts";
import type { Column, RowValues } from "../records/row.ts";
import type { SheetRow } from "../view/view.ts";
import type { SheetModel } from "./sheet-model.ts";

/** Adds rows, each where the zone would have it, and writes into others, in one step; returns the keys of those that were added. */
export function addRows(
  model: SheetModel,
  rows: readonly RowValues[],
  written: readonly (readonly [key: string, values: RowValues])[] = [],
): string[] {
  const keyed = rows.map((values) => ({ key: `new-${crypto.randomUUID()}`, values }));
  model.change((draft, records) => {
    const placeOf = ({ owner, type, rdata }: RowValues) =>
      records.placeOf({ owner: plainOwner(owner, records.zone), type, ttl: 0, rdata });
    const added = keyed.map((row): AddedEdit => ({ kind: "add", ...row, after: placeOf(row.values) }));
    return stage(writeMany(draft, records, written), records, added);
  });
  return keyed.map(({ key }) => key);
}

/** Writes one cell; a type is written in capitals. */
export function writeCell(model: SheetModel, row: SheetRow, column: Column, text: string): void {
  const written = column === "type" ? text.trim().toUpperCase() : text.trim();
  // Without an owner it is the apex.
  const value = column === "owner" && written === "" ? "@" : written;
  if (row.state === "removed" || value !== row.values[column])
    model.change((draft, records) => write(draft, records, row.key, { ...row.values, [column]: value }));
}

/** Removes rows, or brings them back where all of them are removed already. */
export function removeRows(model: SheetModel, keys: readonly string[]): void {
  const isRemoved = (key: string) => model.draft.edits.get(key)?.kind === "remove";
  model.change((draft, records) => (keys.every(isRemoved) ? drop(draft, records, keys) : remove(draft, records, keys)));
}

export function revertRows(model: SheetModel, keys: readonly string[]): void {
  model.change((draft, records) => drop(draft, records, keys));
}

/** Writes values into each of the rows; its other values stay. */
export function writeRows(
  model: SheetModel,
  rows: readonly SheetRow[],
  written: (row: SheetRow) => Partial<RowValues>,
): void {
  // A TTL that moves with another row's is not written.
  const ttlOf = ({ state, stored, values }: SheetRow) =>
    state === "moved" && stored ? String(stored.ttl) : values.ttl;
  const all = rows.map((row) => [row.key, { ...row.values, ttl: ttlOf(row), ...written(row) }] as const);
  model.change((draft, records) => writeMany(draft, records, all));
}

export function decide(model: SheetModel, rrset: string, isMine: boolean): void {
  model.change((draft, records) => (isMine ? keepMine : takeTheirs)(draft, records, rrset));
}

/** Stages the inverse of a change and opens its review; returns whether anything was staged. Throws what the service throws. */
export async function takeBack(model: SheetModel, { id, note: suggested, lines }: TakenBack): Promise<boolean> {
  await model.large.readOwners(ownersOf(lines));
  model.closeReview();
  const before = model.draft;
  let skipped = 0;
  model.change((draft, records) => {
    const result = inverse(draft, records, lines);
    skipped = result.skipped;
    if (result.draft === draft) return draft;
    const isAll = draft.edits.size === 0 && skipped === 0;
    const note = draft.note || suggested;
    return { ...result.draft, note, ...(isAll && id !== undefined && { undoes: id }) };
  });
  if (model.draft === before) return false;
  await model.openReview(skippedText(skipped));
  return true;
}
