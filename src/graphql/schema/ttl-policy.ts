/**
 * The operator's TTL policy in the schema, for forms.
 */
import { Ctx, Field, Int, ObjectType, Query, Resolver } from "type-graphql";
import { defaultTtl } from "../../session/policy.ts";
import type { Context } from "../context.ts";

@ObjectType({ description: "Which TTLs records may have, all in seconds.", simpleResolvers: true })
class TtlPolicy {
  @Field(() => [Int], { description: "The preserved values: what REST accepts, and what a form offers." })
  choices!: readonly number[];

  @Field(() => Int, { description: "The least that GraphQL, imports and updates accept." })
  min!: number;

  @Field(() => Int, { description: "The greatest that GraphQL, imports and updates accept." })
  max!: number;

  @Field(() => Int, { description: "What a record gets that comes without one and is the first of its RRset." })
  default!: number;
}

@Resolver()
export class TtlPolicyResolver {
  @Query(() => TtlPolicy, { description: "Which TTLs records may have." })
  ttlPolicy(@Ctx() { session }: Context): TtlPolicy {
    const { ttlChoices: choices, ttlMin: min, ttlMax: max } = session.policy;
    return { choices, min, max, default: defaultTtl(session.policy) };
  }
}
