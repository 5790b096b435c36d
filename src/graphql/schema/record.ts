/**
 * Records in the schema: what operations on them answer, and the operations.
 */
import {
  Arg,
  Args,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from "type-graphql";
import { unicodeName } from "../../dns/name.ts";
import { RecordTypeScalar } from "../../scalars.ts";
import { Change, ChangeRecord, type ChangeRecordRow, type ChangeRow } from "../../zone/change.ts";
import { Domain, type DomainRow, domainsByIds } from "../../zone/domain.ts";
import { changeRecord, changeZone, type ZoneChange } from "../../zone/edit/change-zone.ts";
import { checkRecords, type RecordCheckResult } from "../../zone/edit/check-records.ts";
import { listRecords, type RecordRow, RecordWithZone, recordById } from "../../zone/record.ts";
import { Connection } from "../connection.ts";
import { RecordConnection } from "../connections.ts";
import type { Context } from "../context.ts";
import { readId, readOptionalId } from "../read-id.ts";
import { withoutNulls } from "../without-nulls.ts";
import {
  ChangeRecordsInput,
  CreateRecordInput,
  DeleteRecordInput,
  RecordInput,
  RecordsArgs,
  UpdateRecordInput,
} from "./record-inputs.ts";

@ObjectType({ description: "The created record.", simpleResolvers: true })
class CreateRecordPayload {
  @Field(() => RecordWithZone, { description: "The record as stored." })
  record!: RecordRow;

  @Field(() => Change, { description: "The change that it came with." })
  change!: ChangeRow;

  @Field(() => [String], { description: "What was accepted and still looks wrong." })
  warnings!: readonly string[];
}

@ObjectType({ description: "The edited record.", simpleResolvers: true })
class UpdateRecordPayload {
  @Field(() => RecordWithZone, { description: "The record as stored." })
  record!: RecordRow;

  @Field(() => Change, {
    nullable: true,
    description: "The change that it came with; null when the edit changed nothing.",
  })
  change!: ChangeRow | null;

  @Field(() => [String], { description: "What was accepted and still looks wrong." })
  warnings!: readonly string[];
}

@ObjectType({ description: "The deleted record's id.", simpleResolvers: true })
class DeleteRecordPayload {
  @Field(() => ID, { description: "The id that the record had." })
  deletedId!: number;

  @Field(() => Change, { description: "The change that removed it." })
  change!: ChangeRow;

  @Field(() => [String], { description: "What was accepted and still looks wrong." })
  warnings!: readonly string[];
}

@ObjectType({ description: "What many edits of a zone came to.", simpleResolvers: true })
class ChangeRecordsPayload {
  @Field(() => Change, { nullable: true, description: "The change; null in a dry run, or when nothing changed." })
  change!: ChangeRow | null;

  @Field(() => [RecordWithZone], {
    description: "The updated and then the added records, in the order of the input; none in a dry run.",
  })
  records!: readonly RecordRow[];

  @Field(() => [ChangeRecord], { description: "What the change removes, the SOA first; edited records as they were." })
  removed!: readonly Omit<ChangeRecordRow, "ordinal">[];

  @Field(() => [ChangeRecord], { description: "What the change adds, the SOA first; edited records as they are now." })
  added!: readonly Omit<ChangeRecordRow, "ordinal">[];

  @Field(() => [String], { description: "What was accepted and still looks wrong." })
  warnings!: readonly string[];
}

@ObjectType({ description: "One reason to refuse a record.", simpleResolvers: true })
class RecordRefusal {
  @Field(() => String, { description: "The error code." })
  code!: string;

  @Field(() => String, { nullable: true, description: "The field it is about: owner, type, ttl or rdata." })
  field?: string | null;

  @Field(() => String, { description: "What is wrong and what to write instead." })
  message!: string;
}

@ObjectType({
  description: "What would become of a record, judged alone: not against the zone's records.",
  simpleResolvers: true,
})
class RecordCheck {
  @Field(() => Boolean, { description: "Whether the record is well formed." })
  ok!: boolean;

  @Field(() => String, { nullable: true, description: "The canonical owner; null when it is refused." })
  owner!: string | null;

  @Field(() => RecordTypeScalar, { nullable: true, description: "The type's mnemonic; null when it is refused." })
  type!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: "The TTL, seconds; 3600 where none is given; null when it is refused.",
  })
  ttl!: number | null;

  @Field(() => String, { nullable: true, description: "The canonical data; null when it is refused." })
  rdata!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The data on the wire, hexadecimal, letter case kept; null when it is refused.",
  })
  wire!: string | null;

  @Field(() => [RecordRefusal], { description: "Every reason to refuse the record; none when it is ok." })
  refusals!: readonly RecordRefusal[];
}

