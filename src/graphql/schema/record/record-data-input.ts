/**
 * Typed record data in inputs. Each record type with typed fields has an input, which mirrors its object type
 * (record-data.ts); RecordDataInput takes exactly one of them.
 */
import { type ClassType, Field, InputType } from "type-graphql";
import type { FieldValues } from "../../../dns/rdata/rdata.ts";
import { type RecordType, recordType } from "../../../dns/rdata/record-type-registry.ts";
import { Refusal } from "../../../errors.ts";
import { parseField } from "../../../session/parse-field.ts";
import type { RecordFields } from "../../../zone/edit/canonical-record.ts";
import { OneOf } from "../shared/input-fields.ts";
import {
  dataDescription,
  dataTypeName,
  sentence,
  sharedFields,
  typedRecordTypes,
  typesByDataName,
  valueType,
} from "./record-data.ts";

/** The record types with typed fields, by field name: mx for MX. */
const typesByName = new Map(typedRecordTypes.map((type) => [type.mnemonic.toLowerCase(), type]));

/** Makes the input of record types with the same fields. */
function dataInput(name: string, types: readonly RecordType[]): ClassType {
  class Data {}
  InputType(`${name}Input`, { description: dataDescription(types) })(Data);
  for (const field of sharedFields(types)) {
    const value = valueType(field);
    const nullable = field.optional ?? false;
    Field(() => value, { nullable, description: sentence(field.description) })(Data.prototype, field.name);
  }
  return Data;
}

const inputs = new Map([...typesByDataName].map(([name, types]) => [name, dataInput(name, types)]));

@OneOf()
@InputType({
  description:
    "Record data as typed fields: the field that is sent says the record type. Names may be relative to the zone, as in " +
    "`rdata`. Text is as between quotes: `\\\\` is a backslash, `\\DDD` an octet; other characters are sent as UTF-8. Any other type is written in `rdata`.",
})
export class RecordDataInput {
  readonly [name: string]: FieldValues | null | undefined;
}
for (const [name, type] of typesByName) {
  const input = inputs.get(dataTypeName(type)) as ClassType;
  Field(() => input, { nullable: true, description: `Data of ${type.mnemonic}.` })(RecordDataInput.prototype, name);
}

/** The type and the data in an input. */
interface DataFields {
  readonly type?: string | null;
  readonly rdata?: string | null;
  readonly data?: RecordDataInput | null;
}

/** Reads the type and the data that were sent, if any. Refuses data that is sent twice or belongs to another type. */
export function readData({ type, rdata, data }: DataFields, path = ""): Partial<Pick<RecordFields, "type" | "rdata">> {
  const sent = Object.entries(data ?? {}).find(([, values]) => values !== null && values !== undefined);
  if (!sent) return { ...(typeof type === "string" && { type }), ...(typeof rdata === "string" && { rdata }) };
  const [name, values] = sent as [string, FieldValues];
  const { mnemonic } = typesByName.get(name) as RecordType;
  const refuse = (field: string, why: string) =>
    new Refusal("INVALID_VALUE", `${path}${field} ${why}`, { field: `${path}${field}` });
  for (const [field, value] of Object.entries(values)) expectEscapes(`${path}data.${name}.${field}`, value);
  if (typeof rdata === "string") throw refuse("data", "is sent beside rdata; send one of them.");
  if (typeof type === "string" && parseField(`${path}type`, () => recordType(type)).mnemonic !== mnemonic)
    throw refuse("type", `is another type than that of data, ${mnemonic}; leave it out.`);
  return { type: mnemonic, rdata: { name, values } };
}

/** Refuses a backslash that is hardly meant as an escape: it would be lost. */
function expectEscapes(field: string, value: unknown): void {
  if (Array.isArray(value)) for (const [at, each] of value.entries()) expectEscapes(`${field}.${at}`, each);
  const [found] =
    typeof value === "string" ? (value.replaceAll(/\\(?:\d{3}|[^A-Za-z0-9])/g, "").match(/\\./) ?? []) : [];
  if (found === undefined) return;
  const why = `contains ${found}, which is no escape; write \\\\ for a backslash, or \\DDD for an octet.`;
  throw new Refusal("INVALID_RDATA", `${field} ${why}`, { field });
}

/** Reads the type and the data of a new record; MISSING_FIELD without them. */
export function readNewData(input: DataFields, path = ""): Pick<RecordFields, "type" | "rdata"> {
  const { type, rdata } = readData(input, path);
  const missing = rdata === undefined ? "rdata" : "type";
  if (type !== undefined && rdata !== undefined) return { type, rdata };
  const field = `${path}${missing}`;
  throw new Refusal("MISSING_FIELD", `${field} is missing; send type and rdata, or data.`, { field });
}
