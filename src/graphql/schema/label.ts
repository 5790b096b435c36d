/**
 * Labels of domains in the schema.
 */
import { ArrayMaxSize } from "class-validator";
import { Ctx, Field, FieldResolver, InputType, Resolver, Root } from "type-graphql";
import { Domain, type DomainRow } from "../../zone/domain.ts";
import { labelsOfDomains } from "../../zone/domain-labels.ts";
import { Label, maxLabels } from "../../zone/label.ts";
import type { Context } from "../context.ts";

@InputType({ description: "A label of a domain." })
export class LabelInput {
  @Field(() => String, { description: "Its name, such as `env` or `example.com/team`, in the form of Kubernetes." })
  name!: string;

  @Field(() => String, { description: "Its value, such as `prod`; it may be empty." })
  value!: string;
}

/** Labels that select domains, in a filter. */
export const LabelsField = (): PropertyDecorator => (target, property) => {
  const description = `Labels of the domain, each as \`env=prod\` or \`env\`, at most ${maxLabels}; it has all of them.`;
  Field(() => [String], { nullable: true, description })(target, property);
  ArrayMaxSize(maxLabels, { message: `send at most ${maxLabels}` })(target, property);
};

@Resolver(() => Domain)
export class LabelResolver {
  @FieldResolver(() => [Label], { nullable: true, description: "The domain's labels, by name." })
  async labels(@Root() { id }: DomainRow, @Ctx() context: Context): Promise<readonly Label[]> {
    return context.load("Domain.labels", null, id, async (ids) => {
      const labels = await labelsOfDomains(context.session, ids);
      return ids.map((each) => labels.get(each) ?? []);
    });
  }
}
