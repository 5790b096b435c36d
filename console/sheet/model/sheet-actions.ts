/** What a person does to the rows of a sheet, as steps of its draft. */
import { add, drop, remove, stage, write, writeMany } from "../draft/draft.ts";
import { inverse, ownersOf, skippedText, type TakenBack } from "../draft/inverse.ts";
import { keepMine, takeTheirs } from "../draft/rebase.ts";
import { type Column, type RowValues, valuesOf } from "../records/row.ts";
import type { SheetRow } from "../view/view.ts";
import type { SheetModel } from "./sheet-model.ts";

const newKey = () => `new-${crypto.randomUUID()}`;

export const emptyValues: RowValues = { owner: "", type: "", ttl: "", rdata: "" };

/** Adds rows below one, and returns their keys. */
export function addRows(model: SheetModel, after: string | null, rows: readonly RowValues[]): string[] {
  const keyed = rows.map((values) => ({ key: newKey(), values }));
  model.change((draft, records) => add(draft, records, after, keyed));
  return keyed.map(({ key }) => key);
}

/** Writes one cell; a type is written in capitals. */
export function writeCell(model: SheetModel, row: SheetRow, column: Column, text: string): void {
  const written = column === "type" ? text.trim().toUpperCase() : text.trim();
  // Without an owner it is the apex, unless the row is not finished.
  const value = column === "owner" && written === "" && row.state !== "added" ? "@" : written;
  const shown =
    column === "ttl" && row.state === "moved" ? { ...row.values, ttl: String(row.stored?.ttl) } : row.values;
  if (row.state === "removed" || value !== row.values[column])
    model.change((draft, records) => write(draft, records, row.key, { ...shown, [column]: value }));
}

/** Whether nothing was written into a new row. */
export const isBlank = ({ state, values }: SheetRow) =>
  state === "added" && values.owner.trim() === "" && values.rdata.trim() === "";

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
  model.change((draft, records) =>
    writeMany(
      draft,
      records,
      rows.map((row) => {
        const ttl = row.state === "moved" && row.stored ? valuesOf(row.stored).ttl : row.values.ttl;
        return [row.key, { ...row.values, ttl, ...written(row) }] as const;
      }),
    ),
  );
}

/** Adds a copy of each row below it, and returns the keys of the copies. */
export function duplicateRows(model: SheetModel, rows: readonly SheetRow[]): string[] {
  const copies = rows.map(({ key, values }) => ({ kind: "add" as const, key: newKey(), values, after: key }));
  model.change((draft, records) => stage(draft, records, copies));
  return copies.map(({ key }) => key);
}

export function decide(model: SheetModel, rrset: string, isMine: boolean): void {
  model.change((draft, records) => (isMine ? keepMine : takeTheirs)(draft, records, rrset));
}

/** Stages the inverse of a change and opens its review; returns whether anything was staged. Throws what the service throws. */
export async function takeBack(model: SheetModel, { id, serial, lines }: TakenBack): Promise<boolean> {
  await model.large.readOwners(ownersOf(lines));
  model.closeReview();
  const before = model.draft;
  let skipped = 0;
  model.change((draft, records) => {
    const result = inverse(draft, records, lines);
    skipped = result.skipped;
    if (result.draft === draft) return draft;
    const isAll = draft.edits.size === 0 && skipped === 0;
    const note = draft.note || `undo of ${serial}`;
    return { ...result.draft, note, ...(isAll && id !== undefined && { undoes: id }) };
  });
  if (model.draft === before) return false;
  await model.openReview(skippedText(skipped));
  return true;
}
