/**
 * Changes in the schema: the journals of the zones.
 */
import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from "type-graphql";
import { Change, type ChangeRecordRow, type ChangeRow, changeById, recordsOfChanges } from "../../zone/change.ts";
import { Domain, type DomainRow, domainsByIds } from "../../zone/domain.ts";
import { Connection } from "../connection.ts";
import { ChangedRecordConnection } from "../connection-types.ts";
import type { Context } from "../context.ts";
import { PageArgs } from "../page-args.ts";
import { readId } from "../read-id.ts";

@Resolver(() => Change)
export class ChangeResolver {
  @Query(() => Change, { nullable: true, description: "The change of this id; NOT_FOUND when there is none." })
  change(
    @Arg("id", () => ID, { description: "The change's id." }) id: string,
    @Ctx() { session }: Context,
  ): Promise<ChangeRow> {
    return changeById(session, readId(id, "id"));
  }

  @FieldResolver(() => Domain, { nullable: true, description: "The changed domain; null when it was deleted since." })
  async domain(@Root() change: ChangeRow, @Ctx() context: Context): Promise<DomainRow | null> {
    return (await context.findRow("Domain", change.domainId, (ids) => domainsByIds(context.session, ids))) ?? null;
  }

  @FieldResolver(() => ChangedRecordConnection, {
    nullable: true,
    description: "The removed records, the SOA first; edited records as they were before.",
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
    description: "The added records, the SOA first; edited records as they are after.",
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
