/** Applying templates to existing zones in the schema. */
import { Arg, Ctx, Field, FieldResolver, InputType, Mutation, ObjectType, Resolver, Root } from "type-graphql";
import { applyTemplate } from "../../../changeset/bulk/apply-template.ts";
import { ChangeSet, type ChangeSetRow } from "../../../changeset/change-set.ts";
import { previewChangeSet, type ShownPreview } from "../../../changeset/check/preview.ts";
import { maxTitleLength } from "../../../changeset/stage/stage.ts";
import { TemplateMode } from "../../../changeset/states.ts";
import { AtMost, PlainTextField } from "../../checked-fields.ts";
import type { Context } from "../../context.ts";
import { IdScalar } from "../../scalars/scalars.ts";
import { ChangeSetPreview } from "../changeset/preview.ts";
import { maxItems } from "../record/record-inputs.ts";
import { DryRunField, type NamedValueInput } from "../shared/input-fields.ts";
import { VariablesField } from "../zone/domain-inputs.ts";

@InputType({ description: "A template, and the zones that it is applied to." })
class ApplyTemplateInput {
  @Field(() => IdScalar, { description: "The id of the template." })
  templateId!: number;

  @Field(() => [String], {
    nullable: true,
    description: "Names of zones, at most 1000; `*` matches any characters. Required without `labels`.",
  })
  @AtMost(maxItems)
  zones?: string[];

  @Field(() => [String], {
    nullable: true,
    description: "Labels that the domain must have: `env=prod`, or `env` with any value.",
  })
  labels?: string[];

  @Field(() => TemplateMode, { defaultValue: TemplateMode.ADD, description: "What it does to a zone." })
  mode!: TemplateMode;

  @VariablesField()
  variables?: NamedValueInput[];

  @PlainTextField(maxTitleLength, {
    nullable: true,
    description: `The title of the change set, at most ${maxTitleLength} characters on one line; without it, the template's name.`,
  })
  title?: string;

  @DryRunField()
  dryRun!: boolean;
}

@ObjectType({ description: "The template in its zones, as a change set.", simpleResolvers: true })
class ApplyTemplatePayload {
  @Field(() => ChangeSet, { nullable: true, description: "Null in a dry run, and when nothing would change." })
  changeSet!: ChangeSetRow | null;

  /** The preview of a dry run. */
  dryPreview!: ShownPreview | null;
}

@Resolver(() => ApplyTemplatePayload)
export class ApplyTemplateResolver {
  @Mutation(() => ApplyTemplatePayload, {
    description:
      "Applies a template to existing zones, as a change set in state DRAFT. The domains do not follow later changes of the template.",
  })
  async applyTemplate(
    @Arg("input", () => ApplyTemplateInput) input: ApplyTemplateInput,
    @Ctx() { session }: Context,
  ): Promise<ApplyTemplatePayload> {
    const { templateId, zones, labels, mode, variables, title, dryRun } = input;
    const application = {
      template: templateId,
      zones: { zones, labels },
      title,
      mode,
      dryRun,
      variables: variables ?? [],
    };
    const { changeSet, preview } = await applyTemplate(session, application);
    return { changeSet, dryPreview: preview };
  }

  @FieldResolver(() => ChangeSetPreview, {
    nullable: true,
    description: "What the change set would do now; null when nothing would change.",
  })
  preview(
    @Root() { changeSet, dryPreview }: ApplyTemplatePayload,
    @Ctx() { session }: Context,
  ): Promise<ShownPreview> | ShownPreview | null {
    return changeSet ? previewChangeSet(session, changeSet) : dryPreview;
  }
}
