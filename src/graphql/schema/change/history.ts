/**
 * The history of a zone in the schema: its journal, the zone at a moment, differences between two moments, the versions
 * of an RRset. Domains and deleted domains have it.
 */
import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Int, ObjectType, Query, Resolver, Root } from "type-graphql";
import { User, type UserRow } from "../../../account/user.ts";
import { unicodeName } from "../../../dns/name.ts";
import { Refusal } from "../../../errors.ts";
import { Change, type ChangeRow } from "../../../zone/change.ts";
import { changesAtSerial, changesOfDomains, noSuchSerial } from "../../../zone/change-list.ts";
import { type HistoricZone, isDeleted, zoneHistory } from "../../../zone/history/deleted-domain.ts";
import { lastMoment, type Moment, momentOf, momentsOf, type Past } from "../../../zone/history/moment.ts";
import { momentText } from "../../../zone/history/past-text.ts";
import { type VersionRow, versionsOfRrset } from "../../../zone/history/versions.ts";
import { maxTextRecords, zoneFileText } from "../../../zone/master-file/export.ts";
import { readOwner } from "../../../zone/record.ts";
import { ZoneHistory } from "../../../zone/zone-history.ts";
import { InputField } from "../../checked-fields.ts";
import { Connection, connectionType } from "../../connection.ts";
import { ChangeConnection } from "../../connection-types.ts";
import type { Context } from "../../context.ts";
import { PageArgs } from "../../page-args.ts";
import { IdScalar, RecordTypeScalar } from "../../scalars/scalars.ts";
import { changeOf, userOf } from "../shared/rows.ts";
import { ChangesOfZoneArgs, DomainSelector } from "../zone/domain-inputs.ts";
import { ZoneDiff } from "./zone-diff.ts";
import { MomentArgs, MomentInput, ZoneMoment } from "./zone-moment.ts";

@ArgsType()
class DifferenceArgs {
  @InputField(() => MomentInput, { description: "The first moment." })
  from!: MomentInput;

  @InputField(() => MomentInput, {
    nullable: true,
    description: "The second moment. Default: the present, or the last state of a deleted zone.",
  })
  to?: MomentInput;
}

@ArgsType()
class VersionsArgs extends PageArgs {
  @Field(() => String, { description: "The owner of the RRset: relative, absolute, or `@`." })
  owner!: string;

  @Field(() => RecordTypeScalar, { description: "The type of the RRset." })
  type!: string;
}

@ObjectType({ description: "A version of a record, from one change to another.", simpleResolvers: true })
export class RecordVersion {
  @Field(() => IdScalar, { description: "The id of the record." })
  recordId!: number;

  @Field(() => Int, { description: "Time to live, seconds, 0…2147483647." })
  ttl!: number;

  @Field(() => String, { description: "Record data in canonical presentation form; names are absolute." })
  rdata!: string;
}

const RecordVersionConnection = connectionType("RecordVersion", RecordVersion);

@Resolver(() => RecordVersion)
export class RecordVersionResolver {
  @FieldResolver(() => Change, {
    nullable: true,
    description: "The change that began the version; null when it is older than the journal.",
  })
  from(@Root() { since }: VersionRow, @Ctx() context: Context): Promise<ChangeRow | null> {
    return changeOf(since, context);
  }

  @FieldResolver(() => Change, {
    nullable: true,
    description: "The change that ended the version; null while it is the present one.",
  })
  until(@Root() { until }: VersionRow, @Ctx() context: Context): Promise<ChangeRow | null> {
    return changeOf(until, context);
  }
}

@Resolver(() => ZoneHistory)
export class ZoneHistoryResolver {
  @Query(() => ZoneHistory, {
    nullable: true,
    description: "The domain, or the deleted one, the last of its name; NOT_FOUND when there is neither.",
  })
  zoneHistory(
    @Arg("by", () => DomainSelector, { description: "The zone." }) by: DomainSelector,
    @Ctx() { session }: Context,
  ): Promise<HistoricZone> {
    return zoneHistory(session, { ...by });
  }

