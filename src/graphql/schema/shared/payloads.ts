/** Fields that the results of several mutations share. */
import { Field, FieldResolver, Int, ObjectType, Resolver, Root } from "type-graphql";
import { ChangeSet } from "../../../changeset/change-set.ts";
import { unicodeName } from "../../../dns/name.ts";
import type { Session } from "../../../session/session.ts";
import { Change, type ChangeRow } from "../../../zone/change.ts";
import { Domain, type DomainRow, unknownZones } from "../../../zone/domain.ts";
import {
  type NoticeCode as Code,
  type Notice as NoticeRow,
  noticeCodes,
  type WithNotices,
} from "../../../zone/edit/notice.ts";
import { withoutPlace } from "../../error-format.ts";
import { enumType } from "../../scalars/enum-type.ts";
import { IdScalar, RecordTypeScalar } from "../../scalars/scalars.ts";

const NoticeCode = enumType("NoticeCode", "What a notice is about. More of them may follow.", noticeCodes);

/** The usual number of items of a list in a result, as the row limit counts them. */
export const usualItems = 10;

@ObjectType({ description: "A name with its value.", simpleResolvers: true })
export class NamedValue {
  @Field(() => String, { description: "The name." })
  name!: string;

  @Field(() => String, { description: "The value." })
  value!: string;
}

@ObjectType({
  description: "A warning: something that is probably a mistake, or was corrected.",
  simpleResolvers: true,
})
export class Notice {
  @Field(() => NoticeCode, { description: "What it is about." })
  code!: Code;

  /** NoticeResolver declares the field. */
  message!: string;

  @Field(() => String, { nullable: true, description: "The owner of the record; null if none." })
  owner?: string | undefined;

  @Field(() => RecordTypeScalar, { nullable: true, description: "The type of the record; null if none." })
  type?: string | undefined;

  @Field(() => String, {
    nullable: true,
    description: "The input field, such as `add.3.rdata` with rows from 0; null if none.",
  })
  field?: string | undefined;

  @Field(() => Int, { nullable: true, description: "The line of the master file, from 1; null if none." })
  line?: number | undefined;
}

@Resolver(() => Notice)
export class NoticeResolver {
  @FieldResolver(() => String, { description: "What is wrong, and what to do." })
  message(@Root() notice: NoticeRow): string {
    return withoutPlace(notice).message;
  }
}

export const NoticesField = () =>
  Field(() => [Notice], { description: "What is probably a mistake, or was corrected." });

/** The result of a mutation that may have notices. */
@ObjectType({ simpleResolvers: true })
export class NoticesPayload {
  @NoticesField()
  notices!: readonly NoticeRow[];
}

/** The result of a mutation that always changes a zone. */
@ObjectType({ simpleResolvers: true })
export class ChangePayload extends NoticesPayload {
  @Field(() => Change, { description: "The committed change." })
  change!: ChangeRow;
}

/** The result of a mutation that may change nothing, or is a dry run. */
@ObjectType({ simpleResolvers: true })
export class OptionalChangePayload extends NoticesPayload {
  @Field(() => Change, { nullable: true, description: "Null when nothing changed, also in a dry run." })
  change!: ChangeRow | null;
}

/** Notices about zones of a new key that do not exist. Patterns have none, since they include future zones. */
export async function noticesOfZones(session: Session, zones: readonly string[] | null): Promise<WithNotices> {
  const names = (zones ?? []).filter((zone) => !zone.includes("*"));
  const unknown = names.length > 0 ? await unknownZones(session, names) : [];
  const noticeOf = (zone: string): NoticeRow => ({
    code: "UNKNOWN_ZONE",
    message: `There is no zone ${unicodeName(zone)}; check its name, unless it is yet to be created.`,
    field: "zones",
  });
  return { notices: unknown.map(noticeOf) };
}

@ObjectType({ description: "The domain after the mutation.", simpleResolvers: true })
export class DomainPayload {
  @Field(() => Domain, { description: "The domain as it is now." })
  domain!: DomainRow;
}

@ObjectType({ description: "The deleted object's id.", simpleResolvers: true })
export class DeletePayload {
  @Field(() => IdScalar, { description: "The id of the deleted object." })
  deletedId!: number;
}

@ObjectType({ description: "What was deleted, and the change that deleted it.", simpleResolvers: true })
export class DeleteWithChangePayload extends ChangePayload {
  @Field(() => IdScalar, { description: "The id of the deleted object." })
  deletedId!: number;
}

export const StagedField = () =>
  Field(() => ChangeSet, {
    nullable: true,
    description: "Null when none was asked for, and when nothing would change.",
  });

@ObjectType({
  description: "The records that a zone loses by a change. Ask for confirmation before a large loss.",
  simpleResolvers: true,
})
export class ZoneLoss {
  @Field(() => String, { description: "DNS name of the zone." })
  zone!: string;

  @Field(() => Boolean, { description: "Whether the zone is deleted with all its records." })
  isDeletion!: boolean;

  @Field(() => Int, { description: "Number of records that go; one that is edited stays." })
  lostCount!: number;

  @Field(() => Int, { description: "Number of records of the zone before the change, with SOA and NS." })
  recordCount!: number;

  @Field(() => Boolean, {
    description: "Whether the loss is large: a deletion, or more than ten records and a tenth of the zone.",
  })
  isLarge!: boolean;
}

export const LossField = () =>
  Field(() => ZoneLoss, { description: "The records that the zone loses, also in a dry run." });
