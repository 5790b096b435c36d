/**
 * The past in the schema: a zone as it was, what differs between two moments, the versions of an RRset. A domain has it, and so has a
 * deleted one.
 */
import { ValidateNested } from "class-validator";
import {
  Args,
  ArgsType,
  type ClassType,
  Ctx,
  Field,
  FieldResolver,
  Int,
  ObjectType,
  Resolver,
  Root,
} from "type-graphql";
import { IdScalar, RecordTypeScalar } from "../../scalars.ts";
import { Change, type ChangeRow, DeletedDomain } from "../../zone/change.ts";
import { Domain } from "../../zone/domain.ts";
import { type Moment, momentOf, momentsOf, type Past } from "../../zone/history/moment.ts";
import { type VersionRow, versionsOfRrset } from "../../zone/history/versions.ts";
import { readOwner } from "../../zone/record.ts";
import { Connection, connectionType } from "../connection.ts";
import type { Context } from "../context.ts";
import { PageArgs } from "../page-args.ts";
import { changeOf } from "./change.ts";
import { ZoneDiff } from "./zone-diff.ts";
import { MomentArgs, MomentInput, ZoneMoment } from "./zone-moment.ts";

@ArgsType()
class DifferenceArgs {
  @Field(() => MomentInput, { description: "The moment that the difference is from." })
  @ValidateNested()
  from!: MomentInput;

  @Field(() => MomentInput, { nullable: true, description: "The moment that it leads to; without it, the present." })
  @ValidateNested()
  to?: MomentInput;
}

@ArgsType()
class VersionsArgs extends PageArgs {
  @Field(() => String, { description: "The owner of the RRset: relative, absolute, or `@`." })
  owner!: string;

  @Field(() => RecordTypeScalar, { description: "The type of the RRset." })
  type!: string;
}

@ObjectType({
  description: "A record of an RRset, from the change that made it so to the change that ended that.",
  simpleResolvers: true,
})
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
    description: "The change that made the record so; null when that is from before what the journal keeps.",
  })
  from(@Root() { since }: VersionRow, @Ctx() context: Context): Promise<ChangeRow | null> {
    return changeOf(since, context);
  }

  @FieldResolver(() => Change, {
    nullable: true,
    description: "The change that edited or removed it; null while it is so.",
  })
  until(@Root() { until }: VersionRow, @Ctx() context: Context): Promise<ChangeRow | null> {
    return changeOf(until, context);
  }
}

/** Makes the resolver of the past of a type: a domain, or a deleted one. */
function pastResolver(type: ClassType<object>): ClassType<object> {
  @Resolver(() => type)
  class PastResolver {
    @FieldResolver(() => ZoneMoment, {
      nullable: true,
      description:
        "The zone as it was; say when by one of the arguments. NOT_FOUND when it was never so or did not exist then, HISTORY_GONE when the journal does not go back so far.",
    })
    at(@Root() past: Past, @Args(() => MomentArgs) args: MomentArgs, @Ctx() { session }: Context): Promise<Moment> {
      return momentOf(session, past, args);
    }

    @FieldResolver(() => ZoneDiff, {
      nullable: true,
      description:
        "What differs between two moments, in either order, record by record, with the change that did it. From a time before the zone was created, all of it has come. Refused as `at` otherwise.",
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
      description:
        "All that the journal keeps of one RRset: every version of its records, those that began last first.",
    })
    async recordVersions(
      @Root() past: Past,
      @Args(() => VersionsArgs) { owner, type, ...page }: VersionsArgs,
      @Ctx() { session }: Context,
    ): Promise<Connection<VersionRow>> {
      return new Connection(await versionsOfRrset(session, past, { owner: readOwner(owner, past.zone), type }, page));
    }
  }
  return PastResolver;
}

export const DomainPastResolver = pastResolver(Domain);
export const DeletedDomainPastResolver = pastResolver(DeletedDomain);
