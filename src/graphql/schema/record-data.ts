/**
 * `Record.data`: record data as typed fields, a union of one object type for each record type that people write. It is parsed from the
 * canonical text, so it needs no query.
 */
import { type ClassType, createUnionType, Field, FieldResolver, Int, ObjectType, Resolver, Root } from "type-graphql";
import type { Field as DataField, FieldData } from "../../dns/fields/field.ts";
import { rootName } from "../../dns/name.ts";
import { parseRdata, rdataFields } from "../../dns/rdata/rdata.ts";
import { type RecordType, recordType } from "../../dns/rdata/record-type-registry.ts";
import { SerialScalar, UInt32Scalar } from "../../scalars.ts";
import { type RecordRow, RecordWithZone } from "../../zone/record.ts";

/**
 * The types whose data has typed fields: those that people write, and whose fields a client would otherwise take out of the text. The
 * others are written by software, which writes `rdata`, or hardly at all.
 */
const mnemonics =
  "A AAAA CAA CNAME DNAME DS HTTPS LOC MX NAPTR NS OPENPGPKEY PTR SMIMEA SOA SRV SSHFP SVCB TLSA TXT URI".split(" ");

/** The record types whose data has typed fields. */
export const typedRecordTypes: readonly RecordType[] = mnemonics.map(recordType);

/** The name of the object type of such a record type: MxData for MX. */
export const dataTypeName = ({ mnemonic }: RecordType) => `${mnemonic.charAt(0)}${mnemonic.slice(1).toLowerCase()}Data`;

/** The GraphQL type of a field's value. Int ends at 2147483647: greater integers are Serial or UInt32. */
export function valueType({ holds, kind, max = 0 }: DataField) {
  if (holds === "texts") return [String];
  if (holds === "text") return String;
  if (kind === "serial") return SerialScalar;
  return max > 2147483647 ? UInt32Scalar : Int;
}

/** A description of the table as a sentence. */
export function sentence(phrase: string): string {
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}${phrase.endsWith("…") ? "" : "."}`;
}

/** Makes the object type of a record type. */
function dataType(type: RecordType): ClassType {
  class Data {}
  const name = dataTypeName(type);
  ObjectType(name, {
    description: `Data of ${type.mnemonic}: ${type.description} (${type.rfc}).`,
    simpleResolvers: true,
  })(Data);
  for (const field of type.fields) {
    if (field.silent) continue;
    const value = valueType(field);
    Field(() => value, { description: sentence(field.description) })(Data.prototype, field.name);
  }
  return Data;
}

const dataTypes = typedRecordTypes.map(dataType);

const RecordData = createUnionType({
  name: "RecordData",
  description:
    'Record data as fields. Names are absolute. Text is as between quotes: `\\DDD` is an octet, `\\"` a quote.',
  types: () => dataTypes,
  resolveType: (data) => (data as TypedData).typeName,
});

/** The fields of record data, and the name of their object type. */
type TypedData = Readonly<Record<string, FieldData>> & { readonly typeName: string };

/** The typed fields of record data, from its canonical text; null for a type that has none. */
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
    description: `The data as typed fields, for the types that people write: ${mnemonics.join(", ")}. Null for any other type, whose data is in \`rdata\` alone.`,
  })
  data(@Root() { type, rdata }: RecordRow): TypedData | null {
    return typedData(type, rdata);
  }
}
