/** Applying change sets in the schema: the progress, why zones were refused, and how many changes are published. */
import { Arg, Ctx, Field, FieldResolver, Int, Mutation, ObjectType, Resolver, Root } from "type-graphql";
import { ChangeSet, type ChangeSetRow, ChangeSetZone } from "../../../changeset/change-set.ts";
import type { ChangeSetZoneRow } from "../../../changeset/contents.ts";
import { progressOfSets, type SetProgress } from "../../../changeset/contents.ts";
import { restageChangeSet } from "../../../changeset/stage/stage.ts";
import { ChangeSetState } from "../../../changeset/states.ts";
import type { Reason } from "../../../errors.ts";
import { PublicationState, publications } from "../../../secondary/publication.ts";
import { changesOfSet } from "../../../zone/change-list.ts";
import type { Context } from "../../context.ts";
import { ErrorReason, usualReasons } from "../shared/error-extensions.ts";
import { ChangeSetPayload } from "./change-set.ts";
import { RestageChangeSetInput } from "./inputs.ts";

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

@ObjectType({ description: "How far the application of a change set has come, in zones.", simpleResolvers: true })
class ChangeSetProgress {
  @Field(() => Int, { description: "Zones of the set." })
  zones!: number;

  @Field(() => Int, { description: "Zones that were changed, or needed no change." })
  applied!: number;

  @Field(() => Int, { description: "Zones that were refused." })
  refused!: number;
}

@Resolver(() => ChangeSet)
export class ChangeSetProgressResolver {
  @FieldResolver(() => ChangeSetProgress, { nullable: true, description: "How many of its zones are done." })
  progress(@Root() { id }: ChangeSetRow, @Ctx() context: Context): Promise<SetProgress> {
    return context.load("ChangeSet.progress", {}, id, (ids) => progressOfSets(context.session, ids));
  }

  @Mutation(() => ChangeSetPayload, {
    description: "Stages the refused zones of a PARTIAL change set again, as a new one in state DRAFT.",
  })
  async restageChangeSet(
    @Arg("input", () => RestageChangeSetInput) { changeSetId, title }: RestageChangeSetInput,
    @Ctx() { session }: Context,
  ): Promise<ChangeSetPayload> {
    const set = await restageChangeSet(session, changeSetId, title ?? undefined);
    return new ChangeSetPayload(session, set);
  }

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

@Resolver(() => ChangeSetZone)
export class ZoneReasonsResolver {
  @FieldResolver(() => [ErrorReason], {
    complexity: usualReasons,
    description: "Why it was refused, at most 20 reasons; empty when it was not.",
  })
  reasons(@Root() { reasons }: ChangeSetZoneRow): readonly Reason[] {
    return reasons ?? [];
  }
}
