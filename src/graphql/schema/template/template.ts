// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates have placeholders of that form

import { MinLength } from "class-validator";
import {
  Arg,
  Args,
  Ctx,
  Field,
  FieldResolver,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from "type-graphql";
import { User, type UserRow } from "../../../account/user.ts";
import type { Session } from "../../../session/session.ts";
import { maxRecords, maxVariables } from "../../../template/check-content.ts";
import {
  createTemplate,
  deleteTemplate,
  listTemplates,
  type TemplateRow,
  templateById,
  templateByName,
  templatesByIds,
  updateTemplate,
  type WrittenTemplate,
  ZoneTemplate,
} from "../../../template/template.ts";
import { VariableKind } from "../../../template/variable.ts";
import { Domain, type DomainRow } from "../../../zone/domain.ts";
import { templatesOfDomains } from "../../../zone/domain-annotations.ts";
import type { Notice } from "../../../zone/edit/notice.ts";
import { AtMost, InputField, PlainTextField } from "../../checked-fields.ts";
import { Connection, connectionType } from "../../connection.ts";
import type { Context } from "../../context.ts";
import { PageArgs } from "../../page-args.ts";
import { IdScalar, RecordTypeScalar } from "../../scalars/scalars.ts";
import { NameSelector } from "../shared/input-fields.ts";
import { DeletePayload, NamedValue, NoticesField } from "../shared/payloads.ts";
import { ownerOf } from "../shared/rows.ts";

const ZoneTemplateConnection = connectionType("ZoneTemplate", ZoneTemplate);

@InputType({ description: "A variable of a template." })
class TemplateVariableInput {
  @Field(() => String, { description: "Its name: letters, digits and `_`, beginning with a letter." })
  name!: string;

  @Field(() => VariableKind, { description: "What its value is." })
  kind!: VariableKind;

  @PlainTextField(1000, { defaultValue: "", description: "What it is for, at most 1000 characters." })
  description!: string;

  @Field(() => String, {
    nullable: true,
    description: "Its value when no other is given; without it, one must be given.",
  })
  default?: string | null;
}

@InputType({
  description:
    "A record of a template. In its owner and data `${name}` is the value of a variable and `$$` a dollar sign; `${zone}`, `${zone.dashed}`, `${hostmaster}`, `${nameServer}` and, in the SOA, `${serial}` are those of the zone.",
})
class TemplateRecordInput {
  @Field(() => String, { description: "Its owner." })
  owner!: string;

  @Field(() => RecordTypeScalar, { description: "Its type." })
  type!: string;

  @Field(() => Int, {
    nullable: true,
    description: "Its time to live, seconds; without it the default of new records.",
  })
  ttl?: number | null;

  @Field(() => String, { description: "Its data. A variable of kind TEXT may be only between quotes." })
  rdata!: string;
}

@InputType({ description: "A new template." })
class CreateTemplateInput {
  @MinLength(1, { message: "write a name" })
  @PlainTextField(100, { description: "Its name, 1 to 100 characters." })
  name!: string;

  @PlainTextField(1000, { defaultValue: "", description: "What it is for, at most 1000 characters." })
  description!: string;

  @Field(() => IdScalar, {
    nullable: true,
    description: "The user whose template it is. Without one it is shared, which only administrators create.",
  })
  userId?: number;

  @InputField(() => [TemplateVariableInput], {
    defaultValue: [],
    description: `Its variables, at most ${maxVariables}.`,
  })
  @AtMost(maxVariables)
  variables!: TemplateVariableInput[];

  @Field(() => [TemplateRecordInput], {
    description: `Its records, at most ${maxRecords}. Without SOA or apex NS, the default ones are added.`,
  })
  @AtMost(maxRecords)
  records!: TemplateRecordInput[];
}

@InputType({ description: "New content of a template; what is left out does not change." })
class UpdateTemplateInput {
  @InputField(() => NameSelector, { description: "The template." })
  by!: NameSelector;

  @Field(() => Int, {
    nullable: true,
    description: "The revision that the template must be at; otherwise INVALID_VALUE.",
  })
  expectedRevision?: number | null;

  @MinLength(1, { message: "write a name" })
  @PlainTextField(100, { nullable: true, description: "Its name, 1 to 100 characters." })
  name?: string;

  @PlainTextField(1000, { nullable: true, description: "What it is for, at most 1000 characters." })
  description?: string;

  @InputField(() => [TemplateVariableInput], { nullable: true, description: "All its variables." })
  @AtMost(maxVariables)
  variables?: TemplateVariableInput[];

  @Field(() => [TemplateRecordInput], { nullable: true, description: "All its records." })
  @AtMost(maxRecords)
  records?: TemplateRecordInput[];
}

@InputType({ description: "The template to delete." })
class DeleteTemplateInput {
  @InputField(() => NameSelector, { description: "The template." })
  by!: NameSelector;
}

@ObjectType({ description: "The template after the mutation.", simpleResolvers: true })
class TemplatePayload {
  @Field(() => ZoneTemplate, { description: "The template." })
  template!: TemplateRow;

  @NoticesField()
  notices!: readonly Notice[];
}

@ObjectType({
  description: "The template that a domain was created from, or that was last applied to it.",
  simpleResolvers: true,
})
class AppliedTemplate {
  @Field(() => ZoneTemplate, {
    nullable: true,
    description: "The template as it is now; null when deleted or another user's.",
  })
  template!: TemplateRow | null;

  @Field(() => Int, { description: "Its revision at that time." })
  revision!: number;

  @Field(() => [NamedValue], { description: "The values of its variables at that time." })
  values!: NamedValue[];
}

@Resolver(() => ZoneTemplate)
export class TemplateResolver {
  @Query(() => ZoneTemplateConnection, { description: "The templates that the key may use, by name." })
  async templates(@Args(() => PageArgs) page: PageArgs, @Ctx() { session }: Context): Promise<Connection<TemplateRow>> {
    return new Connection(await listTemplates(session, { ...page }));
  }

  @Query(() => ZoneTemplate, { nullable: true, description: "The template; NOT_FOUND when there is none." })
  template(
    @Arg("by", () => NameSelector, { description: "The template." }) by: NameSelector,
    @Ctx() { session }: Context,
  ): Promise<TemplateRow> {
    return selected(session, by);
  }

  @FieldResolver(() => User, { nullable: true, description: "The user whose template it is; null for a shared one." })
  user(@Root() { userId }: TemplateRow, @Ctx() context: Context): Promise<UserRow | null> {
    return ownerOf(userId, context);
  }

  @Mutation(() => TemplatePayload, { description: "Creates a template, which is checked with sample values." })
  createTemplate(
    @Arg("input", () => CreateTemplateInput) { userId, variables, records, ...fields }: CreateTemplateInput,
    @Ctx() { session }: Context,
  ): Promise<WrittenTemplate> {
    const content = { variables: variables.map(variableOf), records: records.map(recordOf) };
    return createTemplate(session, { ...fields, ...content, userId });
  }

  @Mutation(() => TemplatePayload, {
    description: "Updates a template, checked as by createTemplate. Zones that were made from it do not change.",
  })
  async updateTemplate(
    @Arg("input", () => UpdateTemplateInput) input: UpdateTemplateInput,
    @Ctx() { session }: Context,
  ): Promise<WrittenTemplate> {
    const { by, expectedRevision, variables, records, ...fields } = input;
    const update = {
      ...fields,
      ...(variables && { variables: variables.map(variableOf) }),
      ...(records && { records: records.map(recordOf) }),
    };
    return updateTemplate(session, (await selected(session, by)).id, update, expectedRevision);
  }

  @Mutation(() => DeletePayload, { description: "Deletes a template. Zones that were made from it stay." })
  async deleteTemplate(
    @Arg("input", () => DeleteTemplateInput) { by }: DeleteTemplateInput,
    @Ctx() { session }: Context,
  ): Promise<DeletePayload> {
    const deletedId = (await selected(session, by)).id;
    await deleteTemplate(session, deletedId);
    return { deletedId };
  }
}

/** The selected template; NOT_FOUND when the session sees no such template. */
const selected = (session: Session, { id, name }: NameSelector): Promise<TemplateRow> =>
  id === undefined ? templateByName(session, name as string, session.actor.userId) : templateById(session, id);

const variableOf = ({ name, kind, description, default: value }: TemplateVariableInput) => ({
  name,
  kind,
  description,
  default: value ?? null,
});
const recordOf = ({ owner, type, ttl, rdata }: TemplateRecordInput) => ({ owner, type, ttl: ttl ?? null, rdata });

@Resolver(() => Domain)
export class TemplateOfDomainResolver {
  @FieldResolver(() => AppliedTemplate, {
    nullable: true,
    description: "The template that it was created from, or that was last applied to it.",
  })
  async template(@Root() { id }: DomainRow, @Ctx() context: Context): Promise<AppliedTemplate | null> {
    const applied = await context.find("Domain.template", id, (ids) => templatesOfDomains(context.session, ids));
    if (!applied) return null;
    const read = (ids: readonly number[]) => templatesByIds(context.session, ids);
    const template = (await context.findRow("ZoneTemplate", applied.templateId, read)) ?? null;
    const values = Object.entries(applied.values).map(([name, value]) => ({ name, value }));
    return { template, revision: applied.revision, values };
  }
}
