/** What a form for records needs: the record types with their fields, and the allowed TTLs. */
import { Arg, Ctx, Field, Int, ObjectType, Query, Resolver } from "type-graphql";
import type { Field as DataField } from "../../../dns/fields/field.ts";
import { type RecordType, recordType, recordTypes } from "../../../dns/rdata/record-type-registry.ts";
import { defaultTtl } from "../../../session/operator-policy.ts";
import { parseField } from "../../../session/parse-field.ts";
import type { Context } from "../../context.ts";
import { describeEnum } from "../../scalars/enum-type.ts";
import { RecordTypeScalar, UInt32Scalar } from "../../scalars/scalars.ts";
import { NamedValue } from "../shared/payloads.ts";

const FieldForm = { INTEGER: "integer", TEXT: "text", TEXTS: "texts" } as const;
describeEnum(
  FieldForm,
  { name: "FieldForm", description: "The form of a value of record data." },
  {
    INTEGER: "An integer from 0 to `max`.",
    TEXT: "One text.",
    TEXTS: "A list of texts, separated by blanks.",
  },
);

@ObjectType({ description: "A field of record data.", simpleResolvers: true })
class RecordTypeField {
  @Field(() => String, { description: "The name, as in `Record.data` where that has the type." })
  name!: string;

  @Field(() => String, { description: "The kind of value, such as u16, name, ipv6 or base64." })
  kind!: string;

  @Field(() => FieldForm, { description: "The form of the value." })
  form!: DataField["holds"];

  @Field(() => UInt32Scalar, {
    nullable: true,
    description: "The largest integer; null when the value is not an integer.",
  })
  max!: number | null;

  @Field(() => String, { description: "The allowed values, as a phrase that completes `write …`." })
  range!: string;

  @Field(() => String, { description: "The meaning of the value." })
  description!: string;

  @Field(() => [NamedValue], {
    description: "Values that have a name, such as ECDSAP256SHA256 for 13; others may be written too.",
  })
  choices!: readonly NamedValue[];

  @Field(() => Boolean, { description: "Whether each text is written in double quotes." })
  quoted!: boolean;

  @Field(() => Boolean, { description: "Whether the field may be left out." })
  optional!: boolean;
}

@ObjectType({
  description: "A record type. Its data is written as its fields in order, separated by blanks.",
  simpleResolvers: true,
})
class RecordTypeInfo {
  @Field(() => RecordTypeScalar, { description: "The type: its mnemonic in upper case." })
  type!: string;

  @Field(() => Int, { description: "The number, 1 to 65535." })
  code!: number;

  @Field(() => String, { description: "The specification." })
  rfc!: string;

  @Field(() => String, { description: "The meaning of such a record." })
  description!: string;

  @Field(() => [RecordTypeField], {
    description: "The fields in order; empty for a type that is written as `\\# length hex` (RFC 3597).",
  })
  fields!: readonly RecordTypeField[];

  @Field(() => String, { description: "Example of record data." })
  example!: string;

  @Field(() => Boolean, {
    description: "Whether records can be created; not if they belong to a DNSSEC signer, or name servers refuse them.",
  })
  creatable!: boolean;
}

function infoOf(type: RecordType): RecordTypeInfo {
  const { mnemonic, code, rfc, description, example, creatable } = type;
  const fields = type.fields.filter(({ silent }) => !silent).map(fieldOf);
  return {
    type: mnemonic,
    code,
    rfc,
    description,
    fields,
    example,
    creatable,
  };
}

function fieldOf({
  name,
  kind,
  holds,
  max,
  range,
  description,
  choices = {},
  quoted,
  optional,
}: DataField): RecordTypeField {
  return {
    name,
    kind,
    form: holds,
    max: holds === "integer" && max !== undefined ? max : null,
    range,
    description,
    choices: Object.entries(choices).map(([value, name]) => ({ value, name })),
    quoted: quoted ?? false,
    optional: optional ?? false,
  };
}

const infos: readonly RecordTypeInfo[] = recordTypes.map(infoOf);

@Resolver()
export class RecordTypeResolver {
  @Query(() => [RecordTypeInfo], {
    description: "The record types and their fields, by number; any other type is written as TYPE and its number.",
  })
  recordTypes(
    @Arg("type", () => RecordTypeScalar, {
      nullable: true,
      description: "Only this type; UNSUPPORTED_TYPE when records of it do not exist.",
    })
    type: string | null | undefined,
  ): readonly RecordTypeInfo[] {
    return typeof type === "string" ? [parseField("type", () => infoOf(recordType(type)))] : infos;
  }

  @Query(() => TtlPolicy, { description: "The TTLs that records may have." })
  ttlPolicy(@Ctx() { session }: Context): TtlPolicy {
    const { ttlChoices: choices, ttlMin: min, ttlMax: max } = session.policy;
    return { choices, min, max, default: defaultTtl(session.policy) };
  }
}

@ObjectType({ description: "The TTLs that records may have, in seconds.", simpleResolvers: true })
class TtlPolicy {
  @Field(() => [Int], { description: "The TTLs that REST accepts, to offer in a form." })
  choices!: readonly number[];

  @Field(() => Int, { description: "The smallest TTL that GraphQL, imports and updates accept." })
  min!: number;

  @Field(() => Int, { description: "The largest TTL that GraphQL, imports and updates accept." })
  max!: number;

  @Field(() => Int, { description: "The TTL of the first record of an RRset that is created without one." })
  default!: number;
}
