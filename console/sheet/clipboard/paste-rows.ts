/**
 * Stages what was pasted: what is new, and what is refused at its row, so that it can be corrected there. What the zone has already is
 * counted and left out.
 */
import type { RecordField } from "../../api/record-types.ts";
import type { DifferenceRow } from "../../difference/difference.ts";
import { counted } from "../../parts/text/counted.ts";
import { writeMany } from "../draft/draft.ts";
import { addRows } from "../model/sheet-actions.ts";
import type { SheetModel } from "../model/sheet-model.ts";
import { type RowValues, valuesOf } from "../records/row.ts";
import { type FileResult, isRefusal, type SheetService } from "../records/sheet-service.ts";
import { fieldCountOf, type PastedRow, readPaste, rowOfLine, withoutLines } from "./paste.ts";
import { completed } from "./relative-names.ts";

/** As many rows as one change takes; more are an import. */
const maxPasted = 1000;

interface PasteResult {
  readonly keys: readonly string[];
  /** Rows that the zone has already. */
  readonly present: number;
  /** More rows than a change takes. */
  readonly isTooMany: boolean;
  readonly sentence: string;
  /** What the service says of lines that it left out or corrected. */
  readonly warnings?: readonly string[];
}

/** The fields of the data of a type; none for a type that is not known. */
export type FieldsOf = (type: string) => readonly RecordField[];

/** The rows as the sheet takes them, and what was completed in them. */
function completeRows(rows: readonly PastedRow[], fieldsOf: FieldsOf, zone: string) {
  const all = rows.map(({ values, isMasterLine }) =>
    isMasterLine ? completed(values, fieldsOf(values.type), zone) : { values, warnings: [] },
  );
  return { values: all.map(({ values }) => values), warnings: all.flatMap(({ warnings }) => warnings) };
}

/** Pastes text. Throws what the service throws. */
export async function pasteText(
  model: SheetModel,
  service: SheetService,
  text: string,
  fieldsOf: FieldsOf,
): Promise<PasteResult> {
  const pasted = readPaste(text, (type) => fieldCountOf(fieldsOf(type)));
  const result =
    pasted.kind === "file"
      ? await pasteFile(model, service, text, fieldsOf)
      : pasted.rows.length > maxPasted
        ? tooMany(pasted.rows.length)
        : await pasteRows(model, pasted.rows, fieldsOf);
  return pasted.hasComments && !result.isTooMany
    ? { ...result, sentence: `${result.sentence} Comments are not kept.` }
    : result;
}

const tooMany = (count: number): PasteResult => ({
  keys: [],
  present: 0,
  isTooMany: true,
  sentence: `${counted(count, "row")} are more than the ${maxPasted} of one change; import them as a file.`,
});

async function pasteRows(model: SheetModel, rows: readonly PastedRow[], fieldsOf: FieldsOf): Promise<PasteResult> {
  const { values, warnings } = completeRows(rows, fieldsOf, model.zone);
  const checks = await model.checks.checkRows(values, new AbortController().signal);
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
  return { ...staged(model, fresh, values.length - fresh.length), warnings };
}

/** Whether such a row is staged already, as when the same text is pasted twice. */
function isStaged(model: SheetModel, { owner, type, rdata }: DifferenceRow): boolean {
  return [...model.draft.edits.values()].some((edit) => {
    const row = edit.kind === "add" ? model.checks.of(edit.values)?.canonical : undefined;
    return row?.owner === owner && row.type === type && row.rdata === rdata;
  });
}

function staged(model: SheetModel, fresh: readonly RowValues[], present: number): PasteResult {
  const keys = fresh.length > 0 ? addRows(model, fresh) : [];
  const already = present > 0 ? `; ${present} ${present === 1 ? "is" : "are"} there already` : "";
  return { keys, present, isTooMany: false, sentence: `${counted(fresh.length, "row")} pasted${already}.` };
}

/** A whole master file is read by the service. Lines that it refuses are staged as they are, with their reasons. */
async function pasteFile(
  model: SheetModel,
  service: SheetService,
  text: string,
  fieldsOf: FieldsOf,
): Promise<PasteResult> {
  let result: FileResult;
  let refused: PastedRow[] = [];
  try {
    result = await service.readFile(model.zone, text);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const lines = new Set(error.reasons.flatMap(({ line }) => line ?? []));
    refused = [...lines].flatMap((line) => rowOfLine(text, line, (type) => fieldCountOf(fieldsOf(type))) ?? []);
    if (refused.length === 0 || refused.length < lines.size) throw error;
    result = await service.readFile(model.zone, withoutLines(text, lines));
  }
  if (result.addedCount + refused.length > maxPasted) return tooMany(result.addedCount + refused.length);
  const added = result.added.filter(({ type }) => type !== "SOA");
  await model.large.readOwners(added.map(({ owner }) => owner));
  // A record that is there with another TTL is changed, not added.
  const retimed = added.flatMap((row) => {
    const stored = model.records.withData(row);
    return stored ? [{ row, stored }] : [];
  });
  const written = retimed.map(({ row, stored }) => [stored.id, { ...valuesOf(stored), ttl: String(row.ttl) }] as const);
  if (written.length > 0) model.change((draft, records) => writeMany(draft, records, written));
  const fresh = added.filter((row) => !model.records.withData(row)).map(valuesOf);
  const { values, warnings } = completeRows(refused, fieldsOf, model.zone);
  const pasted = staged(model, [...fresh, ...values], 0);
  const keys = [...pasted.keys, ...retimed.map(({ stored }) => stored.id)];
  const ttls = retimed.length > 0 ? ` ${counted(retimed.length, "TTL")} changed.` : "";
  return {
    ...pasted,
    keys,
    sentence: `${pasted.sentence}${ttls}`,
    warnings: [...warnings, ...result.notices.map(({ message }) => message)],
  };
}
