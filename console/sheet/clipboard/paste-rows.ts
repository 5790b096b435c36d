/**
 * Stages what was pasted, in one step: what is new, and what is refused at its row, so that it can be corrected there. What the zone has
 * already is counted and left out.
 */
import type { RecordField } from "../../api/record-types.ts";
import { Refused } from "../../api/run.ts";
import type { DifferenceRow } from "../../difference/difference.ts";
import { addRows } from "../model/sheet-actions.ts";
import type { SheetModel } from "../model/sheet-model.ts";
import { type Column, type RowValues, valuesOf } from "../records/row.ts";
import type { SheetService } from "../records/sheet-service.ts";
import { fieldCountOf, readLines, readPaste, rowOfLine, wholeLines, withoutLines } from "./paste.ts";
import { completed, isForeign, relativeNames } from "./relative-names.ts";

/** As many rows as one change takes; more are an import. */
const maxPasted = 1000;

export type PasteResult =
  | { readonly kind: "nothing" }
  | { readonly kind: "too many"; readonly count: number }
  | {
      readonly kind: "staged";
      /** The rows that were added, and those that were written into. */
      readonly keys: readonly string[];
      readonly written: number;
      readonly present: number;
      /** What was completed or left out, as sentences. */
      readonly warnings: readonly string[];
    };

const nothing: PasteResult = { kind: "nothing" };

/** The fields of the data of a type; undefined for a type that is not known. */
export type FieldsOf = (type: string) => readonly RecordField[] | undefined;

/** The cells that values are pasted into: one column of these rows. */
export interface Cells {
  readonly rows: readonly { readonly key: string; readonly values: RowValues }[];
  readonly column: Column;
}

interface Pasting {
  readonly model: SheetModel;
  readonly service: SheetService;
  readonly fieldsOf: FieldsOf;
}

/** Pastes text. Throws what the service throws. */
export async function pasteText(pasting: Pasting, text: string, cells: Cells): Promise<PasteResult> {
  const pasted = readPaste(text, (type) => fieldCountOf(pasting.fieldsOf(type)));
  if (pasted.kind === "file") return pasteFile(pasting, pasted.lines);
  if (pasted.kind === "values") return pasteValues(pasting, pasted.lines, cells);
  if (pasted.rows.length > maxPasted) return { kind: "too many", count: pasted.rows.length };
  const { values, warnings } =
    pasted.kind === "lines" ? completeRows(pasting, pasted.rows) : { values: pasted.rows, warnings: [] };
  return pasteRows(pasting, values, warnings);
}

/** The rows with their relative names completed, and what was completed. */
function completeRows({ model, fieldsOf }: Pasting, rows: readonly RowValues[]) {
  const all = rows.map((values) => completed(values, fieldsOf(values.type) ?? [], model.zone));
  return { values: all.map(({ values }) => values), warnings: all.flatMap(({ warnings }) => warnings) };
}

const check = ({ model }: Pasting, rows: readonly RowValues[]) =>
  model.checks.checkRows(rows, new AbortController().signal);

async function pasteRows(
  pasting: Pasting,
  values: readonly RowValues[],
  warnings: readonly string[],
): Promise<PasteResult> {
  const { model } = pasting;
  const checks = await check(pasting, values);
  await model.large.readOwners(checks.flatMap(({ canonical }) => canonical?.owner ?? []));
  const identities = new Set<string>();
  const fresh = values.filter((_, at) => {
    const canonical = checks[at]?.canonical;
    if (!canonical) return true;
    const { owner, type, rdata } = canonical;
    const identity = `${owner} ${type} ${rdata}`;
    const isRepeated = identities.has(identity) || isStaged(model, canonical);
    identities.add(identity);
    return !isRepeated && type !== "SOA" && !model.records.withData(canonical);
  });
  return stage(model, fresh, [], values.length - fresh.length, warnings);
}

/** Whether such a row is staged already, as when the same text is pasted twice. */
function isStaged(model: SheetModel, { owner, type, rdata }: DifferenceRow): boolean {
  return [...model.draft.edits.values()].some((edit) => {
    const row = edit.kind === "add" ? model.checks.of(edit.values)?.canonical : undefined;
    return row?.owner === owner && row.type === type && row.rdata === rdata;
  });
}

function stage(
  model: SheetModel,
  fresh: readonly RowValues[],
  written: readonly (readonly [key: string, values: RowValues])[],
  present: number,
  warnings: readonly string[],
): PasteResult {
  const added = fresh.length + written.length > 0 ? addRows(model, fresh, written) : [];
  return {
    kind: "staged",
    keys: [...added, ...written.map(([key]) => key)],
    written: written.length,
    present,
    warnings,
  };
}

