/**
 * `Record.data`: record data as typed fields, a union of one object type for each row of the table of record types. It
 * is parsed from the canonical text, so it needs no query.
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
import { type FieldTexts, parseRdata, rdataFields, rdataTexts } from "../../dns/rdata/rdata.ts";
import { type RecordType, recordType, recordTypes } from "../../dns/rdata/record-type-registry.ts";
import { SerialScalar } from "../../scalars.ts";
import { type RecordRow, RecordWithZone } from "../../zone/record.ts";

/**
 * The name of the object type of a record type: MxData for MX, NsapPtrData for NSAP-PTR, RawData for a type without
 * fields.
 */
export function dataTypeName({ mnemonic, fields }: RecordType): string {
  if (fields.length === 0) return "RawData";
  const words = mnemonic.split("-").map((word) => word.charAt(0) + word.slice(1).toLowerCase());
  return `${words.join("")}Data`;
}

/** The field of RecordDataInput for a record type: mx for MX, nsapPtr for NSAP-PTR; undefined for a type without fields. */
export function dataInputName(type: RecordType): string | undefined {
  if (!type.creatable || type.fields.length === 0) return undefined;
  const name = dataTypeName(type).replace(/Data$/, "");
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

@ObjectType({
  description: "Record data of a type that is known only by its number (RFC 3597).",
  simpleResolvers: true,
})
class RawData {
  @Field(() => String, { description: "The octets in hexadecimal." })
  hex!: string;

  @Field(() => Int, { description: "Number of octets, 0 to 65535." })
  length!: number;
}

/** The GraphQL type of a field's value. Int ends at 2147483647: greater integers are Serial or Float. */
export function valueType({ holds, kind, max = 0 }: DataField) {
  if (holds === "texts") return [String];
  if (holds === "text") return String;
  if (kind === "serial") return SerialScalar;
  return max > 2147483647 ? Float : Int;
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

const dataTypes = [...recordTypes.filter(({ creatable }) => creatable).map(dataType), RawData];

const RecordData = createUnionType({
  name: "RecordData",
  description:
    "Record data as fields: <Mnemonic>Data for a type with fields, RawData for any other. Names are absolute. " +
    'Text is as between quotes: `\\DDD` is an octet, `\\"` a quote.',
  types: () => dataTypes,
  resolveType: (data) => (data as TypedData).typeName,
});

@ObjectType({
  description: "A field of record data with its value as text, for every type alike.",
  simpleResolvers: true,
})
export class RecordField {
  @Field(() => String, { description: "The name, as in `recordTypes`." })
  name!: string;

  @Field(() => [String], {
    description: "The value: one text, or those of a list; as in Record.data, a number in decimal.",
  })
  values!: readonly string[];
}

/** The fields of record data, and the name of their object type. */
type TypedData = Readonly<Record<string, FieldData>> & { readonly typeName: string };

/** The typed fields of record data, from its canonical text. */
export function typedData(mnemonic: string, rdata: string): TypedData {
  const type = recordType(mnemonic);
  const wire = wireOf(type, rdata);
  const fields =
    type.fields.length > 0 ? rdataFields(type, wire) : { hex: Buffer.from(wire).toString("hex"), length: wire.length };
  return { ...fields, typeName: dataTypeName(type) };
}

const wireOf = (type: RecordType, rdata: string) => parseRdata(type, rdata, { origin: rootName, context: "master" });

@Resolver(() => RecordWithZone)
export class RecordDataResolver {
  @FieldResolver(() => [RecordField], {
    description:
      "The data as fields in the order of the text; empty for a type without fields, which `rdata` has as `\\# length hex`.",
  })
  fields(@Root() { type: mnemonic, rdata }: RecordRow): FieldTexts[] {
    const type = recordType(mnemonic);
    return rdataTexts(type, wireOf(type, rdata));
  }

  @FieldResolver(() => RecordData, {
    description: "The data as typed fields: select them with `… on MxData { preference exchange }`.",
  })
  data(@Root() { type, rdata }: RecordRow): TypedData {
    return typedData(type, rdata);
  }
}
