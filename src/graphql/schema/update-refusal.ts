/**
 * The audit of dynamic updates that were turned down, in the schema.
 */
import { Args, ArgsType, Ctx, Field, FieldResolver, Query, Resolver, Root } from "type-graphql";
import { Domain, type DomainRow, domainsByIds } from "../../zone/domain.ts";
import { listUpdateRefusals, UpdateRefusal, type UpdateRefusalRow } from "../../zone/update/refusal-audit.ts";
import { Connection } from "../connection.ts";
import { UpdateRefusalConnection } from "../connections.ts";
import type { Context } from "../context.ts";
import { PageArgs } from "../page-args.ts";
import { withoutNulls } from "../without-nulls.ts";

@ArgsType()
class UpdateRefusalsArgs extends PageArgs {
  @Field(() => String, { nullable: true, description: "Only those of this zone; its name in any spelling." })
  zone?: string;
}

@Resolver(() => UpdateRefusal)
export class UpdateRefusalResolver {
  @Query(() => UpdateRefusalConnection, {
    description:
      "Dynamic updates that were turned down, the newest first: all for an administrator, those of the user's own zones otherwise. The newest hundred of each zone are kept.",
  })
  async updateRefusals(
    @Args(() => UpdateRefusalsArgs) { zone, ...page }: UpdateRefusalsArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<UpdateRefusalRow>> {
    return new Connection(await listUpdateRefusals(session, withoutNulls({ zone }), { ...page, order: "NEWEST" }));
  }

  @FieldResolver(() => Domain, {
    nullable: true,
    description: "The domain that was to be updated; null when it is no zone of this service.",
  })
  async domain(@Root() { domainId }: UpdateRefusalRow, @Ctx() context: Context): Promise<DomainRow | null> {
    if (domainId === null) return null;
    return (await context.findRow("Domain", domainId, (ids) => domainsByIds(context.session, ids))) ?? null;
  }
}
