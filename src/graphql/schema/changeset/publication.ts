/**
 * The publication of change sets in the schema: how many of their changes are served.
 */
import { Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root } from "type-graphql";
import { ChangeSet, type ChangeSetRow } from "../../../changeset/change-set.ts";
import { ChangeSetState } from "../../../changeset/states.ts";
import { PublicationState, publications } from "../../../secondary/publication.ts";
import { changesOfSet } from "../../../zone/change-list.ts";
import type { Context } from "../../context.ts";

@ObjectType({ description: "How far the changes of a change set are published.", simpleResolvers: true })
class ChangeSetPublication {
  @Field(() => PublicationState, {
    description: "LIVE when all changes are, LATE when one is, UNSERVED without a required secondary.",
  })
  state!: PublicationState;

  @Field(() => Int, { description: "Changes that every required secondary serves." })
  live!: number;

  @Field(() => Int, { description: "Changes that some required secondary does not serve yet." })
  pending!: number;

  @Field(() => Int, { description: "Changes that a required secondary does not serve in time." })
  late!: number;
}

@Resolver(() => ChangeSet)
export class ChangeSetPublicationResolver {
  @FieldResolver(() => ChangeSetPublication, {
    nullable: true,
    description: "The publication of its changes; null before it is applied.",
  })
  async publication(
    @Root() { id, appliedAt, state: setState }: ChangeSetRow,
    @Ctx() { session }: Context,
  ): Promise<ChangeSetPublication | null> {
    if (!appliedAt && setState !== ChangeSetState.APPLYING) return null;
    const changes = await changesOfSet(session, id);
    const rows = await publications(
      session,
      "change",
      changes.map((change) => change.id),
    );
    const [live, pending, late] = [PublicationState.LIVE, PublicationState.PENDING, PublicationState.LATE].map(
      (state) => rows.filter((row) => row.state === state).length,
    ) as [number, number, number];
    if (rows.length === 0) return null;
    const isServed = live + pending + late > 0;
    const state = late > 0 ? "LATE" : pending > 0 ? "PENDING" : isServed ? "LIVE" : "UNSERVED";
    return { state: PublicationState[state], live, pending, late };
  }
}
