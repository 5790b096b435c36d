/** Expands templates. A value can neither turn one record into several nor end the quoted text around it. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates have placeholders of that form
import { Refusal } from "../errors.ts";
import type { Policy } from "../session/operator-policy.ts";
import type { RecordFields } from "../zone/edit/canonical-record.ts";
import { defaultRecords } from "../zone/lifecycle/default-records.ts";
import { BadTemplate, namesIn, type Piece, readPieces } from "./placeholder.ts";
import { readValue, type VariableKind, type WrittenValue, writtenBoth, writtenName } from "./variable.ts";

/** A variable of a template; without a default, the request must give a value. */
export interface TemplateVariable {
  readonly name: string;
  readonly kind: VariableKind;
  readonly description: string;
  readonly default: string | null;
}

export interface TemplateRecord {
  readonly owner: string;
  readonly type: string;
  readonly ttl: number | null;
  readonly rdata: string;
}

export interface TemplateContent {
  readonly variables: readonly TemplateVariable[];
  readonly records: readonly TemplateRecord[];
}

export interface GivenValue {
  readonly name: string;
  readonly value: string;
}

/** A record of a zone. `at` is the index of the template's record; undefined for an added default record. */
export interface ExpandedRecord extends RecordFields {
  readonly at: number | undefined;
}

/** The variables that every template has without declaring them. */
export const builtIns: readonly string[] = ["zone", "zone.dashed", "hostmaster", "serial", "nameServer"];

/** Returns all variables' values. Throws INVALID_VALUE for a variable that the template does not have, MISSING_FIELD without a value. */
export function valuesOf({ variables }: TemplateContent, given: readonly GivenValue[]): Map<string, string> {
  const values = new Map(variables.flatMap((each) => (each.default === null ? [] : [[each.name, each.default]])));
  const names = new Set(variables.map(({ name }) => name));
  const sent = new Set<string>();
  for (const [at, { name, value }] of given.entries()) {
    const field = `variables.${at}.name`;
    if (!names.has(name)) {
      const advice = names.size > 0 ? `write one of ${[...names].join(", ")}` : "leave it out";
      throw new Refusal("INVALID_VALUE", `${field}: the template has no variable of this name; ${advice}.`, { field });
    }
    if (sent.has(name)) throw new Refusal("INVALID_VALUE", `${field}: ${name} is written twice.`, { field });
    sent.add(name);
    values.set(name, value);
  }
  const missing = variables.filter(({ name }) => !values.has(name));
  if (missing.length > 0) {
    const message = `variables: the template needs ${missing.map(({ name, kind }) => `${name} (${kind})`).join(", ")}.`;
    throw new Refusal("MISSING_FIELD", message, { field: "variables" });
  }
  return values;
}

/** Returns a function from a variable's name to the request's field of its value; for a default value, to the field of the template. */
export function fieldsOfValues(given: readonly GivenValue[]): (name: string) => string {
  const position = new Map(given.map(({ name }, at) => [name, at]));
  return (name) => (position.has(name) ? `variables.${position.get(name)}.value` : "templateId");
}

/** Returns the records of a zone of the template, with default SOA and NS records where the template has none at the apex. */
export function expandTemplate(
  content: TemplateContent,
  values: ReadonlyMap<string, string>,
  { zone, policy, fieldOf }: { zone: string; policy: Policy; fieldOf: (name: string) => string },
): ExpandedRecord[] {
  const written = new Map<string, WrittenValue>([
    ["zone", writtenName(`${zone}.`)],
    ["zone.dashed", writtenBoth(zone.replaceAll(".", "-"))],
    ["hostmaster", writtenName(policy.hostmaster)],
  ]);
  for (const { name, kind } of content.variables)
    written.set(name, readValue(kind, values.get(name) ?? "", zone, fieldOf(name)));
  const records = content.records.flatMap((record, at): ExpandedRecord[] => {
    const [owner, rdata] = [piecesOf(record.owner, at, "owner"), piecesOf(record.rdata, at, "rdata")];
    const isSoa = record.type.toUpperCase() === "SOA";
    const servers = namesIn([...owner, ...rdata]).includes("nameServer") ? policy.nameServers : [""];
    return (isSoa ? servers.slice(0, 1) : servers).map((server) => {
      const all = new Map(written).set("nameServer", writtenName(server));
      if (isSoa) all.set("serial", writtenBoth("0"));
      return {
        owner: textOf(owner, all, at, "owner"),
        type: record.type,
        ttl: record.ttl,
        rdata: textOf(rdata, all, at, "rdata"),
        at,
      };
    });
  });
  return [...joiningDefaults(records, zone, policy), ...records];
}

/** The default SOA and NS records, unless the template has records of that type at the apex. */
function joiningDefaults(records: readonly RecordFields[], zone: string, policy: Policy): ExpandedRecord[] {
  const isApex = ({ owner }: RecordFields) => ["@", "", `${zone}.`].includes(owner.toLowerCase());
  const types = new Set(records.filter(isApex).map(({ type }) => type.toUpperCase()));
  return defaultRecords(zone, policy)
    .filter(({ type }) => (type === "SOA" || type === "NS") && !types.has(type))
    .map((record) => ({ ...record, at: undefined }));
}

/** Returns the pieces of a text of a template; throws INVALID_VALUE when its placeholders or quotes are wrong. */
export function piecesOf(text: string, at: number, name: "owner" | "rdata"): Piece[] {
  try {
    return readPieces(text, name === "rdata");
  } catch (error) {
    if (error instanceof BadTemplate) throw refused(at, name, error.message);
    throw error;
  }
}

function textOf(
  pieces: readonly Piece[],
  values: ReadonlyMap<string, WrittenValue>,
  at: number,
  name: "owner" | "rdata",
) {
  const texts = pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    const value = values.get(piece.name);
    if (!value) {
      const why =
        piece.name === "serial" ? "can be used in the data of an SOA alone" : "is no variable of the template";
      throw refused(at, name, `\${${piece.name}} ${why}`);
    }
    const text = piece.isQuoted ? value.quoted : value.plain;
    if (text === undefined) throw refused(at, name, `\${${piece.name}} is a TEXT; write it between quotes`);
    return text;
  });
  return texts.join("");
}

function refused(at: number, name: "owner" | "rdata", advice: string): Refusal {
  const field = `records.${at}.${name}`;
  return new Refusal("INVALID_VALUE", `${field}: ${advice}.`, { field });
}
