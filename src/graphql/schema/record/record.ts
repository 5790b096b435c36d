/** Records in the schema: the operations on them and their results. */
import { Arg, Args, Ctx, Field, FieldResolver, Int, Mutation, ObjectType, Query, Resolver, Root } from "type-graphql";
import { unicodeName } from "../../../dns/name.ts";
import { withFindings } from "../../../finding/change-findings.ts";
import { Change, type ChangeRow } from "../../../zone/change.ts";
import { ChangeRecord, type ShownRecord } from "../../../zone/change-record.ts";
import { Domain, type DomainRow, domainsByIds } from "../../../zone/domain.ts";
import { changeRecord, changeZone } from "../../../zone/edit/change-zone.ts";
import { checkRecords, type RecordCheckResult } from "../../../zone/edit/check-records.ts";
import type { Notice } from "../../../zone/edit/notice.ts";
import type { WorkingRecord } from "../../../zone/edit/working-copy.ts";
import { writersOfRecords } from "../../../zone/history/blame.ts";
import type { Loss } from "../../../zone/loss.ts";
import { type RecordRow, RecordWithZone, recordById } from "../../../zone/record.ts";
import { listRecords } from "../../../zone/record-list.ts";
import { Connection } from "../../connection.ts";
import { RecordConnection } from "../../connection-types.ts";
import type { Context } from "../../context.ts";
import { DateTimeScalar, IdScalar, RecordTypeScalar, SerialScalar } from "../../scalars/scalars.ts";
import { ErrorReason } from "../shared/error-extensions.ts";
import { DeleteWithChangePayload, LossField, NoticesField, OptionalChangePayload } from "../shared/payloads.ts";
import { readData, readNewData } from "./record-data-input.ts";
import {
  ChangeRecordsInput,
  CreateRecordInput,
  DeleteRecordInput,
  RecordInput,
  RecordsArgs,
  readEdits,
  UpdateRecordInput,
} from "./record-inputs.ts";

@ObjectType({ description: "The created or edited record.", simpleResolvers: true })
class RecordPayload extends OptionalChangePayload {
  @Field(() => RecordWithZone, { description: "The record as stored." })
  record!: RecordRow;
}

@ObjectType({ description: "Result of changeRecords.", simpleResolvers: true })
class ChangeRecordsPayload extends OptionalChangePayload {
  @Field(() => [RecordWithZone], {
    description: "The updated, then the added records, in input order; empty in a dry run.",
  })
  records!: readonly RecordRow[];

  @Field(() => [ChangeRecord], { description: "The removed records; edited records as they were before." })
  removed!: readonly ShownRecord[];

  @Field(() => [ChangeRecord], { description: "The added records; edited records as they are after." })
  added!: readonly ShownRecord[];

  @Field(() => SerialScalar, { description: "The serial of the zone after the change, also in a dry run." })
  serial!: number;

  @LossField()
  loss!: Loss;
}

@ObjectType({ description: "The check of a record without the other records of its zone.", simpleResolvers: true })
class RecordCheck {
  @Field(() => Boolean, { description: "Whether the record is valid on its own." })
  ok!: boolean;

  @Field(() => String, { nullable: true, description: "The canonical owner; null when the record is refused." })
  owner!: string | null;

  @Field(() => RecordTypeScalar, {
    nullable: true,
    description: "The type's mnemonic; null when the record is refused.",
  })
  type!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: "The TTL, seconds, 3600 by default; null when the record is refused.",
  })
  ttl!: number | null;

  @Field(() => String, { nullable: true, description: "The canonical data; null when the record is refused." })
  rdata!: string | null;

  @NoticesField()
  notices!: readonly Notice[];

  @Field(() => [ErrorReason], { description: "Every reason to refuse the record, with its field; empty when valid." })
  refusals!: readonly ErrorReason[];
}

@Resolver(() => RecordWithZone)
export class RecordResolver {
  @Query(() => RecordWithZone, { nullable: true, description: "The record of this id; NOT_FOUND when there is none." })
  record(
    @Arg("id", () => IdScalar, { description: "The record's id." }) id: number,
    @Ctx() { session }: Context,
  ): Promise<RecordRow> {
    return recordById(session, id);
  }

