/** Schedules of change sets in the schema: when a set is applied, and why it was not. */
import { Arg, Ctx, Field, FieldResolver, InputType, Mutation, ObjectType, Resolver, Root } from "type-graphql";
import { scheduleChangeSet, unscheduleChangeSet } from "../../../changeset/apply/schedule.ts";
import { ChangeSet, type ChangeSetRow, type Failure } from "../../../changeset/change-set.ts";
import { expiringStates, OnMissed } from "../../../changeset/states.ts";
import type { Reason } from "../../../errors.ts";
import { PlainTextField } from "../../checked-fields.ts";
import type { Context } from "../../context.ts";
import { DateTimeScalar, ErrorCode } from "../../scalars/scalars.ts";
import { ErrorReason, usualReasons } from "../shared/error-extensions.ts";
import { ChangeSetPayload } from "./change-set.ts";
import { ChangeSetIdInput, ChangeSetStepInput } from "./inputs.ts";

@ObjectType({ description: "Why a change set came back when it was to be applied.", simpleResolvers: true })
class ChangeSetFailure {
  @Field(() => DateTimeScalar, { description: "When it was to be applied." })
  at!: Date;

  @Field(() => ErrorCode, { description: "The code of the error." })
  code!: Failure["code"];

  @Field(() => String, { description: "What was in the way." })
  message!: string;

  @Field(() => [ErrorReason], { complexity: usualReasons, description: "The reasons one by one, at most 20." })
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

  @PlainTextField(100, { description: "The fingerprint of the preview: it is applied only if it still does that." })
  expectedFingerprint!: string;
}

@Resolver(() => ChangeSet)
export class ChangeSetScheduleResolver {
  @FieldResolver(() => ChangeSetFailure, {
    nullable: true,
    description: "Why it was not applied as scheduled or approved; null if that did not happen since its last step.",
  })
  failure(@Root() { failure }: ChangeSetRow): ChangeSetFailure | null {
    return failure && { ...failure, at: new Date(failure.at) };
  }

  @FieldResolver(() => DateTimeScalar, {
    nullable: true,
    description: "When it expires unless somebody works on it (CHANGE_SET_DAYS); null if never.",
  })
  expiresAt(@Root() { state, updatedAt }: ChangeSetRow, @Ctx() { session }: Context): Date | null {
    if (!expiringStates.includes(state)) return null;
    return new Date(updatedAt.getTime() + session.policy.changeSetLimits.days * 86_400_000);
  }

  @Mutation(() => ChangeSetPayload, {
    description:
      "Schedules a change set that may be applied now. It is applied by the right of this key, if it still does what it does now; otherwise it returns to review or draft with its `failure`.",
  })
  async scheduleChangeSet(
    @Arg("input", () => ScheduleChangeSetInput) { changeSetId, ...schedule }: ScheduleChangeSetInput,
    @Ctx() { session }: Context,
  ): Promise<ChangeSetPayload> {
    return new ChangeSetPayload(session, await scheduleChangeSet(session, changeSetId, schedule));
  }

  @Mutation(() => ChangeSetPayload, { description: "Removes the schedule of a change set." })
  async unscheduleChangeSet(
    @Arg("input", () => ChangeSetStepInput) { changeSetId, ...step }: ChangeSetStepInput,
    @Ctx() { session }: Context,
  ): Promise<ChangeSetPayload> {
    return new ChangeSetPayload(session, await unscheduleChangeSet(session, changeSetId, step));
  }
}
