/**
 * A template as it is written in a form: rows that are known by a key while they are moved about.
 */
import type { VariableKind } from "../api/generated/graphql.ts";
import type { RowValues } from "../sheet/records/row.ts";
import type { ShownTemplate } from "./queries.ts";

export interface VariableRow extends Readonly<Record<"name" | "default" | "description", string>> {
  readonly key: number;
  readonly kind: VariableKind;
}

export interface RecordRow extends RowValues {
  readonly key: number;
}

export interface Draft {
  readonly name: string;
  readonly description: string;
  readonly variables: readonly VariableRow[];
  readonly records: readonly RecordRow[];
}

let keys = 0;

export const newVariable = (): VariableRow => ({ key: keys++, name: "", kind: "IPV4", default: "", description: "" });
export const newRecord = (): RecordRow => ({ key: keys++, owner: "", type: "", ttl: "", rdata: "" });

/** The form of a template; of a new one, with a row to begin with. */
export function draftOf(template: ShownTemplate | undefined): Draft {
  if (!template) return { name: "", description: "", variables: [], records: [newRecord()] };
  const { name, description, variables, records } = template;
  return {
    name,
    description,
    variables: variables.map((each) => ({ ...newVariable(), ...each, default: each.default ?? "" })),
    records: records.map((each) => ({ ...newRecord(), ...each, ttl: String(each.ttl ?? "") })),
  };
}

const isEmpty = ({ owner, type, ttl, rdata }: RecordRow) =>
  [owner, type, ttl, rdata].every((text) => text.trim() === "");

/** The rows with others below one, or in its place where nothing is written in it. */
export const withPasted = (records: readonly RecordRow[], at: number, pasted: readonly RowValues[]): RecordRow[] =>
  records.flatMap((row, place) =>
    place !== at ? row : [...(isEmpty(row) ? [] : [row]), ...pasted.map((values) => ({ ...newRecord(), ...values }))],
  );

export const writtenRecords = (records: readonly RecordRow[]) => records.filter((record) => !isEmpty(record));

/** What is saved; a record without an owner is at the apex. */
export function contentOf({ name, description, variables, records }: Draft) {
  return {
    name: name.trim(),
    description: description.trim(),
    variables: variables.map(({ key: _, ...variable }) => ({
      ...variable,
      name: variable.name.trim().replace(/^\$\{(.*)\}$/, "$1"),
      default: variable.default.trim() === "" ? null : variable.default.trim(),
    })),
    records: writtenRecords(records).map(({ owner, type, ttl, rdata }) => ({
      owner: owner.trim() || "@",
      type: type.trim().toUpperCase(),
      ttl: ttl.trim() === "" ? null : Number(ttl),
      rdata: rdata.trim(),
    })),
  };
}

/** The fields of the rows, as refusals name them. */
export const fieldsOf = ({ variables, records }: Draft): string[] => [
  ...variables.flatMap((_, at) =>
    ["name", "kind", "default", "description"].map((field) => `variables.${at}.${field}`),
  ),
  ...writtenRecords(records).flatMap((_, at) =>
    ["", ".owner", ".type", ".ttl", ".rdata"].map((field) => `records.${at}${field}`),
  ),
];
