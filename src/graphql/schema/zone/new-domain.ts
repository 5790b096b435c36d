/**
 * New domains in the schema.
 */
import { ArrayMaxSize } from "class-validator";
import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from "type-graphql";
import { IdScalar } from "../../../scalars.ts";
import { newZoneOf } from "../../../template/new-zone.ts";
import { Domain, type DomainRow } from "../../../zone/domain.ts";
import { readLabels } from "../../../zone/label.ts";
import { createDomain } from "../../../zone/lifecycle/domain-lifecycle.ts";
import type { Context } from "../../context.ts";
import { NamedValueInput, NoteField } from "../shared/input-fields.ts";
import { ChangePayload } from "../shared/payloads.ts";

/** The template of a new zone. */
export const TemplateField = () =>
  Field(() => IdScalar, {
    nullable: true,
    description: "The template. Default: DEFAULT_TEMPLATE, or the default records.",
  });

/** The values of a template's variables. */
export const VariablesField = (): PropertyDecorator => (target, property) => {
  const description = "Values of the template's variables, at most 50, of at most 2000 characters.";
  Field(() => [NamedValueInput], { nullable: true, description })(target, property);
  ArrayMaxSize(50, { message: "send at most 50" })(target, property);
};

@InputType({ description: "A new domain." })
class CreateDomainInput {
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

@ObjectType({ description: "The created domain.", simpleResolvers: true })
class CreateDomainPayload extends ChangePayload {
  @Field(() => Domain, { description: "The domain, with its default records." })
  domain!: DomainRow;
}

@Resolver(() => Domain)
export class NewDomainResolver {
  @Mutation(() => CreateDomainPayload, {
    description: "Creates a domain with default records, SOA, NS and www, or with those of a template.",
  })
  async createDomain(
    @Arg("input", () => CreateDomainInput) { zone, userId, labels, templateId, variables, note }: CreateDomainInput,
    @Ctx() { session }: Context,
  ): Promise<CreateDomainPayload> {
    const fromTemplate = await newZoneOf(session, zone, { template: templateId, variables: variables ?? [] });
    return createDomain({ ...session, note }, userId, zone, { ...fromTemplate, labels: readLabels(labels ?? []) });
  }
}
