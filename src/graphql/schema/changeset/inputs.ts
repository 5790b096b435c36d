/** Inputs of the operations on change sets. */
import { Max, Min } from "class-validator";
import { ArgsType, Field, InputType, Int } from "type-graphql";
import { maxTitleLength } from "../../../changeset/stage/stage.ts";
import { ChangeSetMode, ChangeSetState, Verdict, ZoneOutcome } from "../../../changeset/states.ts";
import { AtMost, InputField, LongTextField, PlainTextField } from "../../checked-fields.ts";
import { PageArgs } from "../../page-args.ts";
import { IdScalar } from "../../scalars/scalars.ts";
import { maxItems } from "../record/record-inputs.ts";
import { type StageZoneInput, ZonesField } from "./staged-zone-input.ts";

/** The greatest length of a set's description, and of a comment, characters. */
const maxTextLength = 10_000;

const approvalsRange = { message: "write a number from 0 to 2" };

const timeoutRange = { message: "write 0 to 60000" };

const ApprovalsWantedField =
  (options: { nullable?: boolean; defaultValue?: number }): PropertyDecorator =>
  (target, property) => {
    const description = "How many persons other than its authors must approve it, 0 to 2.";
    Field(() => Int, { ...options, description })(target, property);
    Min(0, approvalsRange)(target, property);
    Max(2, approvalsRange)(target, property);
  };

/** The text about a step of a set. */
const TextField = (about: string) =>
  LongTextField(maxTextLength, { defaultValue: "", description: `${about}, at most ${maxTextLength} characters.` });

const FingerprintField = () =>
  PlainTextField(100, {
    description: "The fingerprint of the preview: STALE_CHANGE_SET when the change set would do something else now.",
  });

@InputType()
export class ChangeSetIdInput {
  @Field(() => IdScalar, { description: "The id of the change set." })
  changeSetId!: number;
}

/** A set, and its expected revision. */
@InputType()
export class RevisionInput extends ChangeSetIdInput {
  @Field(() => Int, { nullable: true, description: "The revision that it must be at; otherwise STALE_CHANGE_SET." })
  expectedRevision?: number;
}

@InputType({ description: "A step of a change set, and what its actor says about it." })
export class ChangeSetStepInput extends RevisionInput {
  @TextField("A text for the timeline")
  text!: string;
}

@InputType({ description: "A new change set." })
export class CreateChangeSetInput {
  @PlainTextField(maxTitleLength, { description: `What it is for, at most ${maxTitleLength} characters on one line.` })
  title!: string;

  @LongTextField(maxTextLength, {
    defaultValue: "",
    description: `More about it, at most ${maxTextLength} characters.`,
  })
  description!: string;

  @ApprovalsWantedField({ defaultValue: 0 })
  requestedApprovals!: number;

  @Field(() => ChangeSetMode, {
    defaultValue: ChangeSetMode.ALL,
    description: "Whether its zones change in one step, or one after the other.",
  })
  mode!: ChangeSetMode;

  @ZonesField()
  zones?: StageZoneInput[];
}

@InputType({ description: "New settings of a draft; what is left out does not change." })
export class UpdateChangeSetInput extends RevisionInput {
  @PlainTextField(maxTitleLength, {
    nullable: true,
    description: `New title, at most ${maxTitleLength} characters on one line.`,
  })
  title?: string;

  @LongTextField(maxTextLength, {
    nullable: true,
    description: `New description, at most ${maxTextLength} characters.`,
  })
  description?: string;

  @ApprovalsWantedField({ nullable: true })
  requestedApprovals?: number;

  @Field(() => ChangeSetMode, {
    nullable: true,
    description: "Whether its zones change in one step, or one after the other.",
  })
  mode?: ChangeSetMode;
}

@InputType({ description: "What is staged in a change set, and what is taken out." })
export class StageChangesInput extends RevisionInput {
  @ZonesField()
  zones?: StageZoneInput[];

  @Field(() => [String], { nullable: true, description: "Names of zones to take out of the set, at most 1000." })
  @AtMost(maxItems)
  unstage?: string[];

  @Field(() => Boolean, {
    defaultValue: true,
    description: "Whether `zones` may replace what is staged for them; if not, INVALID_VALUE.",
  })
  replace!: boolean;
}

@InputType({ description: "What a reviewer says of a change set." })
export class ReviewChangeSetInput extends ChangeSetIdInput {
  @Field(() => Verdict, { description: "What is said of it." })
  verdict!: Verdict;

  @FingerprintField()
  expectedFingerprint!: string;

  @TextField("Why, for its author")
  text!: string;
}

@InputType({ description: "A comment on a change set." })
export class CommentChangeSetInput extends ChangeSetIdInput {
  @LongTextField(maxTextLength, { description: `The comment, at most ${maxTextLength} characters.` })
  text!: string;
}

@InputType({ description: "A change set to apply." })
export class ApplyChangeSetInput extends ChangeSetIdInput {
  @FingerprintField()
  expectedFingerprint!: string;

  @Field(() => Int, {
    defaultValue: 10_000,
    description: "How long to wait for a change set of mode EACH_ZONE, 0 to 60000 ms.",
  })
  @Min(0, timeoutRange)
  @Max(60_000, timeoutRange)
  waitMs!: number;
}

@InputType({ description: "The change set whose refused zones are staged again." })
export class RestageChangeSetInput extends ChangeSetIdInput {
  @PlainTextField(maxTitleLength, {
    nullable: true,
    description: `The title of the new set, at most ${maxTitleLength} characters on one line; without it, the same.`,
  })
  title?: string;
}

@InputType({ description: "A filter; every field that is present must match." })
class ChangeSetFilter {
  @Field(() => [ChangeSetState], { nullable: true, description: "States; the change set is in one of them." })
  states?: ChangeSetState[];

  @Field(() => String, { nullable: true, description: "Name of a zone that is in it, in any spelling." })
  zone?: string;

  @Field(() => IdScalar, { nullable: true, description: "Id of the user whose zones are in it." })
  userId?: number;

  @Field(() => Boolean, { nullable: true, description: "Only those in review that this key may approve and has not." })
  awaitingMe?: boolean;

  @Field(() => Boolean, { nullable: true, description: "Only those that the person of this key created or edited." })
  mine?: boolean;
}

@ArgsType()
export class ChangeSetsArgs extends PageArgs {
  @InputField(() => ChangeSetFilter, { nullable: true, description: "Selects change sets; without it, all." })
  filter?: ChangeSetFilter;
}

@ArgsType()
export class ZonesOfSetArgs extends PageArgs {
  @Field(() => ZoneOutcome, { nullable: true, description: "Only zones with this result." })
  outcome?: ZoneOutcome;
}
