/**
 * What is kept of a domain beside its zone, its labels and the review that it demands, as one mutation sets it.
 */
import { Arg, Ctx, Field, FieldResolver, InputType, Mutation, Resolver, Root } from "type-graphql";
import { ReviewPolicy } from "../../account/review-policy.ts";
import { usersByIds } from "../../account/user.ts";
import { Domain, type DomainRow, zoneNamed } from "../../zone/domain.ts";
import { updateDomain } from "../../zone/edit/update-domain.ts";
import { maxLabels } from "../../zone/label.ts";
import type { Context } from "../context.ts";
import { DomainInput } from "./domain-inputs.ts";
import { LabelInput } from "./label.ts";
import { DomainPayload } from "./payloads.ts";
import { NullIsValue } from "./read-argument.ts";

@InputType({ description: "What is to be kept of a domain beside its zone; what is left out does not change." })
class UpdateDomainInput extends DomainInput {
  @Field(() => [LabelInput], {
    nullable: true,
    description: `All labels that it is to have, at most ${maxLabels}.`,
  })
  labels?: LabelInput[];

  @Field(() => ReviewPolicy, {
    nullable: true,
    description:
      "How changes of the zone come about; null is as its owner's `review` says. Only an administrator makes it freer.",
  })
  @NullIsValue()
  review?: ReviewPolicy | null;
}

@Resolver(() => Domain)
export class UpdateDomainResolver {
  @FieldResolver(() => ReviewPolicy, {
    nullable: true,
    description: "The review that is in force: the domain's own, or its owner's.",
  })
  async effectiveReview(@Root() { review, userId }: DomainRow, @Ctx() context: Context): Promise<ReviewPolicy> {
    if (review) return review;
    // The catalog has no owner.
    if (userId === null) return ReviewPolicy.NONE;
    return (await context.loadRow("User", userId, (ids) => usersByIds(context.session, ids))).review;
  }

  @Mutation(() => DomainPayload, {
    description: "Replaces the labels of a domain, or sets the review that it demands. No change of the zone is made.",
  })
  async updateDomain(
    @Arg("input", () => UpdateDomainInput) { by, ...edits }: UpdateDomainInput,
    @Ctx() { session }: Context,
  ): Promise<DomainPayload> {
    return { domain: await updateDomain(session, await zoneNamed(session, by), edits) };
  }
}
