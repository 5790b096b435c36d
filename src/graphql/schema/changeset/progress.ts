/**
 * Change sets whose zones change each for itself, in the schema: how far one has come, what was refused of it and why, and that staged again.
 */
import { Arg, Ctx, Field, FieldResolver, Int, Mutation, ObjectType, Resolver, Root } from "type-graphql";
import { ChangeSet, type ChangeSetRow, ChangeSetZone } from "../../../changeset/change-set.ts";
import type { ChangeSetZoneRow } from "../../../changeset/contents.ts";
import { progressOfSets, type SetProgress } from "../../../changeset/progress.ts";
import { restageChangeSet } from "../../../changeset/stage/stage.ts";
import type { Reason } from "../../../errors.ts";
import type { Context } from "../../context.ts";
import { ErrorReason } from "../shared/error-extensions.ts";
import { ChangeSetPayload } from "./change-set.ts";
import { RestageChangeSetInput } from "./inputs.ts";

/** Reasons of a refused zone, as the limit of rows counts them. */
const usualReasons = 5;

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
