/** Undoing many changes in the schema, by a change set. */
import { Arg, Ctx, Field, FieldResolver, InputType, Int, Mutation, ObjectType, Resolver, Root } from "type-graphql";
import { revertChanges, type ZoneReason } from "../../../changeset/bulk/revert-changes.ts";
import type { Code } from "../../../error-codes.ts";
import { Change, type ChangeRow } from "../../../zone/change.ts";
import { AtMost, InputField } from "../../checked-fields.ts";
import type { Context } from "../../context.ts";
import { ErrorCode, IdScalar, RecordTypeScalar } from "../../scalars/scalars.ts";
import { ChangeFilter } from "../change/change.ts";
import { maxItems } from "../record/record-inputs.ts";
import { DryRunField, OneOf } from "../shared/input-fields.ts";
import { usualItems } from "../shared/payloads.ts";
import { changeOf } from "../shared/rows.ts";
import { StagedPayload, stagedPayload, TitleField } from "./staged-payload.ts";

@OneOf()
@InputType({ description: "What selects changes: one of the fields." })
class ChangesSelector {
  @Field(() => [IdScalar], { nullable: true, description: "Ids of the changes, at most 1000." })
  @AtMost(maxItems)
  changeIds?: number[];

  @Field(() => IdScalar, { nullable: true, description: "The change set that made the changes." })
  changeSetId?: number;

  @InputField(() => ChangeFilter, {
    nullable: true,
    description: "A filter with `createdSince`, and `actor` or `zone`.",
  })
  filter?: ChangeFilter;
}

@InputType({ description: "Changes to undo." })
class RevertChangesInput {
  @InputField(() => ChangesSelector, { description: "The changes." })
  by!: ChangesSelector;

  @Field(() => [String], {
    nullable: true,
    description: "Only changes of these zones, at most 1000; `*` matches any characters.",
  })
  @AtMost(maxItems)
  zones?: string[];

  @TitleField("what is undone")
  title?: string;

  @Field(() => Boolean, { defaultValue: false, description: "Leave conflicts out, instead of refusing everything." })
  skipConflicts!: boolean;

  @DryRunField()
  dryRun!: boolean;
}

@ObjectType({ description: "What is not undone, and why.", simpleResolvers: true })
class RevertConflict {
  @Field(() => String, { description: "DNS name of the zone." })
  zone!: string;

  @Field(() => String, { nullable: true, description: "The owner, relative to the zone; null of a whole zone." })
  owner?: string;

  @Field(() => RecordTypeScalar, { nullable: true, description: "The type; null of a whole zone." })
  type?: string;

  @Field(() => ErrorCode, { description: "The code that the error would have." })
  code!: Code;

  @Field(() => String, { description: "What is in the way, and what to do." })
  message!: string;
}

@ObjectType({ description: "The result of undoing many changes.", simpleResolvers: true })
class RevertChangesPayload extends StagedPayload {
  @Field(() => Int, { description: "How many changes were selected." })
  selectedCount!: number;

  @Field(() => Int, { description: "Those of them that were undone already." })
  alreadyRevertedCount!: number;

  @Field(() => [RevertConflict], {
    complexity: usualItems,
    description: "What is left out with `skipConflicts`, the first 1000.",
  })
  conflicts!: readonly ZoneReason[];
}

@Resolver()
export class RevertChangesResolver {
  @Mutation(() => RevertChangesPayload, {
    description:
      "Undoes many changes as a change set in state DRAFT, newest first. Creations, deletions and restorations of zones are not undone: CHANGE_CONFLICT, or left out with `skipConflicts`.",
  })
  async revertChanges(
    @Arg("input", () => RevertChangesInput) { by, zones, ...terms }: RevertChangesInput,
    @Ctx() { session }: Context,
  ): Promise<RevertChangesPayload> {
    const result = await revertChanges(session, { ...by, zones }, terms);
    return { ...result, conflicts: result.conflicts.slice(0, maxItems), ...stagedPayload(session, result) };
  }
}

@Resolver(() => RevertConflict)
export class RevertConflictResolver {
  @FieldResolver(() => Change, { nullable: true, description: "The change that is not undone, or not all of it." })
  change(@Root() { changeId }: ZoneReason, @Ctx() context: Context): Promise<ChangeRow | null> {
    return changeOf(changeId, context);
  }
}