  @FieldResolver(() => String, {
    description: "The zone name in Unicode (RFC 5890), for display; arguments accept it too.",
  })
  zoneUnicode(@Root() { zone }: HistoricZone): string {
    return unicodeName(zone);
  }

  @FieldResolver(() => User, {
    nullable: true,
    description: "The user who owns the domain, or owned it last; null when the user is deleted.",
  })
  user(@Root() { userId }: HistoricZone, @Ctx() context: Context): Promise<UserRow | null> {
    return userOf(userId, context);
  }

  @FieldResolver(() => ChangeConnection, { nullable: true, description: "The zone's journal, its deletion included." })
  async changes(
    @Root() { id, zone }: HistoricZone,
    @Args(() => ChangesOfZoneArgs) { first, after, last, before, orderBy, ...args }: ChangesOfZoneArgs,
    @Ctx() context: Context,
  ): Promise<Connection<ChangeRow>> {
    const request = { first, after, last, before, order: orderBy };
    const { sinceSerial, owner, ...filter } = args;
    const selected = {
      ...filter,
      owner: owner === undefined ? undefined : readOwner(owner, zone),
      afterId: sinceSerial === undefined ? undefined : await idAtSerial({ id, zone }, sinceSerial, context),
    };
    const read = (ids: readonly number[]) => changesOfDomains(context.session, ids, selected, request);
    return new Connection(await context.load("ZoneHistory.changes", { request, selected }, id, read));
  }

  @FieldResolver(() => String, {
    nullable: true,
    complexity: maxTextRecords,
    description:
      "The zone, or the last state of a deleted one, as a master file of at most 1000 records; a larger one is at GET /api/domain/zonefile/:zone (TOO_LARGE).",
  })
  async zoneFile(@Root() zone: HistoricZone, @Ctx() { session }: Context): Promise<string> {
    const text = isDeleted(zone)
      ? await momentText(session, await lastMoment(session, zone))
      : await zoneFileText(session, zone);
    if (text !== undefined) return text;
    const path = `/api/domain/zonefile/${zone.zone}${isDeleted(zone) ? `?id=${zone.id}` : ""}`;
    throw new Refusal("TOO_LARGE", `${zone.zone} has more than ${maxTextRecords} records; read GET ${path} instead.`);
  }

  @FieldResolver(() => ZoneMoment, {
    nullable: true,
    description:
      "The zone at a moment. NOT_FOUND when it did not exist then, HISTORY_GONE when that is older than the journal.",
  })
  at(@Root() past: Past, @Args(() => MomentArgs) { moment }: MomentArgs, @Ctx() { session }: Context): Promise<Moment> {
    return momentOf(session, past, moment, "moment.");
  }

  @FieldResolver(() => ZoneDiff, {
    nullable: true,
    description:
      "The difference between two moments, in either order. A time before the creation of the zone is an empty zone. Otherwise refused as `at`.",
  })
  async diff(
    @Root() past: Past,
    @Args(() => DifferenceArgs) { from, to }: DifferenceArgs,
    @Ctx() { session }: Context,
  ): Promise<ZoneDiff> {
    return new ZoneDiff(await momentsOf(session, past, from, to));
  }

  @FieldResolver(() => RecordVersionConnection, {
    nullable: true,
    description: "The versions of the records of one RRset, the newest first.",
  })
  async recordVersions(
    @Root() past: Past,
    @Args(() => VersionsArgs) { owner, type, ...page }: VersionsArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<VersionRow>> {
    return new Connection(await versionsOfRrset(session, past, { owner: readOwner(owner, past.zone), type }, page));
  }
}

/** The id of the change with which a zone reached a serial; NOT_FOUND when the journal has none. */
async function idAtSerial({ id, zone }: Past, serial: number, context: Context): Promise<number> {
  const read = (ids: readonly number[]) => changesAtSerial(context.session, ids, serial);
  const changeId = await context.load("ZoneHistory.changeAtSerial", serial, id, read);
  if (changeId === undefined) throw noSuchSerial(zone, serial, "sinceSerial");
  return changeId;
}
