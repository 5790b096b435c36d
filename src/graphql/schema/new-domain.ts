/**
 * New domains in the schema.
 */
import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from "type-graphql";
import { Domain, type DomainRow } from "../../zone/domain.ts";
import { createDomain } from "../../zone/edit/lifecycle.ts";
import { readLabels } from "../../zone/label.ts";
import type { Context } from "../context.ts";
import { readId } from "../read-id.ts";
import { NoteField } from "./input-fields.ts";
import { LabelInput } from "./label.ts";
import { ChangePayload } from "./payloads.ts";

@InputType({ description: "A new domain." })
class CreateDomainInput {
  @Field(() => String, {
    description: "Zone name, in Unicode or A-labels (RFC 5890). DUPLICATE_ZONE when it exists.",
  })
  zone!: string;

  @Field(() => ID, { description: "Id of the user who will own it." })
  userId!: string;

  @Field(() => [LabelInput], { nullable: true, description: "Its labels." })
  labels?: LabelInput[];

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
  @Mutation(() => CreateDomainPayload, { description: "Creates a domain with default records: SOA, NS and www." })
  createDomain(
    @Arg("input", () => CreateDomainInput) { zone, userId, labels, note }: CreateDomainInput,
    @Ctx() { session }: Context,
  ): Promise<CreateDomainPayload> {
    return createDomain({ ...session, note }, readId(userId, "userId"), zone, readLabels(labels ?? []));
  }
}
