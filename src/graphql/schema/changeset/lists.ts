/**
 * Where change sets are found, and how one is followed: those of a domain, and the subscription to one.
 */
import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Resolver, Root, Subscription } from "type-graphql";
import { ChangeSet, type ChangeSetRow } from "../../../changeset/change-set.ts";
import { changeSetsOfDomains } from "../../../changeset/change-set-list.ts";
import { ChangeSetState } from "../../../changeset/states.ts";
import { watchChangeSet } from "../../../changeset/watch.ts";
import { IdScalar } from "../../../scalars.ts";
import { Domain, type DomainRow } from "../../../zone/domain.ts";
import { Connection } from "../../connection.ts";
import type { Context } from "../../context.ts";
import { PageArgs } from "../../page-args.ts";
import { ChangeSetConnection } from "./change-set.ts";

@ArgsType()
class ChangeSetsOfDomainArgs extends PageArgs {
  @Field(() => [ChangeSetState], { nullable: true, description: "States; the change set is in one of them." })
  states?: ChangeSetState[];
}

@Resolver(() => Domain)
export class ChangeSetListResolver {
  @FieldResolver(() => ChangeSetConnection, {
    nullable: true,
    description: "The change sets with this zone that the key may see, newest first.",
  })
  async changeSets(
    @Root() { id }: DomainRow,
    @Args(() => ChangeSetsOfDomainArgs) { states, ...page }: ChangeSetsOfDomainArgs,
    @Ctx() context: Context,
  ): Promise<Connection<ChangeSetRow>> {
    const read = (ids: readonly number[]) => changeSetsOfDomains(context.session, ids, states ?? undefined, page);
    return new Connection(await context.load("Domain.changeSets", { states, page }, id, read));
  }

  @Subscription(() => ChangeSet, {
    description: "A change set, now and after each event. Ends with an error when the key may not see it any more.",
    subscribe: ({ args, context }) => watch((args as { id: number }).id, context as Context),
  })
  changeSetChanged(
    @Arg("id", () => IdScalar, { description: "The id of the change set." }) _id: number,
    @Root() set: ChangeSetRow,
  ): ChangeSetRow {
    return set;
  }
}

/** The states of a set; the loaders are cleared before each, so that what belongs to it is the present. */
async function watch(id: number, context: Context): Promise<AsyncIterable<ChangeSetRow>> {
  const sets = watchChangeSet(context.session, id, context.caller);
  return (async function* shown() {
    for await (const set of sets) {
      context.forget();
      yield set;
    }
  })();
}