/** Values fill the selected cells in their order, the only one all of them; at one cell of data they are records of its name and type. */
async function pasteValues(pasting: Pasting, lines: readonly string[], { rows, column }: Cells): Promise<PasteResult> {
  const [first] = rows;
  if (!first || lines.length === 0 || (rows.length === 1 && column !== "rdata")) return nothing;
  const fills = rows.length > 1;
  const filled = fills ? rows.slice(0, lines.length === 1 ? rows.length : lines.length) : lines.map(() => first);
  const values = filled.map((row, at) => ({
    ...row.values,
    ...(!fills && { ttl: "" }),
    [column]: lines.length === 1 ? lines[0] : lines[at],
  })) as RowValues[];
  const checks = await check(pasting, values);
  if (!checks.some(({ canonical }) => canonical)) return nothing;
  if (!fills) return pasteRows(pasting, values, []);
  return stage(
    pasting.model,
    [],
    filled.map(({ key }, at) => [key, values[at] as RowValues] as const),
    0,
    [],
  );
}

/** Makes rows of names in another zone rows of such names in this one. */
export function makeRelative(model: SheetModel, keys: readonly string[]): void {
  const rows = keys.flatMap((key) => {
    const edit = model.draft.edits.get(key);
    return edit && edit.kind !== "remove" && isForeign(edit.values.owner, model.zone)
      ? [[key, edit.values] as const]
      : [];
  });
  const names = relativeNames(rows.map(([, { owner }]) => owner));
  addRows(
    model,
    [],
    rows.map(([key, values], at) => [key, { ...values, owner: names[at] ?? values.owner }]),
  );
}

type FileResult = Awaited<ReturnType<SheetService["readFile"]>>;

/** Reads a master file without the lines that the service refuses. It names faults of one kind at a time: the rest is read again. */
async function readGood(
  pasting: Pasting,
  lines: readonly string[],
  bad: ReadonlySet<number> = new Set(),
): Promise<{ result: FileResult; refused: readonly RowValues[] }> {
  const { model, service, fieldsOf } = pasting;
  const rowOf = (line: number) => rowOfLine(lines, line, (type) => fieldCountOf(fieldsOf(type)));
  try {
    const result = await service.readFile(model.zone, withoutLines(lines, bad));
    return { result, refused: [...bad].flatMap((line) => rowOf(line) ?? []) };
  } catch (error) {
    const numbers = error instanceof Refused ? error.reasons.flatMap(({ line }) => line ?? []) : [];
    if (numbers.length === 0 || numbers.some((line) => bad.has(line) || !rowOf(line))) throw error;
    return readGood(pasting, lines, new Set([...bad, ...numbers]));
  }
}

/** A whole master file is read by the service. Lines that it refuses are staged as they are, with their reasons. */
async function pasteFile(pasting: Pasting, lines: readonly string[]): Promise<PasteResult> {
  const { model, fieldsOf } = pasting;
  const { result, refused } = await readGood(pasting, lines);
  const changed = result.addedCount + refused.length;
  if (changed > maxPasted) return { kind: "too many", count: changed };
  const added = result.added.filter(({ type }) => type !== "SOA");
  await model.large.readOwners(added.map(({ owner }) => owner));
  // A record that is there with another TTL is changed, not added.
  const retimed = added.flatMap((row) => {
    const stored = model.records.withData(row);
    return stored ? [[stored.id, { ...valuesOf(stored), ttl: String(row.ttl) }] as const] : [];
  });
  const fresh = added.filter((row) => !model.records.withData(row) && !isStaged(model, row)).map(valuesOf);
  const isOfZone = !lines.some((line) => /^\$ORIGIN\s/i.test(line));
  const { values, warnings } = isOfZone ? completeRows(pasting, refused) : { values: refused, warnings: [] };
  const records = wholeLines(lines).filter((line) => !line.startsWith("$"));
  const fieldCount = (type: string) => fieldCountOf(fieldsOf(type));
  const count = readLines(records, fieldCount).filter(({ type }) => type !== "SOA").length;
  const leftOut = result.notices.filter(({ code }) => code === "LEFT_OUT").length;
  const present = Math.max(0, count - fresh.length - retimed.length - refused.length - leftOut);
  return stage(model, [...fresh, ...values], retimed, present, [
    ...warnings,
    ...result.notices.map(({ message }) => message),
  ]);
}
