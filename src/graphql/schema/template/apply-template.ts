/** Applying templates to existing zones in the schema. */
import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from "type-graphql";
import { applyTemplate } from "../../../changeset/bulk/apply-template.ts";
import { TemplateMode } from "../../../changeset/states.ts";
import { AtMost } from "../../checked-fields.ts";
import type { Context } from "../../context.ts";
import { IdScalar } from "../../scalars/scalars.ts";
import { StagedPayload, stagedPayload, TitleField } from "../changeset/staged-payload.ts";
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

  @TitleField("the template's name")
  title?: string;

  @DryRunField()
  dryRun!: boolean;
}

@ObjectType({ description: "The template in its zones, as a change set.", simpleResolvers: true })
class ApplyTemplatePayload extends StagedPayload {}

@Resolver()
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
    return stagedPayload(session, await applyTemplate(session, application));
  }
}
