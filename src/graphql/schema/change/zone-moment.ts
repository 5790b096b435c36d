/** A moment in the schema: a zone and its records as they were. */
import { Args, ArgsType, Ctx, Field, FieldResolver, InputType, Int, ObjectType, Resolver, Root } from "type-graphql";
import { Refusal } from "../../../errors.ts";
import { Change, type ChangeRow } from "../../../zone/change.ts";
import { type Moment, nextChange } from "../../../zone/history/moment.ts";
import { momentText } from "../../../zone/history/past-text.ts";
import { instantAfter, type PastRecordRow, recordsAt } from "../../../zone/history/versions.ts";
import { maxTextRecords } from "../../../zone/master-file/export.ts";
import { readOwner } from "../../../zone/record.ts";
import { InputField } from "../../checked-fields.ts";
import { Connection, connectionType } from "../../connection.ts";
import type { Context } from "../../context.ts";
import { DateTimeScalar, IdScalar, RecordTypeScalar, SerialScalar } from "../../scalars/scalars.ts";
import { OneOf, RecordsOfZoneArgs } from "../shared/input-fields.ts";
import { changeOf } from "../shared/rows.ts";

@OneOf()
@InputType({ description: "A moment of a zone: one of the fields." })
export class MomentInput {
  @Field(() => SerialScalar, {
    nullable: true,
    description: "The zone at this serial, after the last change that gave it.",
  })
  serial?: number;

  @Field(() => DateTimeScalar, { nullable: true, description: "The zone at this time, which is not in the future." })
  time?: Date;

  @Field(() => IdScalar, { nullable: true, description: "The zone after the change of this id." })
  changeId?: number;
}

@ArgsType()
export class MomentArgs {
  @InputField(() => MomentInput, { description: "The moment." })
  moment!: MomentInput;
}

@ObjectType({ description: "A record as it was at a moment.", simpleResolvers: true })
export class PastRecord {
  @Field(() => String, { description: "Name of the record, relative to the zone, lower case; `@` is the apex." })
  owner!: string;

  @Field(() => RecordTypeScalar, { description: "Type mnemonic, upper case." })
  type!: string;

  @Field(() => Int, { description: "Time to live, seconds, 0…2147483647." })
  ttl!: number;

  @Field(() => String, { description: "Record data in canonical presentation form; names are absolute." })
  rdata!: string;
}

const PastRecordConnection = connectionType("PastRecord", PastRecord);

@ObjectType({ description: "A zone as it was from one of its changes to the next.", simpleResolvers: true })
export class ZoneMoment {
  @Field(() => String, { description: "DNS name of the zone." })
  zone!: string;

  @Field(() => Change, { description: "The change that made it so." })
  change!: ChangeRow;
}

@Resolver(() => ZoneMoment)
export class ZoneMomentResolver {
  @FieldResolver(() => SerialScalar, { description: "SOA serial of the zone." })
  serial(@Root() { change }: Moment): number {
    return change.serial;
  }

  @FieldResolver(() => Change, {
    nullable: true,
    description: "The next change, which ended the moment; null while the moment is the present.",
  })
  endedBy(@Root() { change }: Moment, @Ctx() { session }: Context): Promise<ChangeRow | null> {
    return nextChange(session, change);
  }

  @FieldResolver(() => PastRecordConnection, {
    nullable: true,
    description: "The records, by owner and type, with the apex and the SOA first.",
  })
  async records(
    @Root() { zone, change }: Moment,
    @Args(() => RecordsOfZoneArgs) { first, after, last, before, owner, ...filter }: RecordsOfZoneArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<PastRecordRow>> {
    const selected = { ...filter, owner: typeof owner === "string" ? readOwner(owner, zone) : undefined };
    return new Connection(await recordsAt(session, instantAfter(change), selected, { first, after, last, before }));
  }

  @FieldResolver(() => String, {
    nullable: true,
    complexity: maxTextRecords,
    description:
      "The zone as a master file of at most 1000 records; a larger one is at GET /api/domain/zonefile/:zone?at= (TOO_LARGE).",
  })
  async zoneFile(@Root() moment: Moment, @Ctx() { session }: Context): Promise<string> {
    const text = await momentText(session, moment);
    if (text !== undefined) return text;
    const { zone, change } = moment;
    const path = `/api/domain/zonefile/${zone}?at=${change.id}`;
    throw new Refusal("TOO_LARGE", `${zone} had more than ${maxTextRecords} records; read GET ${path} instead.`);
  }
}

@Resolver(() => PastRecord)
export class PastRecordResolver {
  @FieldResolver(() => IdScalar, {
    description: "The id of the record. Not unique here: the record may have other data at other moments.",
  })
  recordId(@Root() { id }: PastRecordRow): number {
    return id;
  }

  @FieldResolver(() => Change, {
    nullable: true,
    description: "The last change that added or edited the record; null when older than the journal.",
  })
  blame(@Root() { changeId }: PastRecordRow, @Ctx() context: Context): Promise<ChangeRow | null> {
    return changeOf(changeId, context);
  }

  @FieldResolver(() => Change, {
    nullable: true,
    description: "The last restoration of the deleted zone after `blame`; null when there was none.",
  })
  restoredBy(@Root() { restoredBy }: PastRecordRow, @Ctx() context: Context): Promise<ChangeRow | null> {
    return changeOf(restoredBy, context);
  }
}
