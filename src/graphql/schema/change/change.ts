import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, InputType, Int, Query, Resolver, Root } from "type-graphql";
import { User, type UserRow } from "../../../account/user.ts";
import {
  Change,
  type ChangeRow,
  type ChangeSource,
  changeById,
  type changeOrders,
  changesUndoing,
} from "../../../zone/change.ts";
import { listChanges } from "../../../zone/change-list.ts";
import { type ChangeRecordRow, recordsOfChanges } from "../../../zone/change-record.ts";
import { summariesOf, summaryRecords } from "../../../zone/change-summary.ts";
import { userIdsOfChanges } from "../../../zone/change-user.ts";
import { Domain, type DomainRow } from "../../../zone/domain.ts";
import { InputField } from "../../checked-fields.ts";
import { Connection } from "../../connection.ts";
import { ChangeConnection, ChangedRecordConnection, JournalOrder } from "../../connection-types.ts";
import type { Context } from "../../context.ts";
import { PageArgs } from "../../page-args.ts";
import { IdScalar, RecordTypeScalar } from "../../scalars/scalars.ts";
import { ActorField, CreatedRangeFilter, SourceField } from "../shared/input-fields.ts";
import { changeOf, domainOf, userOf } from "../shared/rows.ts";

@InputType({ description: "A filter; every field that is present must match." })
export class ChangeFilter extends CreatedRangeFilter {
  @Field(() => String, { nullable: true, description: "Name of the zone, in any spelling; it may be deleted." })
  zone?: string;

  @Field(() => String, {
    nullable: true,
    description:
      "Only changes of records of this owner: relative, absolute, or `@`. Requires `zone` or `createdSince`.",
  })
  owner?: string;

  @Field(() => RecordTypeScalar, {
    nullable: true,
    description: "Only changes of records of this type. Requires `zone` or `createdSince`.",
  })
  type?: string;

  @ActorField()
  actor?: string;

  @SourceField()
  source?: (typeof ChangeSource)[keyof typeof ChangeSource];
}

@ArgsType()
class ChangesArgs extends PageArgs {
  @InputField(() => ChangeFilter, { nullable: true, description: "Selects changes; without it, all." })
  filter?: ChangeFilter;

  @Field(() => JournalOrder, { defaultValue: JournalOrder.CREATED_DESC, description: "Sort order." })
  orderBy!: keyof typeof changeOrders;
}

const summaryOf = ({ id }: ChangeRow, context: Context) =>
  context.load("Change.summary", null, id, (ids) => summariesOf(context.session, ids));

@Resolver(() => Change)
export class ChangeResolver {
  @Query(() => ChangeConnection, {
    nullable: true,
    description: "The changes of all zones that the key may see, of deleted ones too.",
  })
  async changes(
    @Args(() => ChangesArgs) { filter, orderBy, ...page }: ChangesArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<ChangeRow>> {
    return new Connection(await listChanges(session, { ...filter }, { ...page, order: orderBy }));
  }

  @Query(() => Change, { nullable: true, description: "The change of this id; NOT_FOUND when there is none." })
  change(
    @Arg("id", () => IdScalar, { description: "The change's id." }) id: number,
    @Ctx() { session }: Context,
  ): Promise<ChangeRow> {
    return changeById(session, id);
  }

  @FieldResolver(() => Domain, { nullable: true, description: "The changed domain; null when it was deleted since." })
  domain(@Root() change: ChangeRow, @Ctx() context: Context): Promise<DomainRow | null> {
    return domainOf(change.domainId, context);
  }

  @FieldResolver(() => User, {
    nullable: true,
    description:
      "The user whose key made it; null for an administrator's key, a deleted user, and one that the key may not see.",
  })
  async user(@Root() { id }: ChangeRow, @Ctx() context: Context): Promise<UserRow | null> {
    const read = (ids: readonly number[]) => userIdsOfChanges(context.session, ids);
    const userId = await context.load("Change.userId", null, id, read);
    return userOf(userId, context);
  }

  @FieldResolver(() => String, {
    nullable: true,
    complexity: 2 * summaryRecords,
    description:
      "What it did, for people: `www A 192.0.2.1 → 192.0.2.2`, or `+4 −2 in 3 RRsets: www A, @ MX, @ TXT`, which counts records.",
  })
  async summary(@Root() change: ChangeRow, @Ctx() context: Context): Promise<string> {
    return (await summaryOf(change, context)).text;
  }

  @FieldResolver(() => Int, {
    nullable: true,
    complexity: 2 * summaryRecords,
    description: "Number of records that it added; an edited record counts as removed and as added.",
  })
  async addedCount(@Root() change: ChangeRow, @Ctx() context: Context): Promise<number> {
    return (await summaryOf(change, context)).addedCount;
  }

  @FieldResolver(() => Int, {
    nullable: true,
    complexity: 2 * summaryRecords,
    description: "Number of records that it removed; an edited record counts as removed and as added.",
  })
  async removedCount(@Root() change: ChangeRow, @Ctx() context: Context): Promise<number> {
    return (await summaryOf(change, context)).removedCount;
  }

  @FieldResolver(() => Change, {
    nullable: true,
    description: "The change that this one undid; null if none, or no longer kept.",
  })
  undoes(@Root() { undoes }: ChangeRow, @Ctx() context: Context): Promise<ChangeRow | null> {
    return changeOf(undoes, context);
  }

  @FieldResolver(() => Change, {
    nullable: true,
    description: "The last change that undid this one alone; null if none did.",
  })
  async undoneBy(@Root() { id }: ChangeRow, @Ctx() context: Context): Promise<ChangeRow | null> {
    return (await context.find("Change.undoneBy", id, (ids) => changesUndoing(context.session, ids))) ?? null;
  }

  @FieldResolver(() => Change, {
    nullable: true,
    description: "The earlier change to whose state this one returned the zone; null if none.",
  })
  returnsTo(@Root() { returnsTo }: ChangeRow, @Ctx() context: Context): Promise<ChangeRow | null> {
    return changeOf(returnsTo, context);
  }

  @FieldResolver(() => ChangedRecordConnection, {
    nullable: true,
    description:
      "The removed records, and edited ones as they were before; the SOA first, if more than its serial changed.",
  })
  removed(
    @Root() change: ChangeRow,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: Context,
  ): Promise<Connection<ChangeRecordRow>> {
    return records(context, change, true, page);
  }

  @FieldResolver(() => ChangedRecordConnection, {
    nullable: true,
    description:
      "The added records, and edited ones as they are after; the SOA first, if more than its serial changed.",
  })
  added(
    @Root() change: ChangeRow,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: Context,
  ): Promise<Connection<ChangeRecordRow>> {
    return records(context, change, false, page);
  }
}

async function records(
  context: Context,
  change: ChangeRow,
  removed: boolean,
  page: PageArgs,
): Promise<Connection<ChangeRecordRow>> {
  const request = { ...page, order: "ORDINAL" };
  const read = (ids: readonly number[]) => recordsOfChanges(context.session, ids, removed, request);
  return new Connection(await context.load("Change.records", { removed, request }, change.id, read));
}
