/**
 * Labels of domains in the schema.
 */
import { ArrayMaxSize } from "class-validator";
import { Ctx, Field, FieldResolver, Resolver, Root } from "type-graphql";
import { Domain, type DomainRow } from "../../../zone/domain.ts";
import { labelsOfDomains } from "../../../zone/domain-annotations.ts";
import { type Label, maxLabels } from "../../../zone/label.ts";
import type { Context } from "../../context.ts";
import { NamedValue } from "../shared/payloads.ts";

/** Labels that select domains, in a filter. */
export const LabelsField = (): PropertyDecorator => (target, property) => {
  const description = `Labels that the domain must have: \`env=prod\`, or \`env\` with any value; at most ${maxLabels}.`;
  Field(() => [String], { nullable: true, description })(target, property);
  ArrayMaxSize(maxLabels, { message: `send at most ${maxLabels}` })(target, property);
};

@Resolver(() => Domain)
export class LabelResolver {
  @FieldResolver(() => [NamedValue], { nullable: true, description: "The domain's labels, by name." })
  async labels(@Root() { id }: DomainRow, @Ctx() context: Context): Promise<readonly Label[]> {
    return context.load("Domain.labels", null, id, async (ids) => {
      const labels = await labelsOfDomains(context.session, ids);
      return ids.map((each) => labels.get(each) ?? []);
    });
  }
}
