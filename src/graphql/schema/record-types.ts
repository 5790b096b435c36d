/**
 * The table of record types in the schema: what a form needs to offer a type and its fields.
 */
import { Arg, Field, Float, Int, ObjectType, Query, Resolver, registerEnumType } from "type-graphql";
import type { Field as DataField } from "../../dns/fields/field.ts";
import { type RecordType, recordType, recordTypes } from "../../dns/rdata/record-types.ts";
import { RecordTypeScalar } from "../../scalars.ts";
import { parseField } from "../../session/parse-field.ts";
import { dataTypeName } from "./record-data.ts";

const FieldForm = { INTEGER: "integer", TEXT: "text", TEXTS: "texts" } as const;
registerEnumType(FieldForm, {
  name: "FieldForm",
  description: "What the value of a field of record data is.",
  valuesConfig: {
    INTEGER: { description: "A whole number from 0 to `max`." },
    TEXT: { description: "One text." },
    TEXTS: { description: "A list of texts, written one after the other." },
  },
});

@ObjectType({ description: "One field of record data.", simpleResolvers: true })
class RecordTypeField {
  @Field(() => String, { description: "Its name, the same as in Record.data." })
  name!: string;

  @Field(() => String, {
    description: "The kind of value, such as u16, name, ipv6 or base64: one word for one set of rules.",
  })
  kind!: string;

  @Field(() => FieldForm, { description: "What the value is." })
  form!: DataField["holds"];

  @Field(() => Float, { nullable: true, description: "The greatest number; null when the value is no number." })
  max!: number | null;

  @Field(() => String, { description: "What may be written, in words that complete `write …`." })
  range!: string;

  @Field(() => String, { description: "What the value says." })
  description!: string;

  @Field(() => Boolean, { description: "Whether each text is written between double quotes." })
  quoted!: boolean;

  @Field(() => Boolean, { description: "Whether it may be left out." })
  optional!: boolean;
}

@ObjectType({
  description: "A record type. Its data is written as its fields in order, parted by blanks.",
  simpleResolvers: true,
})
class RecordTypeInfo {
  @Field(() => RecordTypeScalar, { description: "The mnemonic, upper case." })
  mnemonic!: string;

  @Field(() => Int, { description: "The number, 1 to 65535." })
  code!: number;

  @Field(() => String, { description: "Where it is specified." })
  rfc!: string;

  @Field(() => String, { description: "What such a record says." })
  description!: string;

  @Field(() => [RecordTypeField], {
    description: "The fields in the order of the text; none for a type that is written `\\# length hex` (RFC 3597).",
  })
  fields!: readonly RecordTypeField[];

  @Field(() => String, { description: "Record data as one may write it." })
  example!: string;

  @Field(() => Boolean, {
    description: "Whether records can be created; not where a signer owns them or servers refuse the zone.",
  })
  creatable!: boolean;

  @Field(() => String, {
    nullable: true,
    description: "The object type of Record.data, such as MxData; null when records cannot be created.",
  })
  dataType!: string | null;
}

function infoOf(type: RecordType): RecordTypeInfo {
  const { mnemonic, code, rfc, description, example, creatable } = type;
  const fields = type.fields.filter(({ silent }) => !silent).map(fieldOf);
  return {
    mnemonic,
    code,
    rfc,
    description,
    fields,
    example,
    creatable,
    dataType: creatable ? dataTypeName(type) : null,
  };
}

function fieldOf({ name, kind, holds, max, range, description, quoted, optional }: DataField): RecordTypeField {
  return {
    name,
    kind,
    form: holds,
    max: holds === "integer" && max !== undefined ? max : null,
    range,
    description,
    quoted: quoted ?? false,
    optional: optional ?? false,
  };
}

const infos: readonly RecordTypeInfo[] = recordTypes.map(infoOf);

@Resolver()
export class RecordTypeResolver {
  @Query(() => [RecordTypeInfo], {
    description: "The record types and their fields, by number; any other type is written TYPE and its number.",
  })
  recordTypes(
    @Arg("type", () => RecordTypeScalar, {
      nullable: true,
      description: "Only this one; UNSUPPORTED_TYPE when it is no type of records.",
    })
    type: string | null | undefined,
  ): readonly RecordTypeInfo[] {
    return typeof type === "string" ? [parseField("type", () => infoOf(recordType(type)))] : infos;
  }
}
