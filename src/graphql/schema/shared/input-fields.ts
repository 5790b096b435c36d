/** Fields that several inputs share: the same name has the same type and description everywhere. */
import { ArgsType, Extensions, Field, InputType } from "type-graphql";
import { ChangeSource } from "../../../zone/change.ts";
import { PlainTextField } from "../../checked-fields.ts";
import { PageArgs } from "../../page-args.ts";
import { DateTimeScalar, IdScalar, RecordTypeScalar, SerialScalar } from "../../scalars/scalars.ts";

/** Marks an input that takes exactly one of its fields (`@oneOf`), which schema.ts finishes. */
export const OneOf = () => Extensions({ oneOf: true });

@OneOf()
@InputType({ description: "What identifies a secondary or a template: one of the fields." })
export class NameSelector {
  @Field(() => IdScalar, { nullable: true, description: "The id." })
  id?: number;

  @PlainTextField(100, { nullable: true, description: "The name; a template of the key's user precedes a shared one." })
  name?: string;
}

@InputType({ description: "A name with its value." })
export class NamedValueInput {
  @Field(() => String, { description: "The name." })
  name!: string;

  @Field(() => String, { description: "The value." })
  value!: string;
}

/** A zone by its name. */
export const ZoneField = () => Field(() => String, { description: "Zone name in any spelling." });

/** The serial that a zone must be at for a change to be made. */
export const ExpectedSerialField = () =>
  Field(() => SerialScalar, {
    nullable: true,
    description: "The serial that the zone must be at; otherwise STALE_SERIAL.",
  });

/** Whether an SOA serial may leap. */
export const ForceField = () =>
  Field(() => Boolean, {
    defaultValue: false,
    description: "Accept an SOA serial more than 10,000,000 ahead of the present one, instead of SERIAL_LEAP.",
  });

/** Whether a change is only checked. */
export const DryRunField = () =>
  Field(() => Boolean, {
    defaultValue: false,
    description: "Check, and return what would change, without changing anything.",
  });

/** Whether lines of a master file that no zone can hold are left out. */
export const SkipUnsupportedField = () =>
  Field(() => Boolean, {
    defaultValue: false,
    description:
      "Leave out lines that no zone can hold, such as an ALIAS or a CNAME at the apex, with a notice for each.",
  });

/** The longest note of a change, characters. */
const maxNoteLength = 500;

/** Why a change is made, for its journal. */
export const NoteField = () =>
  PlainTextField(maxNoteLength, {
    nullable: true,
    description: `Why the change is made: one line of at most ${maxNoteLength} characters.`,
  });

/** A part of the zone name, in a filter. */
export const ZoneContainsField = () =>
  PlainTextField(255, {
    nullable: true,
    description: "Part of the zone name, in any letter case; a label in Unicode must be whole.",
  });

/** What selects records of a zone, present or past, among the arguments of a nested list. */
@ArgsType()
export class RecordsOfZoneArgs extends PageArgs {
  @Field(() => String, { nullable: true, description: "Only records of this owner: relative, absolute, or `@`." })
  owner?: string;

  @Field(() => [RecordTypeScalar], { nullable: true, description: "Only records of these types." })
  types?: string[];

  @PlainTextField(1000, {
    nullable: true,
    description: "Only records with this text in the data, in any letter case; SOA serials are not searched.",
  })
  rdataContains?: string;
}

/** The author of a change, in a filter. */
export const ActorField = () =>
  PlainTextField(300, {
    nullable: true,
    description: "Only changes of this actor, as in `Change.actor`, or of the keys of this name.",
  });

/** The interface that a change came through, in a filter. */
export const SourceField = () =>
  Field(() => ChangeSource, { nullable: true, description: "Only changes that came through this interface." });

const CreatedSinceField = () =>
  Field(() => DateTimeScalar, { nullable: true, description: "Only what was created at this time or later." });

const CreatedBeforeField = () =>
  Field(() => DateTimeScalar, { nullable: true, description: "Only what was created before this time." });

/** The range of times in which the rows of a list were created, in a filter. */
@InputType()
export class CreatedRangeFilter {
  @CreatedSinceField()
  createdSince?: Date;

  @CreatedBeforeField()
  createdBefore?: Date;
}

/** The same among the arguments of a nested list. */
@ArgsType()
export class CreatedRangeArgs extends PageArgs {
  @CreatedSinceField()
  createdSince?: Date;

  @CreatedBeforeField()
  createdBefore?: Date;
}

/** Whether the change is staged in a change set. */
export const AsChangeSetField = () =>
  Field(() => Boolean, {
    defaultValue: false,
    description: "Stage it in a new change set, with `note` as its title, instead of changing the zone.",
  });
