import { ArgsType, Field, InputType } from "type-graphql";
import { ReviewPolicy } from "../../../account/review-policy.ts";
import { type DomainOrderName, PublicationState } from "../../../secondary/publication.ts";
import type { ChangeSource, changeOrders } from "../../../zone/change.ts";
import { maxLabels } from "../../../zone/label.ts";
import type { recordOrders } from "../../../zone/record.ts";
import { AtMost, InputField, PlainTextField } from "../../checked-fields.ts";
import { DomainOrder, JournalOrder, RecordOrder } from "../../connection-types.ts";
import { PageArgs } from "../../page-args.ts";
import { IdScalar, RecordTypeScalar, SerialScalar } from "../../scalars/scalars.ts";
import {
  ActorField,
  CreatedRangeArgs,
  CreatedRangeFilter,
  NamedValueInput,
  NoteField,
  OneOf,
  RecordsOfZoneArgs,
  SourceField,
  ZoneContainsField,
} from "../shared/input-fields.ts";
import { NullIsValue } from "../shared/read-argument.ts";

/** The field of the labels that select domains. */
export const LabelsField = (): PropertyDecorator => (target, property) => {
  const description = `Labels that the domain must have: \`env=prod\`, or \`env\` with any value; at most ${maxLabels}.`;
  Field(() => [String], { nullable: true, description })(target, property);
  AtMost(maxLabels)(target, property);
};

@InputType({ description: "A filter; every field that is present must match." })
class DomainFilter extends CreatedRangeFilter {
  @Field(() => IdScalar, { nullable: true, description: "The domain's id." })
  id?: number;

  @Field(() => String, { nullable: true, description: "Zone name in any spelling." })
  zone?: string;

  @Field(() => [String], {
    nullable: true,
    description: "Zone names in any spelling, at most 1000; the domain has one of them.",
  })
  @AtMost(1000)
  zones?: string[];

  @ZoneContainsField()
  zoneContains?: string;

  @Field(() => IdScalar, { nullable: true, description: "Id of the user who owns the domain." })
  userId?: number;

  @Field(() => PublicationState, { nullable: true, description: "Publication state of the zone." })
  state?: PublicationState;

  @LabelsField()
  labels?: string[];
}

@ArgsType()
export class DomainsArgs extends PageArgs {
  @InputField(() => DomainFilter, { nullable: true, description: "Selects domains; without it, all." })
  filter?: DomainFilter;

  @Field(() => DomainOrder, { defaultValue: DomainOrder.ZONE, description: "Sort order." })
  orderBy!: DomainOrderName;
}

@OneOf()
@InputType({ description: "What identifies a domain: one of the fields." })
export class DomainSelector {
  @Field(() => IdScalar, { nullable: true, description: "The domain's id." })
  id?: number;

  @Field(() => String, { nullable: true, description: "Zone name in any spelling." })
  zone?: string;
}

@ArgsType()
export class RecordsOfDomainArgs extends RecordsOfZoneArgs {
  @PlainTextField(255, { nullable: true, description: "Only records whose owner begins with this text." })
  ownerPrefix?: string;

  @PlainTextField(255, {
    nullable: true,
    description: "Only records with this text in the owner, or of this host, as a whole name; in any letter case.",
  })
  ownerContains?: string;

  @PlainTextField(1000, {
    nullable: true,
    description:
      "Only records with this text in the owner or the data, or of this host, as a whole name; in any letter case.",
  })
  contains?: string;

  @Field(() => RecordOrder, { defaultValue: RecordOrder.NAME, description: "Sort order." })
  orderBy!: keyof typeof recordOrders;
}

/** Arguments that select changes of one zone, present or deleted. */
@ArgsType()
export class ChangesOfZoneArgs extends CreatedRangeArgs {
  @Field(() => String, {
    nullable: true,
    description: "Only changes of records of this owner: relative, absolute, or `@`.",
  })
  owner?: string;

  @Field(() => RecordTypeScalar, { nullable: true, description: "Only changes of records of this type." })
  type?: string;

  @ActorField()
  actor?: string;

  @SourceField()
  source?: (typeof ChangeSource)[keyof typeof ChangeSource];

  @Field(() => SerialScalar, {
    nullable: true,
    description: "Only changes after this serial; NOT_FOUND when it is not in the journal: read the zone again.",
  })
  sinceSerial?: number;

  @Field(() => JournalOrder, { defaultValue: JournalOrder.CREATED_DESC, description: "Sort order." })
  orderBy!: keyof typeof changeOrders;
}

@InputType()
export class DomainInput {
  @InputField(() => DomainSelector, { description: "The domain." })
  by!: DomainSelector;
}

@InputType({ description: "The domain to delete." })
export class DeleteDomainInput extends DomainInput {
  @NoteField()
  note?: string;
}

@InputType({ description: "The domain to transfer, and its new user." })
export class TransferDomainInput extends DomainInput {
  @Field(() => IdScalar, { description: "Id of the user who will own it." })
  userId!: number;
}

export const TemplateField = () =>
  Field(() => IdScalar, {
    nullable: true,
    description: "The template. Default: DEFAULT_TEMPLATE, or the default records.",
  });

export const VariablesField = (): PropertyDecorator => (target, property) => {
  const description = "Values of the template's variables, at most 50, of at most 2000 characters.";
  Field(() => [NamedValueInput], { nullable: true, description })(target, property);
  AtMost(50)(target, property);
};

@InputType({ description: "A new domain." })
export class CreateDomainInput {
  @Field(() => String, { description: "Zone name, in Unicode or A-labels (RFC 5890). DUPLICATE_ZONE when it exists." })
  zone!: string;

  @Field(() => IdScalar, { description: "Id of the user who will own it." })
  userId!: number;

  @Field(() => [NamedValueInput], {
    nullable: true,
    description: "Its labels, such as `env` or `example.com/team` (the form of Kubernetes); values may be empty.",
  })
  labels?: NamedValueInput[];

  @TemplateField()
  templateId?: number;

  @VariablesField()
  variables?: NamedValueInput[];

  @NoteField()
  note?: string;
}

@InputType({ description: "New settings of a domain; what is left out does not change." })
export class UpdateDomainInput extends DomainInput {
  @Field(() => [NamedValueInput], {
    nullable: true,
    description: `All labels that it is to have, at most ${maxLabels}.`,
  })
  labels?: NamedValueInput[];

  @Field(() => ReviewPolicy, {
    nullable: true,
    description:
      "The zone's own review policy; null when that of its user applies. Only an administrator may loosen it.",
  })
  @NullIsValue()
  review?: ReviewPolicy | null;
}
