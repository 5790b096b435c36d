/**
 * Templates in the schema that are applied to zones that there are.
 */
import { ArrayMaxSize, ValidateNested } from "class-validator";
import { Arg, Ctx, Field, FieldResolver, ID, InputType, Mutation, ObjectType, Resolver, Root } from "type-graphql";
import { applyTemplate, TemplateMode } from "../../changeset/apply-template.ts";
import { ChangeSet, type ChangeSetRow } from "../../changeset/change-set.ts";
import { type Preview, previewChangeSet } from "../../changeset/preview.ts";
import { maxTitleLength } from "../../changeset/stage.ts";
import type { Context } from "../context.ts";
import { PlainText } from "../plain-text.ts";
import { readId } from "../read-id.ts";
import { withoutNulls } from "../without-nulls.ts";
import { ChangeSetPreview } from "./change-set-preview.ts";
import { VariableInput } from "./new-domain.ts";
import { maxItems } from "./record-inputs.ts";

const tooManyItems = { message: `send at most ${maxItems}` };

@InputType({ description: "A template, and the zones that it is applied to." })
class ApplyTemplateInput {
  @Field(() => ID, { description: "The id of the template." })
  template!: string;

  @Field(() => [String], {
    nullable: true,
    description: "Names of zones, at most 1000; `*` stands for any characters. MISSING_FIELD without it and `labels`.",
  })
  @ArrayMaxSize(maxItems, tooManyItems)
  zones?: string[];

  @Field(() => [String], {
    nullable: true,
    description: "Labels of the domain, each as `env=prod`, or as `env` for any value; all of them must match.",
  })
  labels?: string[];

  @Field(() => TemplateMode, { defaultValue: TemplateMode.ADD, description: "What it does to a zone." })
  mode!: TemplateMode;

  @Field(() => [VariableInput], { nullable: true, description: "Values of the template's variables, at most 50." })
  @ArrayMaxSize(50, { message: "send at most 50" })
  @ValidateNested()
  variables?: VariableInput[];

  @Field(() => String, {
    nullable: true,
    description: `The title of the change set, at most ${maxTitleLength} characters on one line; without it, the template's name.`,
  })
  @PlainText(maxTitleLength)
  title?: string;
}

@ObjectType({ description: "The template in its zones, as a change set.", simpleResolvers: true })
class ApplyTemplatePayload {
  @Field(() => ChangeSet, { nullable: true, description: "The change set; null when all zones are so already." })
  changeSet!: ChangeSetRow | null;
}

@Resolver(() => ApplyTemplatePayload)
export class ApplyTemplateResolver {
  @Mutation(() => ApplyTemplatePayload, {
    description:
      "Applies a template to zones that there are, as a change set in state DRAFT. A domain does not follow the template afterwards.",
  })
  async applyTemplate(
    @Arg("input", () => ApplyTemplateInput) input: ApplyTemplateInput,
    @Ctx() { session }: Context,
  ): Promise<ApplyTemplatePayload> {
    const { template, zones, labels, mode, variables, title } = input;
    const application = {
      template: readId(template, "template"),
      zones: withoutNulls({ zones, labels }),
      mode,
      variables: variables ?? [],
      ...withoutNulls({ title }),
    };
    return { changeSet: (await applyTemplate(session, application)) ?? null };
  }

  @FieldResolver(() => ChangeSetPreview, {
    nullable: true,
    description: "What the change set would do, as things are now.",
  })
  preview(@Root() { changeSet }: ApplyTemplatePayload, @Ctx() { session }: Context): Promise<Preview> | null {
    return changeSet && previewChangeSet(session, changeSet);
  }
}
