import { Args, ArgsType, Ctx, Field, FieldResolver, InputType, Query, Resolver, Root } from "type-graphql";
import { Domain, type DomainRow } from "../../../zone/domain.ts";
import {
  listUpdateRefusals,
  UpdateRefusal,
  type UpdateRefusalRow,
} from "../../../zone/dynamic-update/refusal-audit.ts";
import { InputField } from "../../checked-fields.ts";
import { Connection } from "../../connection.ts";
import { UpdateRefusalConnection } from "../../connection-types.ts";
import type { Context } from "../../context.ts";
import { PageArgs } from "../../page-args.ts";
import { CreatedRangeFilter } from "../shared/input-fields.ts";
import { domainOf } from "../shared/rows.ts";

@InputType({ description: "A filter; every field that is present must match." })
class UpdateRefusalFilter extends CreatedRangeFilter {
  @Field(() => String, { nullable: true, description: "Zone name in any spelling." })
  zone?: string;
}

@ArgsType()
class UpdateRefusalsArgs extends PageArgs {
  @InputField(() => UpdateRefusalFilter, { nullable: true, description: "Selects refused updates; without it, all." })
  filter?: UpdateRefusalFilter;
}

@Resolver(() => UpdateRefusal)
export class UpdateRefusalResolver {
  @Query(() => UpdateRefusalConnection, {
    description:
      "Refused dynamic updates, newest first; the last hundred of each zone. A user sees those of the user's zones.",
  })
  async updateRefusals(
    @Args(() => UpdateRefusalsArgs) { filter, ...page }: UpdateRefusalsArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<UpdateRefusalRow>> {
    return new Connection(await listUpdateRefusals(session, { ...filter }, page));
  }

  @FieldResolver(() => Domain, {
    nullable: true,
    description: "The domain; null when this service has no such zone, or the domain is deleted.",
  })
  domain(@Root() { domainId }: UpdateRefusalRow, @Ctx() context: Context): Promise<DomainRow | null> {
    return domainOf(domainId, context);
  }
}
