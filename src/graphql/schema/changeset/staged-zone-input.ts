import { Field, InputType } from "type-graphql";
import type { ZonePart } from "../../../changeset/stage/read-part.ts";
import { AtMost, InputField } from "../../checked-fields.ts";
import { IdScalar } from "../../scalars/scalars.ts";
import { MomentInput } from "../change/zone-moment.ts";
import { AddField, maxItems, type RecordInput, readEdits, ZoneEditsInput } from "../record/record-inputs.ts";
import {
  ExpectedSerialField,
  type NamedValueInput,
  OneOf,
  SkipUnsupportedField,
  ZoneField,
} from "../shared/input-fields.ts";
import { TemplateField, VariablesField } from "../zone/domain-inputs.ts";
import { ImportMode } from "../zone/zone-file.ts";

@InputType({ description: "Edits of the records of a zone as they are now. The serial of an SOA is not kept." })
class StageEditInput extends ZoneEditsInput {
  @Field(() => Boolean, {
    defaultValue: false,
    description: "Add these edits to those staged for the zone; the later edit of a record counts.",
  })
  append!: boolean;
}

@InputType({
  description:
    "A zone that a change set creates, with `add` in place of default or template records of the same RRset.",
})
class StageCreateInput {
  @ZoneField()
  zone!: string;

  @Field(() => IdScalar, { description: "Id of the user who will own it." })
  userId!: number;

  @TemplateField()
  templateId?: number;

  @VariablesField()
  variables?: NamedValueInput[];

  @AddField()
  add?: RecordInput[];
}

@InputType({ description: "A zone that a change set deletes with all its records." })
class StageDeleteInput {
  @ZoneField()
  zone!: string;

  @ExpectedSerialField()
  expectedSerial?: number;
}

@InputType({ description: "A deleted zone that a change set brings back as it was." })
class StageRestoreInput {
  @ZoneField()
  zone!: string;

  @Field(() => IdScalar, { nullable: true, description: "The id that the domain had. Default: the zone deleted last." })
  domainId?: number;

  @Field(() => IdScalar, { nullable: true, description: "Id of the user who will own it. Default: the last one." })
  userId?: number;

  @ExpectedSerialField()
  expectedSerial?: number;
}

@InputType({ description: "The return of a zone to a moment: the difference from the present zone is staged." })
class StageRevertInput {
  @ZoneField()
  zone!: string;

  @InputField(() => MomentInput, { description: "The moment." })
  to!: MomentInput;

  @ExpectedSerialField()
  expectedSerial?: number;
}

@InputType({
  description: "A master file of a zone: the difference from the present zone is staged, without the serial.",
})
class StageImportInput {
  @ZoneField()
  zone!: string;

  @Field(() => String, { description: "The text of the file." })
  text!: string;

  @Field(() => ImportMode, { description: "What happens to records that the file does not contain." })
  mode!: keyof typeof ImportMode;

  @SkipUnsupportedField()
  skipUnsupported!: boolean;

  @ExpectedSerialField()
  expectedSerial?: number;
}

@OneOf()
@InputType({ description: "What a change set does to one zone: one of the fields." })
export class StageZoneInput {
  @InputField(() => StageEditInput, { nullable: true, description: "Edit its records." })
  edit?: StageEditInput;

  @InputField(() => StageCreateInput, { nullable: true, description: "Create it." })
  create?: StageCreateInput;

  @InputField(() => StageDeleteInput, { nullable: true, description: "Delete it." })
  delete?: StageDeleteInput;

  @InputField(() => StageRestoreInput, { nullable: true, description: "Restore it after its deletion." })
  restore?: StageRestoreInput;

  @InputField(() => StageRevertInput, { nullable: true, description: "Make it what it was." })
  revert?: StageRevertInput;

  @InputField(() => StageImportInput, { nullable: true, description: "Make it what a master file says." })
  import?: StageImportInput;
}

export function readParts(inputs: readonly StageZoneInput[] | null | undefined): ZonePart[] {
  return (inputs ?? []).map(({ edit, create, restore, ...part }, at) => ({
    ...part,
    edit: edit && { ...edit, ...readEdits(edit, `zones.${at}.edit.`) },
    create: create && {
      ...create,
      template: create.templateId,
      variables: create.variables ?? [],
      add: readEdits({ add: create.add ?? [] }, `zones.${at}.create.`).add,
    },
    restore: restore && { ...restore, id: restore.domainId },
  }));
}

/** The field of the zones to stage. */
export const ZonesField = (): PropertyDecorator => (target, property) => {
  const description = "What it does, zone by zone, at most 1000.";
  InputField(() => [StageZoneInput], { nullable: true, description })(target, property);
  AtMost(maxItems)(target, property);
};
