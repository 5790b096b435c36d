/** Fields that several inputs share. A name has the same type and description everywhere. */
import { ArgsType, Extensions, Field, InputType } from "type-graphql";
import { ChangeSource } from "../../../zone/change.ts";
import { PlainTextField } from "../../checked-fields.ts";
import { PageArgs } from "../../page-args.ts";
import { DateTimeScalar, IdScalar, RecordTypeScalar, SerialScalar } from "../../scalars/scalars.ts";

/** Marks an input as `@oneOf`: it takes exactly one of its fields. schema.ts applies the mark. */
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

export const ZoneField = () => Field(() => String, { description: "Zone name in any spelling." });

export const ExpectedSerialField = () =>
  Field(() => SerialScalar, {
    nullable: true,
    description: "The serial that the zone must be at; otherwise STALE_SERIAL.",
  });

/** Whether an SOA serial may jump ahead. */
export const ForceField = () =>
  Field(() => Boolean, {
    defaultValue: false,
    description: "Accept an SOA serial more than 10,000,000 ahead of the present one, instead of SERIAL_LEAP.",
  });

export const DryRunField = () =>
  Field(() => Boolean, {
    defaultValue: false,
    description: "Check, and return what would change, without changing anything.",
  });

/** Whether unsupported records of a master file are skipped. */
export const SkipUnsupportedField = () =>
  Field(() => Boolean, {
    defaultValue: false,
    description:
      "Leave out lines that no zone can hold, such as an ALIAS or a CNAME at the apex, with a notice for each.",
  });

/** The greatest length of a change's note, characters. */
const maxNoteLength = 500;

export const NoteField = () =>
  PlainTextField(maxNoteLength, {
    nullable: true,
    description: `Why the change is made: one line of at most ${maxNoteLength} characters.`,
  });

export const ZoneContainsField = () =>
  PlainTextField(255, {
    nullable: true,
    description: "Part of the zone name, in any letter case; a label in Unicode must be whole.",
  });

/** Arguments that select records of a zone at present or at a moment. */
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

export const ActorField = () =>
  PlainTextField(300, {
    nullable: true,
    description: "Only changes of this actor, as in `Change.actor`, or of the keys of this name.",
  });

export const SourceField = () =>
  Field(() => ChangeSource, { nullable: true, description: "Only changes that came through this interface." });

const CreatedSinceField = () =>
  Field(() => DateTimeScalar, { nullable: true, description: "Only what was created at this time or later." });

const CreatedBeforeField = () =>
  Field(() => DateTimeScalar, { nullable: true, description: "Only what was created before this time." });

/** The times between which rows were created, in a filter. */
@InputType()
export class CreatedRangeFilter {
  @CreatedSinceField()
  createdSince?: Date;

  @CreatedBeforeField()
  createdBefore?: Date;
}

/** The times between which rows were created, among the arguments of a nested list. */
@ArgsType()
export class CreatedRangeArgs extends PageArgs {
  @CreatedSinceField()
  createdSince?: Date;

  @CreatedBeforeField()
  createdBefore?: Date;
}

export const AsChangeSetField = () =>
  Field(() => Boolean, {
    defaultValue: false,
    description: "Stage it in a new change set, with `note` as its title, instead of changing the zone.",
  });
