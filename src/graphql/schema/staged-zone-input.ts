/**
 * What a client stages for a zone of a change set.
 */
import { ArrayMaxSize, ValidateNested } from "class-validator";
import { Field, InputType } from "type-graphql";
import type { ZonePart } from "../../changeset/zone-part.ts";
import { IdScalar } from "../../scalars.ts";
import { ExpectedSerialField, SkipUnsupportedField, ZoneField } from "./input-fields.ts";
import { TemplateField, type VariableInput, VariablesField } from "./new-domain.ts";
import { readEdits } from "./record-edits.ts";
import { maxItems, RecordInput, RecordUpdate } from "./record-inputs.ts";
import { ImportMode } from "./zone-file.ts";
import { MomentInput } from "./zone-moment.ts";

const tooManyItems = { message: `send at most ${maxItems}` };

@InputType({ description: "A zone that a change set creates." })
class StageCreateInput {
  @Field(() => IdScalar, { description: "Id of the user who will own it." })
  userId!: number;

  @TemplateField()
  templateId?: number;

  @VariablesField()
  variables?: VariableInput[];
}

@InputType({ description: "A deleted zone that a change set brings back." })
class StageRestoreInput {
  @Field(() => IdScalar, {
    nullable: true,
    description: "The id that the domain had; without it, the zone deleted last.",
  })
  domainId?: number;

  @Field(() => IdScalar, { nullable: true, description: "Id of the user who will own it; without it, the last one." })
  userId?: number;
}

@InputType({ description: "A master file of a zone." })
class StageImportInput {
  @Field(() => String, { description: "The text of the file." })
  text!: string;

  @Field(() => ImportMode, { description: "What happens to records that the file does not contain." })
  mode!: keyof typeof ImportMode;

  @SkipUnsupportedField()
  skipUnsupported!: boolean;
}

@InputType({
  description:
    "What a change set does to one zone: edits of its records, its creation with `add`, its deletion, its restoration, its return to a moment, or what a master file makes of it. It takes the place of what was staged for the zone.",
})
export class StageZoneInput {
  @ZoneField()
  zone!: string;

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      "Add these edits to what is staged for the zone; one of the same record takes the place of the earlier.",
  })
  append!: boolean;

  @Field(() => Boolean, {
    defaultValue: true,
    description:
      "Whether it may, without `append`, take the place of what is staged for the zone; false to be refused then.",
  })
  replace!: boolean;

  @Field(() => [IdScalar], { nullable: true, description: "Ids of records to remove, at most 1000." })
  @ArrayMaxSize(maxItems, tooManyItems)
  remove?: number[];

  @Field(() => [RecordUpdate], {
    nullable: true,
    description:
      "Records to update, at most 1000. The serial of an SOA is not kept: the application gives the next one.",
  })
  @ArrayMaxSize(maxItems, tooManyItems)
  update?: RecordUpdate[];

  @Field(() => [RecordInput], { nullable: true, description: "Records to add, at most 1000." })
  @ArrayMaxSize(maxItems, tooManyItems)
  add?: RecordInput[];

  @Field(() => StageCreateInput, {
    nullable: true,
    description:
      "Create the zone, with `add` and the records of the template, or the default ones, that these do not take the place of.",
  })
  @ValidateNested()
  create?: StageCreateInput;

  @Field(() => Boolean, { defaultValue: false, description: "Delete the zone with all its records." })
  delete!: boolean;

  @Field(() => StageRestoreInput, {
    nullable: true,
    description: "Bring the deleted zone back as it was, by `{}` for its last user; its records are not staged.",
  })
  @ValidateNested()
  restore?: StageRestoreInput;

  @Field(() => MomentInput, {
    nullable: true,
    description: "Make the zone what it was at this moment: what differs from it now is staged.",
  })
  @ValidateNested()
  revertTo?: MomentInput;

  @Field(() => StageImportInput, {
    nullable: true,
    description:
      "Make the zone what a master file says: what differs from the zone as it is now is staged; the serial of the file is not kept.",
  })
  @ValidateNested()
  import?: StageImportInput;

  @ExpectedSerialField()
  expectedSerial?: number;
}

/** Reads what is staged. */
export function readParts(inputs: readonly StageZoneInput[] | null | undefined): ZonePart[] {
  return (inputs ?? []).map(({ zone, append, replace, create, restore, expectedSerial, revertTo, ...input }, at) => ({
    zone,
    append,
    replace,
    delete: input.delete,
    expectedSerial,
    edits: readEdits(input, `zones.${at}.`),
    revertTo,
    import: input.import,
    restore: restore && { id: restore.domainId, userId: restore.userId },
    create: create && { userId: create.userId, template: create.templateId, variables: create.variables ?? [] },
  }));
}

/** The zones of a set, in an input. */
export const ZonesField = (): PropertyDecorator => (target, property) => {
  Field(() => [StageZoneInput], { nullable: true, description: "What it does, zone by zone, at most 1000." })(
    target,
    property,
  );
  ArrayMaxSize(maxItems, tooManyItems)(target, property);
  ValidateNested()(target, property);
};
