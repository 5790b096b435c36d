/**
 * The audit of refused dynamic updates in the schema.
 */
import { Args, ArgsType, Ctx, Field, FieldResolver, Query, Resolver, Root } from "type-graphql";
import { Domain, type DomainRow, domainsByIds } from "../../zone/domain.ts";
import { listUpdateRefusals, UpdateRefusal, type UpdateRefusalRow } from "../../zone/dynamic-update/refusal-audit.ts";
import { Connection } from "../connection.ts";
import { UpdateRefusalConnection } from "../connection-types.ts";
import type { Context } from "../context.ts";
import { PageArgs } from "../page-args.ts";
import { withoutNulls } from "../without-nulls.ts";

@ArgsType()
class UpdateRefusalsArgs extends PageArgs {
  @Field(() => String, { nullable: true, description: "Only updates of this zone; its name in any spelling." })
  zone?: string;
}

@Resolver(() => UpdateRefusal)
export class UpdateRefusalResolver {
  @Query(() => UpdateRefusalConnection, {
    description:
      "Refused dynamic updates, newest first: all of them for an administrator, those of the user's zones for a " +
      "user. The last hundred of each zone are kept.",
  })
  async updateRefusals(
    @Args(() => UpdateRefusalsArgs) { zone, ...page }: UpdateRefusalsArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<UpdateRefusalRow>> {
    return new Connection(await listUpdateRefusals(session, withoutNulls({ zone }), { ...page, order: "NEWEST" }));
  }

  @FieldResolver(() => Domain, {
    nullable: true,
    description: "The domain of the update; null when the zone is not one of this service.",
  })
  async domain(@Root() { domainId }: UpdateRefusalRow, @Ctx() context: Context): Promise<DomainRow | null> {
    if (domainId === null) return null;
    return (await context.findRow("Domain", domainId, (ids) => domainsByIds(context.session, ids))) ?? null;
  }
}
