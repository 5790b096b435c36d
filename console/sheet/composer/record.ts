/** The record that is being written in the composer: the state of its fields, with what the zone around it makes of them. */
import { type RecordField, type RecordTypes, typeNamed } from "../../api/record-types.ts";
import { keepStored, readStored } from "../../parts/control/stored.ts";
import { wordsOf } from "../../parts/text/data-words.ts";
import { plainOwner } from "../../parts/text/names.ts";
import type { Problem } from "../apply/sentences.ts";
import { composerPrefix, type TextStorage } from "../draft/draft-store.ts";
import { isText, plainText } from "../form/form-fields.ts";
import { type FormState, gapOf, newRow, shownField, untouched, writtenRdata } from "../form/form-state.ts";
import { reasonAgainst } from "../form/type-choice.ts";
import type { SheetModel } from "../model/sheet-model.ts";
import { parseTtl, rrsetOf } from "../records/row.ts";

export interface Written extends FormState {
  /** Whether the data is one text, whatever fields its type has. */
  readonly isText: boolean;
}

export const nothing: Written = { ...untouched, isText: false };

const { key } = newRow;

export function hasData(written: Written, fields: readonly RecordField[]): boolean {
  const texts = fields.map(({ name }) => shownField(written, [newRow], fields, name) ?? "");
  return (fields.length === 0 ? [writtenRdata(written, newRow, fields)] : texts).some((text) => text.trim() !== "");
}

/** What stays of a record for the next one: all but its data. */
export const withoutData = ({ values: { rdata, ...values }, isText }: Written): Written => ({
  values,
  fields: {},
  isText,
});

/** The text of a field that is quoted by itself, also where it was written in quotes as in a master file. */
function unquoted(text: string): string {
  const words = wordsOf(text);
  return words.length > 0 && words.every((word) => /^".*"$/s.test(word)) ? words.map(plainText).join("") : text;
}

/** The record of what was written, as far as it is one, with what the zone around it makes of it. */
export function composed(model: SheetModel, typed: Written, types: RecordTypes) {
  const { zone, records, checks } = model;
  const { owner = "", type: mnemonic = "", ttl: givenTtl = "" } = typed.values;
  const type = mnemonic.trim().toUpperCase();
  const info = typeNamed(types, type);
  const fields = typed.isText ? [] : (info?.fields ?? []);
  const quoted = fields.filter((field) => field.quoted && (field.form !== "TEXTS" || isText(fields)));
  const plain = quoted.flatMap(({ name }) => (typed.fields[name] ? [[name, unquoted(typed.fields[name])]] : []));
  const written = { ...typed, fields: { ...typed.fields, ...Object.fromEntries(plain) } };
  const isWritten = hasData(written, fields);
  const rrset = rrsetOf({ owner, type }, zone);
  const { ttl: ownTtl, count } = ttlOf(model, rrset);
  const usualTtl = ownTtl ?? (records.isComplete ? records.commonTtl : undefined) ?? model.defaultTtl;
  const isTtlGiven = givenTtl.trim() !== "" && parseTtl(givenTtl) !== usualTtl;
  const isUsual = ownTtl !== undefined || usualTtl === model.defaultTtl;
  const values = {
    owner: owner.trim() || "@",
    type,
    ttl: isTtlGiven ? givenTtl.trim() : isUsual ? "" : String(usualTtl),
    rdata: isWritten ? writtenRdata(written, newRow, fields).trim() : "",
  };
  const ttl = isTtlGiven ? parseTtl(givenTtl) : usualTtl;
  const canonical = checks.of(values)?.canonical;
  const name = canonical?.owner ?? plainOwner(owner, zone);
  const fullName = name === "@" ? `${zone}.` : name.endsWith(".") ? name : `${name}.${zone}.`;
  const text = [fullName, ttl ?? givenTtl, "IN", type, canonical?.rdata ?? values.rdata].join(" ").trim();
  const present = namesakes(model, owner);
  // A CNAME that was just added is no mistake yet: its name stays in the field.
  const reason = !isWritten && type === "CNAME" && present.has(type) ? undefined : reasonAgainst(type, present);
  const gap = isWritten ? gapOf(written, newRow, fields) : undefined;
  // A value that is missing moves those after it, and the service would speak of these.
  const checked = (isWritten ? checks.problems(key, values) : []).filter(({ column }) => !gap || column !== "rdata");
  return {
    info,
    /** None where the data is one text. */
    fields,
    hasData: isWritten,
    /** As they are staged. */
    values,
    ttl,
    isTtlGiven,
    /** How many other records have its TTL too. */
    joined: count,
    text,
    problems: [
      ...(reason === undefined ? [] : [{ column: "type" as const, message: reason }]),
      ...(gap ? [gap] : []),
      ...checked,
      ...(canonical && records.withData(canonical) && !isRemoved(model, canonical) ? [isThere] : []),
    ],
    warnings: isWritten ? checks.warnings(key, values) : [],
  };
}

const isThere: Problem = { column: "rdata", message: "The zone has this record." };

function isRemoved({ records, draft }: SheetModel, row: Parameters<typeof records.withData>[0]): boolean {
  return draft.edits.has(records.withData(row)?.id ?? "");
}

/** The TTL that an RRset has with what is staged, and how many records it has; no TTL where there is none of it. */
function ttlOf({ records, draft, outcome, zone }: SheetModel, rrset: string) {
  const staged = [...draft.edits.values()].filter(
    (edit) => edit.kind !== "remove" && rrsetOf(edit.values, zone) === rrset,
  );
  const stored = records.rrset(rrset).filter(({ id }) => !draft.edits.has(id));
  const [first] = stored;
  const ttl = first ? (outcome.moved.get(first.id) ?? first.ttl) : outcome.ttls.get(staged[0]?.key ?? "");
  return { ttl, count: staged.length + stored.length };
}

/** The types that a name has records of, with what is staged. */
export function namesakes({ records, draft, zone }: SheetModel, owner: string): ReadonlySet<string> {
  const name = plainOwner(owner, zone);
  const stored = records.rows.filter((row) => row.owner === name && !draft.edits.has(row.id));
  const staged = [...draft.edits.values()].flatMap((edit) => (edit.kind === "remove" ? [] : edit.values));
  return new Set([...stored, ...staged.filter((row) => plainOwner(row.owner, zone) === name)].map(({ type }) => type));
}

/** What keeps a record from being one. */
export function missingOf({ values, hasData: isWritten }: ReturnType<typeof composed>): Problem | undefined {
  if (values.type === "") return { column: "type", message: "The type is missing." };
  return isWritten ? undefined : { column: "rdata", message: "The data is missing." };
}

/** What was typed into the composer of a zone is kept in the browser beside its draft; what is read is believed as far as its form is right. */
const nameOf = (fingerprint: string, zone: string) => `${composerPrefix}${fingerprint}.${zone}`;

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === "object" && value !== null && Object.values(value).every((text) => typeof text === "string");

export function readRecord(storage: TextStorage, fingerprint: string, zone: string): Written {
  const kept = readStored(nameOf(fingerprint, zone), storage) as Partial<Written> | null | undefined;
  const { values, fields, isText } = kept ?? {};
  return isTexts(values) && isTexts(fields) ? { values, fields, isText: isText === true } : nothing;
}

export function keepRecord(storage: TextStorage, fingerprint: string, zone: string, written: Written): void {
  const hasText = Object.values({ ...written.values, ...written.fields }).some((text) => text !== "");
  keepStored(nameOf(fingerprint, zone), hasText ? written : undefined, storage);
}
