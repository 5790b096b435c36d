/** Edits of many records in the schema: a filter selects records of all zones, and a change set gets the edits. */
import { ArrayMinSize } from "class-validator";
import { Arg, Ctx, Field, InputType, Int, Mutation, ObjectType, Resolver } from "type-graphql";
import { editRecords } from "../../../changeset/bulk/edit-records.ts";
import type { RefusedEdit } from "../../../changeset/bulk/edit-rrset.ts";
import type { Code } from "../../../error-codes.ts";
import { AtMost, InputField, PlainTextField } from "../../checked-fields.ts";
import type { Context } from "../../context.ts";
import { ErrorCode, IdScalar, RecordTypeScalar } from "../../scalars/scalars.ts";
import { maxItems } from "../record/record-inputs.ts";
import { DryRunField, OneOf } from "../shared/input-fields.ts";
import { usualItems } from "../shared/payloads.ts";
import { StagedPayload, stagedPayload, TitleField } from "./staged-payload.ts";

/** The greatest length of data to find or to write, characters. */
const maxDataLength = 70_000;

const DataField = (description: string, nullable: boolean) => PlainTextField(maxDataLength, { nullable, description });

@OneOf()
@InputType({ description: "What is searched for in the fields of record data: one of the fields." })
class RdataMatchInput {
  @DataField("The whole data, as it is written for a record.", true)
  equals?: string;

  @DataField("Part of the text of one field, in any letter case.", true)
  contains?: string;

  @DataField("An address, or a prefix such as 192.0.2.0/24, also in the hints of SVCB and HTTPS.", true)
  address?: string;

  @DataField("A name in any letter case, or `*.example.com` for the names below it.", true)
  name?: string;
}

@InputType({
  description:
    "Which records are edited: every field that is present must match. SOA records only where names are replaced.",
})
class EditFilter {
  @Field(() => [String], {
    nullable: true,
    description: "Names of zones, at most 1000; `*` matches any characters. Default: all.",
  })
  @AtMost(maxItems)
  @ArrayMinSize(1, { message: "send at least one, or leave it out" })
  zones?: string[];

  @Field(() => [String], {
    nullable: true,
    description: "Labels that the domain must have: `env=prod`, or `env` with any value.",
  })
  labels?: string[];

  @Field(() => IdScalar, { nullable: true, description: "Id of the user who owns the domains." })
  userId?: number;

  @Field(() => String, {
    nullable: true,
    description: "Owner relative to the zone, or `@`; `*` matches any characters.",
  })
  owner?: string;

  @Field(() => [RecordTypeScalar], { nullable: true, description: "Types; the record has one of them." })
  types?: string[];

  @Field(() => Int, { nullable: true, description: "The least TTL, seconds." })
  ttlMin?: number;

  @Field(() => Int, { nullable: true, description: "The greatest TTL, seconds." })
  ttlMax?: number;

  @InputField(() => RdataMatchInput, { nullable: true, description: "What their data is, or has in it." })
  rdata?: RdataMatchInput;
}

@InputType({ description: "What is replaced, and by what." })
class ReplacementInput {
  @DataField("What is replaced.", false)
  from!: string;

  @DataField("What takes its place.", false)
  to!: string;
}

@OneOf()
@InputType({ description: "What is replaced in the data of records: one of the fields." })
class ReplaceInput {
  @InputField(() => ReplacementInput, { nullable: true, description: "The whole data, as it is written for a record." })
  rdata?: ReplacementInput;

  @InputField(() => ReplacementInput, {
    nullable: true,
    description:
      "An address by another, or a prefix by another of the same length; also in the hints of SVCB and HTTPS.",
  })
  address?: ReplacementInput;

  @InputField(() => ReplacementInput, {
    nullable: true,
    description: "A name by another, or the names below one: `*.old.example` by `*.new.example`; also in an SOA.",
  })
  name?: ReplacementInput;

  @InputField(() => ReplacementInput, {
    nullable: true,
    description: "Text inside character strings, also across strings split at 255 octets.",
  })
  text?: ReplacementInput;
}

@OneOf()
@InputType({ description: "What is done to the records: one of the fields." })
class RecordEditInput {
  @Field(() => Int, { nullable: true, description: "The new TTL of the RRsets, seconds." })
  ttl?: number;

  @Field(() => Boolean, { nullable: true, description: "True: remove the records." })
  remove?: boolean;

  @InputField(() => ReplaceInput, { nullable: true, description: "Replace something in their data." })
  replace?: ReplaceInput;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "True: replace the example's name servers and mailbox in SOA and apex NS records by those of NAME_SERVERS and HOSTMASTER.",
  })
  exampleNames?: boolean;
}

@InputType({ description: "An edit of many records." })
class EditRecordsInput {
  @InputField(() => EditFilter, { description: "Which records." })
  filter!: EditFilter;

  @InputField(() => RecordEditInput, { description: "What is done to them." })
  set!: RecordEditInput;

  @TitleField("what is done")
  title?: string;

  @DryRunField()
  dryRun!: boolean;
}

@ObjectType({ description: "A record that cannot be edited so, and stays as it is.", simpleResolvers: true })
class RefusedEditOfRecord {
  @Field(() => String, { description: "DNS name of the zone." })
  zone!: string;

  @Field(() => String, { description: "The owner, relative to the zone." })
  owner!: string;

  @Field(() => RecordTypeScalar, { description: "The type." })
  type!: string;

  @Field(() => IdScalar, { description: "The id of the record." })
  recordId!: number;

  @Field(() => ErrorCode, { description: "The code that the error would have." })
  code!: Code;

  @Field(() => String, { description: "What is wrong." })
  message!: string;
}

@ObjectType({ description: "The result of an edit of many records.", simpleResolvers: true })
class EditRecordsPayload extends StagedPayload {
  @Field(() => Int, { description: "Records that the filter selects and that have what is replaced." })
  matchedCount!: number;

  @Field(() => Int, { description: "Those of them that change, or go." })
  changedCount!: number;

  @Field(() => Int, { description: "Those that go, since they would become equal to other records." })
  mergedCount!: number;

  @Field(() => Int, { description: "Those that cannot become what they would, and stay." })
  refusedCount!: number;

  @Field(() => Int, { description: "Number of zones that have records which change." })
  zoneCount!: number;

  @Field(() => Int, {
    description: "The longest TTL of the records that change, seconds: how long resolvers may keep the old ones.",
  })
  longestTtl!: number;

  @Field(() => [RefusedEditOfRecord], { complexity: usualItems, description: "The first 100 that stay." })
  refusals!: readonly RefusedEdit[];
}

@Resolver()
export class EditRecordsResolver {
  @Mutation(() => EditRecordsPayload, {
    description:
      "Edits the records that a filter selects, in all zones that the key may see, as a change set in state DRAFT.",
  })
  async editRecords(
    @Arg("input", () => EditRecordsInput) { filter, set, title, dryRun }: EditRecordsInput,
    @Ctx() { session }: Context,
  ): Promise<EditRecordsPayload> {
    const edited = await editRecords(session, { filter, set, title, dryRun });
    return { ...edited, ...stagedPayload(session, edited) };
  }
}