  @Query(() => RecordConnection, { description: "The records of all zones that the key may see." })
  async records(
    @Args(() => RecordsArgs) { filter, orderBy, ...page }: RecordsArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<RecordRow>> {
    return new Connection(await listRecords(session, { ...filter }, { ...page, order: orderBy }));
  }

  @Query(() => [RecordCheck], {
    description: "Checks records, each on its own, and returns the results in order; nothing is stored.",
  })
  checkRecords(
    @Arg("zone", () => String, { description: "Zone name in any spelling; relative names are relative to it." })
    zone: string,
    @Arg("records", () => [RecordInput], { description: "The records, at most 1000." }) records: RecordInput[],
    @Ctx() { session }: Context,
  ): Promise<readonly RecordCheckResult[]> {
    return checkRecords(
      session,
      zone,
      records.map(({ data, ...input }, at) => ({ ...input, ...readNewData({ ...input, data }, `records.${at}.`) })),
    );
  }

  @FieldResolver(() => String, {
    description: "The owner in Unicode (RFC 5890), for display; arguments accept it too.",
  })
  ownerUnicode(@Root() { owner }: RecordRow): string {
    return unicodeName(owner);
  }

  @FieldResolver(() => Domain, { nullable: true, description: "The domain that the record belongs to." })
  domain(@Root() record: RecordRow, @Ctx() context: Context): Promise<DomainRow> {
    return context.loadRow("Domain", record.domainId, (ids) => domainsByIds(context.session, ids));
  }

  @FieldResolver(() => Change, {
    nullable: true,
    description: "The last change that added or edited the record; null when older than the journal.",
  })
  changedBy(@Root() { id }: RecordRow, @Ctx() context: Context): Promise<ChangeRow | null> {
    return writerOf(id, context);
  }

  @FieldResolver(() => DateTimeScalar, {
    nullable: true,
    description: "When it was last added or edited; null when that was before the journal.",
  })
  async changedAt(@Root() { id }: RecordRow, @Ctx() context: Context): Promise<Date | null> {
    return (await writerOf(id, context))?.createdAt ?? null;
  }

  @Mutation(() => RecordPayload, { description: "Creates a record in a zone." })
  async createRecord(
    @Arg("input", () => CreateRecordInput) input: CreateRecordInput,
    @Ctx() { session }: Context,
  ): Promise<RecordPayload> {
    const { zone, expectedSerial, note, data, ...fields } = input;
    const record = { ...fields, ...readNewData(input) };
    const { change, records, notices } = await changeZone(
      { ...session, note },
      zone,
      { add: [record] },
      { expectedSerial, single: true },
    );
    return { record: records[0] as RecordRow, change, notices };
  }

  @Mutation(() => RecordPayload, { description: "Edits a record; an edit that changes nothing leaves the serial." })
  async updateRecord(
    @Arg("input", () => UpdateRecordInput) input: UpdateRecordInput,
    @Ctx() { session }: Context,
  ): Promise<RecordPayload> {
    const { recordId, zone, expectedSerial, force, note, data, ...fields } = input;
    const edit = { ...fields, ...readData(input), id: recordId };
    const { change, records, notices } = await changeRecord(
      { ...session, note },
      recordId,
      { update: [edit] },
      { zone, expectedSerial, force },
    );
    return { record: records[0] as RecordRow, change, notices };
  }

  @Mutation(() => DeleteWithChangePayload, {
    description: "Deletes a record; PROTECTED_RECORD for the SOA and the last NS at the apex.",
  })
  async deleteRecord(
    @Arg("input", () => DeleteRecordInput) { recordId, expectedSerial, note }: DeleteRecordInput,
    @Ctx() { session }: Context,
  ): Promise<DeleteWithChangePayload> {
    const edits = { remove: [recordId] };
    const { change, notices } = await changeRecord({ ...session, note }, recordId, edits, { expectedSerial });
    return { deletedId: recordId, change: change as ChangeRow, notices };
  }

  @Mutation(() => ChangeRecordsPayload, {
    description: "Removes, updates and adds records of a zone in one change, all or none.",
  })
  async changeRecords(
    @Arg("input", () => ChangeRecordsInput) input: ChangeRecordsInput,
    @Ctx() { session }: Context,
  ): Promise<ChangeRecordsPayload> {
    const { zone, expectedSerial, preconditions, force, dryRun, note } = input;
    const terms = { expectedSerial, preconditions, force, dryRun };
    const result = await changeZone({ ...session, note }, zone, readEdits(input), terms);
    const planned = { ...result, zone: result.loss.zone };
    const notices = dryRun ? await withFindings(session, planned) : result.notices;
    return { ...result, notices, removed: result.removed.map(shown), added: result.added.map(shown) };
  }
}

const writerOf = async (id: number, context: Context): Promise<ChangeRow | null> =>
  (await context.find("Record.changedBy", id, (ids) => writersOfRecords(context.session, ids))) ?? null;

function shown({ id, owner, type, ttl, rdata }: WorkingRecord): ShownRecord {
  return { recordId: id ?? null, owner, type, ttl, rdata };
}
