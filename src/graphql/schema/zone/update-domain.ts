/**
 * What is kept of a domain beside its zone, its labels and the review that it demands, as one mutation sets it.
 */
import { Arg, Ctx, Field, FieldResolver, InputType, Int, Mutation, Resolver, Root } from "type-graphql";
import { ReviewPolicy, requiredApprovals } from "../../../account/review-policy.ts";
import { Domain, type DomainRow, zoneNamed } from "../../../zone/domain.ts";
import { maxLabels } from "../../../zone/label.ts";
import { updateDomain } from "../../../zone/lifecycle/update-domain.ts";
import type { Context } from "../../context.ts";
import { NamedValueInput } from "../shared/input-fields.ts";
import { DomainPayload } from "../shared/payloads.ts";
import { NullIsValue } from "../shared/read-argument.ts";
import { ownerOf } from "../shared/rows.ts";
import { DomainInput } from "./domain-inputs.ts";

@InputType({ description: "New settings of a domain; what is left out does not change." })
class UpdateDomainInput extends DomainInput {
  @Field(() => [NamedValueInput], {
    nullable: true,
    description: `All labels that it is to have, at most ${maxLabels}.`,
  })
  labels?: NamedValueInput[];

  @Field(() => ReviewPolicy, {
    nullable: true,
    description: "The zone's review policy; null for its owner's. Only an administrator may loosen it.",
  })
  @NullIsValue()
  review?: ReviewPolicy | null;
}

@Resolver(() => Domain)
export class UpdateDomainResolver {
  @FieldResolver(() => Int, {
    nullable: true,
    description:
      "How many other persons must approve a change set of the zone, 0 to 2; null when it may be changed without a change set.",
  })
  async requiredApprovals(@Root() { review, userId }: DomainRow, @Ctx() context: Context): Promise<number | null> {
    if (review) return requiredApprovals(review);
    // The catalog has no owner.
    const owner = await ownerOf(userId, context);
    return owner && requiredApprovals(owner.review);
  }

  @Mutation(() => DomainPayload, {
    description: "Replaces the labels of a domain, or sets its review policy. The zone does not change.",
  })
  async updateDomain(
    @Arg("input", () => UpdateDomainInput) { by, ...edits }: UpdateDomainInput,
    @Ctx() { session }: Context,
  ): Promise<DomainPayload> {
    return { domain: await updateDomain(session, await zoneNamed(session, by), edits) };
  }
}