@Resolver(() => RecordWithZone)
export class RecordResolver {
  @Query(() => RecordWithZone, { nullable: true, description: "The record of this id; NOT_FOUND when there is none." })
  record(
    @Arg("id", () => ID, { description: "The record's id." }) id: string,
    @Ctx() { session }: Context,
  ): Promise<RecordRow> {
    return recordById(session, readId(id, "id"));
  }

  @Query(() => RecordConnection, { description: "The records of all zones that the key sees." })
  async records(
    @Args(() => RecordsArgs) { filter, orderBy, ...page }: RecordsArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<RecordRow>> {
    const { userId, ...rest } = filter ?? {};
    const selected = withoutNulls({ ...rest, userId: readOptionalId(userId, "userId") });
    return new Connection(await listRecords(session, selected, { ...page, order: orderBy }));
  }

  @Query(() => [RecordCheck], {
    description: "Judges records while they are typed: each alone, in order, nothing is stored.",
  })
  checkRecords(
    @Arg("zone", () => String, { description: "Zone name in any spelling; relative names are completed with it." })
    zone: string,
    @Arg("records", () => [RecordInput], { description: "The records, 1000 at most." }) records: RecordInput[],
    @Ctx() { session }: Context,
  ): Promise<readonly RecordCheckResult[]> {
    return checkRecords(session, zone, records);
  }

  @FieldResolver(() => String, {
    description: "The owner in Unicode (RFC 5890), for people; sent back, it is the same owner.",
  })
  unicode(@Root() { owner }: RecordRow): string {
    return unicodeName(owner);
  }

  @FieldResolver(() => Domain, { description: "The domain that the record belongs to." })
  domain(@Root() record: RecordRow, @Ctx() context: Context): Promise<DomainRow> {
    return context.loadRow("Domain", record.domainId, (ids) => domainsByIds(context.session, ids));
  }

  @Mutation(() => CreateRecordPayload, { description: "Adds a record to a zone." })
  async createRecord(
    @Arg("input", () => CreateRecordInput) input: CreateRecordInput,
    @Ctx() { session }: Context,
  ): Promise<CreateRecordPayload> {
    const { zone, expectedSerial, ...record } = input;
    const { change, records, warnings } = await changeZone(
      session,
      zone,
      { add: [record] },
      { expectedSerial, single: true },
    );
    return { record: records[0] as RecordRow, change: change as ChangeRow, warnings };
  }

  @Mutation(() => UpdateRecordPayload, { description: "Edits a record; an edit that changes nothing moves nothing." })
  async updateRecord(
    @Arg("input", () => UpdateRecordInput) input: UpdateRecordInput,
    @Ctx() { session }: Context,
  ): Promise<UpdateRecordPayload> {
    const { id, zone, expectedSerial, ...fields } = input;
    const edit = { ...withoutNulls(fields), id: readId(id, "id") };
    const { change, records, warnings } = await changeRecord(
      session,
      edit.id,
      { update: [edit] },
      { zone, expectedSerial },
    );
    return { record: records[0] as RecordRow, change, warnings };
  }

  @Mutation(() => DeleteRecordPayload, { description: "Deletes a record; never the SOA, nor the last NS at the apex." })
  async deleteRecord(
    @Arg("input", () => DeleteRecordInput) { id, expectedSerial }: DeleteRecordInput,
    @Ctx() { session }: Context,
  ): Promise<DeleteRecordPayload> {
    const deletedId = readId(id, "id");
    const { change, warnings } = await changeRecord(session, deletedId, { remove: [deletedId] }, { expectedSerial });
    return { deletedId, change: change as ChangeRow, warnings };
  }

  @Mutation(() => ChangeRecordsPayload, {
    description: "Removes, updates and adds many records of a zone in one change, all or none.",
  })
  changeRecords(
    @Arg("input", () => ChangeRecordsInput) input: ChangeRecordsInput,
    @Ctx() { session }: Context,
  ): Promise<ZoneChange> {
    const remove = (input.remove ?? []).map((id, at) => readId(id, `remove.${at}`));
    const update = (input.update ?? []).map(({ id, ...fields }, at) => ({
      ...withoutNulls(fields),
      id: readId(id, `update.${at}.id`),
    }));
    const { zone, add = [], expectedSerial, preconditions, dryRun } = input;
    return changeZone(session, zone, { remove, update, add: add ?? [] }, { expectedSerial, preconditions, dryRun });
  }
}
