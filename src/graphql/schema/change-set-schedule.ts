/**
 * The schedules of change sets in the schema: when one is applied, and why one was not.
 */
import { Arg, Ctx, Field, FieldResolver, InputType, Mutation, ObjectType, Resolver, Root } from "type-graphql";
import { ChangeSet, type ChangeSetRow, type Failure } from "../../changeset/change-set.ts";
import { scheduleChangeSet, unscheduleChangeSet } from "../../changeset/schedule.ts";
import { expiringStates, OnMissed } from "../../changeset/states.ts";
import type { Reason } from "../../errors.ts";
import { DateTimeScalar, ErrorCode } from "../../scalars.ts";
import type { Context } from "../context.ts";
import { PlainText } from "../plain-text.ts";
import { ChangeSetPayload } from "./change-set.ts";
import { ChangeSetIdInput, ChangeSetStepInput } from "./change-set-inputs.ts";
import { StagedRefusal } from "./change-set-preview.ts";

/** Reasons of a failure, as the limit of rows counts them. */
const usualReasons = 5;

@ObjectType({ description: "Why a change set came back when it was to be applied.", simpleResolvers: true })
class ChangeSetFailure {
  @Field(() => DateTimeScalar, { description: "When it was to be applied." })
  at!: Date;

  @Field(() => ErrorCode, { description: "The code of the error." })
  code!: Failure["code"];

  @Field(() => String, { description: "What was in the way." })
  message!: string;

  @Field(() => [StagedRefusal], { complexity: usualReasons, description: "The reasons one by one, at most 20." })
  reasons!: readonly Reason[];
}

@InputType({ description: "When a change set is applied, and as what." })
class ScheduleChangeSetInput extends ChangeSetIdInput {
  @Field(() => DateTimeScalar, { description: "When it is applied: from 10 seconds to a year ahead." })
  applyAt!: Date;

  @Field(() => OnMissed, {
    defaultValue: OnMissed.APPLY,
    description: "What happens to it when no service runs at that time.",
  })
  onMissed!: OnMissed;

  @Field(() => String, {
    description: "The fingerprint of its preview: it is applied if it still does just that, and comes back otherwise.",
  })
  @PlainText(100)
  expectedFingerprint!: string;
}

@Resolver(() => ChangeSet)
export class ChangeSetScheduleResolver {
  @FieldResolver(() => ChangeSetFailure, {
    nullable: true,
    description:
      "Why it came back when it was to be applied; null when it did not, or was submitted, staged or scheduled since.",
  })
  failure(@Root() { failure }: ChangeSetRow): ChangeSetFailure | null {
    return failure && { ...failure, at: new Date(failure.at) };
  }

  @FieldResolver(() => DateTimeScalar, {
    nullable: true,
    description: "When it ends unless something is done with it (CHANGE_SET_DAYS); null when it does not end so.",
  })
  expiresAt(@Root() { state, touchedAt }: ChangeSetRow, @Ctx() { session }: Context): Date | null {
    if (!expiringStates.includes(state)) return null;
    return new Date(touchedAt.getTime() + session.policy.changeSetLimits.days * 86_400_000);
  }

  @Mutation(() => ChangeSetPayload, {
    description:
      "Schedules a change set that may be applied now. At its time it is applied by the right of this key, as it is looked at now; otherwise it " +
      "comes back with its `failure`: to review when it would do something else, or to its author. It is not tried again by itself.",
  })
  async scheduleChangeSet(
    @Arg("input", () => ScheduleChangeSetInput) { changeSetId, ...schedule }: ScheduleChangeSetInput,
    @Ctx() { session }: Context,
  ): Promise<ChangeSetPayload> {
    return new ChangeSetPayload(session, await scheduleChangeSet(session, changeSetId, schedule));
  }

  @Mutation(() => ChangeSetPayload, {
    description: "Takes the schedule of a change set away; it may be applied as before.",
  })
  async unscheduleChangeSet(
    @Arg("input", () => ChangeSetStepInput) { changeSetId, ...step }: ChangeSetStepInput,
    @Ctx() { session }: Context,
  ): Promise<ChangeSetPayload> {
    return new ChangeSetPayload(session, await unscheduleChangeSet(session, changeSetId, step));
  }
}
