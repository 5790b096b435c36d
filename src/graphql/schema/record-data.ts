/**
 * `Record.data`: record data as typed fields, a union of one object type for each row of the table of record types, made from it.
 * It is read from the canonical text, which re-parses to the wire (rdata.ts): asking for it costs no query.
 */
import {
  type ClassType,
  createUnionType,
  Field,
  FieldResolver,
  Float,
  Int,
  ObjectType,
  Resolver,
  Root,
} from "type-graphql";
import type { Field as DataField, FieldData } from "../../dns/fields/field.ts";
import { rootName } from "../../dns/name.ts";
import { parseRdata, rdataFields } from "../../dns/rdata/rdata.ts";
import { type RecordType, recordType, recordTypes } from "../../dns/rdata/record-types.ts";
import { SerialScalar } from "../../scalars.ts";
import { type RecordRow, RecordWithZone } from "../../zone/record.ts";

/** The name of the object type for a row of the table: MX has MxData, NSAP-PTR has NsapPtrData; a type without fields has RawData. */
export function dataTypeName({ mnemonic, fields }: RecordType): string {
  if (fields.length === 0) return "RawData";
  const words = mnemonic.split("-").map((word) => word.charAt(0) + word.slice(1).toLowerCase());
  return `${words.join("")}Data`;
}

@ObjectType({
  description: "Record data of a type that is known by its number alone (RFC 3597).",
  simpleResolvers: true,
})
class RawData {
  @Field(() => String, { description: "The octets, hexadecimal." })
  hex!: string;

  @Field(() => Int, { description: "Number of octets, 0 to 65535." })
  length!: number;
}

/** The GraphQL type of a field's value. Int ends at 2147483647: greater numbers are Serial or Float, whole all the same. */
function valueType({ holds, kind, max = 0 }: DataField) {
  if (holds === "texts") return [String];
  if (holds === "text") return String;
  if (kind === "serial") return SerialScalar;
  return max > 2147483647 ? Float : Int;
}

/** A description of the table as a sentence. */
function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith("…") ? "" : "."}`;
}

/** Makes the object type for a row of the table. */
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

const dataTypes = [...recordTypes.filter(({ creatable }) => creatable).map(dataType), RawData];

const RecordData = createUnionType({
  name: "RecordData",
  description:
    'Record data as fields: <Mnemonic>Data for each type with fields, RawData for any other. Names are absolute. Text is as between quotes: `\\DDD` is an octet, `\\"` a quote.',
  types: () => dataTypes,
  resolveType: (data) => (data as TypedData).typeName,
});

/** The fields of a record's data, and the name of their object type. */
type TypedData = Readonly<Record<string, FieldData>> & { readonly typeName: string };

/** Reads the canonical text of record data. */
export function typedData(mnemonic: string, rdata: string): TypedData {
  const type = recordType(mnemonic);
  const wire = parseRdata(type, rdata, { origin: rootName, context: "master" });
  const fields =
    type.fields.length > 0 ? rdataFields(type, wire) : { hex: Buffer.from(wire).toString("hex"), length: wire.length };
  return { ...fields, typeName: dataTypeName(type) };
}

@Resolver(() => RecordWithZone)
export class RecordDataResolver {
  @FieldResolver(() => RecordData, {
    description: "The data as typed fields, for `… on MxData { preference exchange }`.",
  })
  data(@Root() { type, rdata }: RecordRow): TypedData {
    return typedData(type, rdata);
  }
}
