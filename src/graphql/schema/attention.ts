/** What needs somebody now, in the schema. */
import { Ctx, Field, Int, ObjectType, Query, Resolver } from "type-graphql";
import { ApiKey, type ApiKeyRow } from "../../account/api-key.ts";
import { type Cause, CauseKind, causesOf } from "../../attention/attention.ts";
import { ChangeSet, type ChangeSetRow } from "../../changeset/change-set.ts";
import type { SecondaryRow } from "../../secondary/registry.ts";
import { Secondary } from "../../secondary/secondary.ts";
import { UpdateRefusal, type UpdateRefusalRow } from "../../zone/dynamic-update/refusal-audit.ts";
import type { Context } from "../context.ts";
import { DateTimeScalar } from "../scalars/scalars.ts";

@ObjectType({ description: "Something that needs somebody.", simpleResolvers: true })
class Attention {
  @Field(() => CauseKind, { description: "Why it needs somebody." })
  kind!: keyof typeof CauseKind;

  @Field(() => Int, {
    description: "How many zones are late, removals are held back, or updates were refused; else 1, or 0 of none.",
  })
  count!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Since when; of a key, when it expires. Null for NO_SECONDARY.",
  })
  at!: Date | null;

  @Field(() => Secondary, { nullable: true, description: "The secondary of LATE_SECONDARY." })
  secondary?: SecondaryRow;

  @Field(() => ChangeSet, { nullable: true, description: "The change set of REVIEW." })
  changeSet?: ChangeSetRow;

  @Field(() => UpdateRefusal, { nullable: true, description: "The newest refusal of REFUSALS." })
  refusal?: UpdateRefusalRow;

  @Field(() => ApiKey, { nullable: true, description: "The key of EXPIRING_KEY." })
  apiKey?: ApiKeyRow;
}

@Resolver(() => Attention)
export class AttentionResolver {
  @Query(() => [Attention], {
    complexity: 50,
    description:
      "What needs somebody, as far as the key sees it, the most urgent first; at most 20 of a kind. A user's key sees causes of its zones and keys.",
  })
  attention(@Ctx() { session }: Context): Promise<Cause[]> {
    return causesOf(session);
  }
}
