/**
 * `Record.data`: typed record data, a union with an object type for the record types that people write. It is parsed
 * from the canonical text and needs no query.
 */
import { type ClassType, createUnionType, Field, FieldResolver, Int, ObjectType, Resolver, Root } from "type-graphql";
import type { Field as DataField, FieldData } from "../../../dns/fields/field.ts";
import { rootName } from "../../../dns/name.ts";
import { parseRdata, rdataFields } from "../../../dns/rdata/rdata.ts";
import { type RecordType, recordType } from "../../../dns/rdata/record-type-registry.ts";
import { type RecordRow, RecordWithZone } from "../../../zone/record.ts";
import { SerialScalar, UInt32Scalar } from "../../scalars/scalars.ts";

/**
 * The record types with typed fields: those that people write, and whose fields a client would otherwise parse. Other
 * types are written by software, which writes `rdata`.
 */
const mnemonics =
  "A AAAA CAA CNAME DNAME DS HTTPS LOC MX NAPTR NS OPENPGPKEY PTR SMIMEA SOA SRV SSHFP SVCB TLSA TXT URI".split(" ");

export const typedRecordTypes: readonly RecordType[] = mnemonics.map(recordType);

/** The object types of several record types with the same fields, by mnemonic. */
const sharedNames: Readonly<Record<string, string>> = {
  A: "AddressData",
  AAAA: "AddressData",
  CNAME: "AliasData",
  DNAME: "AliasData",
  HTTPS: "SvcbData",
  SVCB: "SvcbData",
  SMIMEA: "TlsaData",
  TLSA: "TlsaData",
};

/** The name of a record type's object type: MxData for MX. */
export const dataTypeName = ({ mnemonic }: RecordType) =>
  sharedNames[mnemonic] ?? `${mnemonic.charAt(0)}${mnemonic.slice(1).toLowerCase()}Data`;

/** The record types of each object type, by its name. */
export const typesByDataName: ReadonlyMap<string, readonly RecordType[]> = Map.groupBy(typedRecordTypes, dataTypeName);

/** The description of an object type. */
export const dataDescription = (types: readonly RecordType[]) =>
  types.map(({ mnemonic, description, rfc }) => `Data of ${mnemonic}: ${description} (${rfc}).`).join(" ");

/** The fields of record types that share an object type, each with its description. */
export function sharedFields(types: readonly RecordType[]): readonly DataField[] {
  const [first, ...others] = types as [RecordType, ...RecordType[]];
  return first.fields
    .filter(({ silent }) => !silent)
    .map((field) => {
      const alike = others.flatMap(({ fields }) => fields.find(({ name }) => name === field.name) ?? []);
      const meanings = new Set([field, ...alike].map(({ description }) => description));
      return { ...field, description: [...meanings].join("; ") };
    });
}

/** The GraphQL type of a field's value: Serial or UInt32 for integers beyond 2147483647, where Int ends. */
export function valueType({ holds, kind, max = 0 }: DataField) {
  if (holds === "texts") return [String];
  if (holds === "text") return String;
  if (kind === "serial") return SerialScalar;
  return max > 2147483647 ? UInt32Scalar : Int;
}

/** Makes a sentence of a phrase from the table of record types. */
export function sentence(phrase: string): string {
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}${phrase.endsWith("…") ? "" : "."}`;
}

function dataType(name: string, types: readonly RecordType[]): ClassType {
  class Data {}
  ObjectType(name, { description: dataDescription(types), simpleResolvers: true })(Data);
  for (const field of sharedFields(types)) {
    const value = valueType(field);
    Field(() => value, { description: sentence(field.description) })(Data.prototype, field.name);
  }
  return Data;
}

const dataTypes = [...typesByDataName].map(([name, types]) => dataType(name, types));

const RecordData = createUnionType({
  name: "RecordData",
  description:
    'Record data as fields. Names are absolute. Text is as between quotes: `\\DDD` is an octet, `\\"` a quote.',
  types: () => dataTypes,
  resolveType: (data) => (data as TypedData).typeName,
});

/** Typed record data with the name of its object type. */
type TypedData = Readonly<Record<string, FieldData>> & { readonly typeName: string };

/** Parses canonical record data into typed fields; null for a record type without them. */
export function typedData(mnemonic: string, rdata: string): TypedData | null {
  const type = typedRecordTypes.find((each) => each.mnemonic === mnemonic);
  if (!type) return null;
  const wire = parseRdata(type, rdata, { origin: rootName, context: "master" });
  return { ...rdataFields(type, wire), typeName: dataTypeName(type) };
}

@Resolver(() => RecordWithZone)
export class RecordDataResolver {
  @FieldResolver(() => RecordData, {
    nullable: true,
    description: `The data as typed fields; null for a type other than ${mnemonics.join(", ")}.`,
  })
  data(@Root() { type, rdata }: RecordRow): TypedData | null {
    return typedData(type, rdata);
  }
}
