/** What is written in the form of one row, or of several: fields that differ stay as they are unless they are written. */
import { type RecordField, type RecordTypeInfo, type RecordTypes, typeNamed } from "../../api/record-types.ts";
import { fieldLabel, type Problem } from "../apply/sentences.ts";
import { fieldCountOf, rowOfText } from "../clipboard/paste.ts";
import type { Column, RowValues } from "../records/row.ts";
import type { SheetRow } from "../view/view.ts";
import { type FieldTexts, isOneWord, isText, joinFields, splitFields } from "./form-fields.ts";

/** What was written; what is absent was not. */
export interface FormState {
  readonly values: Partial<RowValues>;
  /** Fields of the data, by name; they take precedence over a text that was written before them. */
  readonly fields: FieldTexts;
}

export const untouched: FormState = { values: {}, fields: {} };

/** The row of a record that is being written and not staged. */
export const newRow: SheetRow = {
  key: "new",
  state: "added",
  stored: undefined,
  before: undefined,
  values: { owner: "", type: "", ttl: "", rdata: "" },
  ttl: 3600,
};

/** A value that all rows share; undefined where they differ. */
function shared(texts: readonly string[]): string | undefined {
  return texts.every((text) => text === texts[0]) ? texts[0] : undefined;
}

/** What a cell of the form shows: what was written, or what the rows share; undefined says "various". */
export function shownValue(state: FormState, rows: readonly SheetRow[], column: Column): string | undefined {
  return state.values[column] ?? shared(rows.map(({ values }) => values[column]));
}

export function shownField(state: FormState, rows: readonly SheetRow[], fields: readonly RecordField[], name: string) {
  return state.fields[name] ?? shared(rows.map((row) => splitFields(textOf(state, row), fields)[name] ?? ""));
}

const textOf = ({ values }: FormState, row: SheetRow) => values.rdata ?? row.values.rdata;

export function writtenRdata(state: FormState, row: SheetRow, fields: readonly RecordField[]): string {
  const text = textOf(state, row);
  if (Object.keys(state.fields).length === 0) return text;
  return joinFields({ ...splitFields(text, fields), ...state.fields }, fields);
}

/**
 * The field whose value keeps the others from their places in the text: it is missing, or is more than one. Undefined where the data was
 * written as a text, or not at all.
 */
export function gapOf(state: FormState, row: SheetRow, fields: readonly RecordField[]): Problem | undefined {
  if (Object.keys(state.fields).length === 0 || isText(fields)) return undefined;
  const values = { ...splitFields(textOf(state, row), fields), ...state.fields };
  const texts = fields.map(({ name }) => (values[name] ?? "").trim());
  const last = texts.findLastIndex((text) => text !== "");
  const at = fields.findIndex(({ quoted, optional, form }, index) => {
    if (quoted && form !== "TEXTS") return false;
    if (texts[index] === "") return !optional || index < last;
    return index < fields.length - 1 && !isOneWord(texts[index] ?? "");
  });
  const field = fields[at];
  if (last < 0 || !field) return undefined;
  const is = texts[at] === "" ? "is missing" : `is "${texts[at]}"`;
  return { column: "rdata", part: field.name, message: `${fieldLabel(field.name)} ${is}; write ${field.range}.` };
}

export function writeValue<State extends FormState>(state: State, column: Column, text: string): State {
  return { ...state, values: { ...state.values, [column]: text }, fields: column === "rdata" ? {} : state.fields };
}

export function writeField<State extends FormState>(state: State, name: string, text: string): State {
  return { ...state, fields: { ...state.fields, [name]: text } };
}

const shapeOf = ({ fields }: RecordTypeInfo) => fields.map(({ form, kind }) => `${form} ${kind}`).join();

/** The state after a type was written; data of a type with other fields is emptied. */
export function writeType<State extends FormState>(
  state: State,
  type: string,
  before: RecordTypeInfo | undefined,
  after: RecordTypeInfo | undefined,
): State {
  const isKept = !before || (after && shapeOf(before) === shapeOf(after));
  return writeValue(isKept ? state : writeValue(state, "rdata", ""), "type", type);
}

/** The state after a whole value was pasted into a field: it is spread over the fields. Undefined where it is one value. */
export function spread<State extends FormState>(state: State, text: string, fields: readonly RecordField[]) {
  const values = splitFields(text.trim(), fields);
  const filled = fields.filter(({ name }) => values[name]).length;
  return fields.length > 1 && filled === fields.length ? { ...state, fields: values } : undefined;
}

/** What is written by the whole line of a record; undefined where it is another text, or a quote is still open. */
export function writtenLine(text: string, types: RecordTypes): FormState | undefined {
  if (text.split('"').length % 2 === 0) return undefined;
  const values = rowOfText(text, (type) => fieldCountOf(typeNamed(types, type)?.fields));
  return values && { values, fields: {} };
}
