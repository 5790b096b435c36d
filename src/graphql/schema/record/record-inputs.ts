/** Inputs of the operations on records, and how edits are read. */
import { ArgsType, Field, InputType, Int } from "type-graphql";
import type { ZoneEdits } from "../../../zone/edit/edit-plan.ts";
import type { recordOrders } from "../../../zone/record.ts";
import { AtMost, InputField, PlainTextField } from "../../checked-fields.ts";
import { RecordOrder } from "../../connection-types.ts";
import { PageArgs } from "../../page-args.ts";
import { IdScalar, RecordTypeScalar } from "../../scalars/scalars.ts";
import { DryRunField, ExpectedSerialField, ForceField, NoteField, ZoneField } from "../shared/input-fields.ts";
import { LabelsField } from "../zone/domain-inputs.ts";
import { RecordDataInput, readData, readNewData } from "./record-data-input.ts";

@InputType({ description: "A filter; every field that is present must match." })
class RecordFilter {
  @Field(() => String, { nullable: true, description: "Zone name in any spelling." })
  zone?: string;

  @Field(() => String, {
    nullable: true,
    description: "Owner: relative, `@`, or absolute; absolute only together with `zone`.",
  })
  owner?: string;

  @PlainTextField(255, { nullable: true, description: "Beginning of the owner, in any letter case." })
  ownerPrefix?: string;

  @Field(() => [RecordTypeScalar], { nullable: true, description: "Record types; the record has one of them." })
  types?: string[];

  @PlainTextField(1000, {
    nullable: true,
    description: "Part of the record data, in any letter case; SOA serials are not searched.",
  })
  rdataContains?: string;

  @PlainTextField(255, {
    nullable: true,
    description: "Part of the owner, or the whole name of a host such as ftp.example.com, in any letter case.",
  })
  ownerContains?: string;

  @PlainTextField(1000, {
    nullable: true,
    description: "Part of the owner or the data, or the whole name of a host, in any letter case.",
  })
  contains?: string;

  @Field(() => IdScalar, { nullable: true, description: "Id of the user who owns the domain." })
  userId?: number;

  @PlainTextField(1000, { nullable: true, description: "Part of the note of the RRset, in any letter case." })
  noteContains?: string;

  @LabelsField()
  labels?: string[];
}

@ArgsType()
export class RecordsArgs extends PageArgs {
  @InputField(() => RecordFilter, { nullable: true, description: "Selects records; without it, all." })
  filter?: RecordFilter;

  @Field(() => RecordOrder, { defaultValue: RecordOrder.NAME, description: "Sort order." })
  orderBy!: keyof typeof recordOrders;
}

@InputType()
class NewRecord {
  @Field(() => String, {
    description: "Owner: relative to the zone, absolute with a trailing dot, or `@` for the apex.",
  })
  owner!: string;

  @Field(() => Int, {
    nullable: true,
    description: "Time to live of the whole RRset, seconds. Default: the RRset's, or 3600.",
  })
  ttl?: number;

  @Field(() => RecordTypeScalar, { nullable: true, description: "Record type; it may be left out beside `data`." })
  type?: string;

  @Field(() => String, {
    nullable: true,
    description: "Record data in presentation form, unless `data` is sent; for TXT also plain text.",
  })
  rdata?: string;

  @Field(() => RecordDataInput, { nullable: true, description: "Record data as typed fields, in place of `rdata`." })
  data?: RecordDataInput;
}

@InputType({ description: "A record to add or to check." })
export class RecordInput extends NewRecord {}

@InputType({ description: "The record to create." })
export class CreateRecordInput extends NewRecord {
  @ZoneField()
  zone!: string;

  @ExpectedSerialField()
  expectedSerial?: number;

  @NoteField()
  note?: string;
}

@InputType({ description: "New content of a record; fields that are left out do not change." })
export class RecordUpdateInput {
  @Field(() => IdScalar, { description: "The id of the record, which does not change." })
  recordId!: number;

  @Field(() => String, { nullable: true, description: "New owner." })
  owner?: string;

  @Field(() => RecordTypeScalar, {
    nullable: true,
    description: "New type; an SOA stays one, and no record becomes one.",
  })
  type?: string;

  @Field(() => Int, { nullable: true, description: "New time to live, seconds; it becomes that of the whole RRset." })
  ttl?: number;

  @Field(() => String, {
    nullable: true,
    description: "New data; an SOA needs a greater serial (RFC 1982), within 10,000,000 without `force`.",
  })
  rdata?: string;

  @Field(() => RecordDataInput, { nullable: true, description: "New data as typed fields, in place of `rdata`." })
  data?: RecordDataInput;
}

@InputType({ description: "New content of a record; fields that are left out do not change." })
export class UpdateRecordInput extends RecordUpdateInput {
  @Field(() => String, {
    nullable: true,
    description: "The record's zone, as a check: INVALID_VALUE when it is in another zone.",
  })
  zone?: string;

  @ExpectedSerialField()
  expectedSerial?: number;

  @ForceField()
  force!: boolean;

  @NoteField()
  note?: string;
}

@InputType({ description: "The record to delete." })
export class DeleteRecordInput {
  @Field(() => IdScalar, { description: "The id of the record." })
  recordId!: number;

  @ExpectedSerialField()
  expectedSerial?: number;

  @NoteField()
  note?: string;
}

@InputType({
  description:
    "A precondition of a change: whether a name, or an RRset when it has a type, must exist (RFC 2136 §2.4).",
})
export class PreconditionInput {
  @Field(() => String, { description: "Owner: relative to the zone, absolute with a trailing dot, or `@`." })
  owner!: string;

  @Field(() => RecordTypeScalar, {
    nullable: true,
    description: "The type of the RRset; without it, the condition is on the name.",
  })
  type?: string;

  @Field(() => Boolean, { defaultValue: true, description: "Whether the name or the RRset must exist, or must not." })
  exists!: boolean;

  @Field(() => [String], {
    nullable: true,
    description: "The data of the whole RRset, in any order; without it, any data.",
  })
  rdata?: string[];
}

/** The most edits of one kind, or preconditions, of a change. */
export const maxItems = 1000;

/** The field of the records to add. */
export const AddField = (): PropertyDecorator => (target, property) => {
  const description = "Records to add, at most 1000.";
  Field(() => [RecordInput], { nullable: true, description })(target, property);
  AtMost(maxItems)(target, property);
};

/** Edits of the records of a zone. */
@InputType()
export class ZoneEditsInput {
  @ZoneField()
  zone!: string;

  @Field(() => [IdScalar], { nullable: true, description: "Ids of records to remove, at most 1000." })
  @AtMost(maxItems)
  remove?: number[];

  @Field(() => [RecordUpdateInput], { nullable: true, description: "Records to update, at most 1000." })
  @AtMost(maxItems)
  update?: RecordUpdateInput[];

  @AddField()
  add?: RecordInput[];

  @ExpectedSerialField()
  expectedSerial?: number;
}

@InputType({ description: "Edits of one zone, all or none. Records are removed first, then updated, then added." })
export class ChangeRecordsInput extends ZoneEditsInput {
  @Field(() => [PreconditionInput], {
    nullable: true,
    description:
      "What must hold when the change is made, at most 1000; otherwise NAME_IN_USE, NAME_NOT_IN_USE, RRSET_EXISTS or RRSET_MISSING.",
  })
  @AtMost(maxItems)
  preconditions?: PreconditionInput[];

  @ForceField()
  force!: boolean;

  @DryRunField()
  dryRun!: boolean;

  @NoteField()
  note?: string;
}

/** Reads edits; `path` is the path of the input in the request. */
export function readEdits(
  { remove, update, add }: Pick<ZoneEditsInput, "remove" | "update" | "add">,
  path = "",
): Required<ZoneEdits> {
  return {
    remove: remove ?? [],
    update: (update ?? []).map(({ recordId, data, ...fields }, at) => ({
      ...fields,
      ...readData({ ...fields, data }, `${path}update.${at}.`),
      id: recordId,
    })),
    add: (add ?? []).map(({ data, ...fields }, at) => ({
      ...fields,
      ...readNewData({ ...fields, data }, `${path}add.${at}.`),
    })),
  };
}
