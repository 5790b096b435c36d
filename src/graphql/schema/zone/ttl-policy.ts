/**
 * The operator's TTL policy in the schema, for forms.
 */
import { Ctx, Field, Int, ObjectType, Query, Resolver } from "type-graphql";
import { defaultTtl } from "../../../session/operator-policy.ts";
import type { Context } from "../../context.ts";

@ObjectType({ description: "The TTLs that records may have, in seconds.", simpleResolvers: true })
class TtlPolicy {
  @Field(() => [Int], { description: "The TTLs that REST accepts, to offer in a form." })
  choices!: readonly number[];

  @Field(() => Int, { description: "The smallest TTL that GraphQL, imports and updates accept." })
  min!: number;

  @Field(() => Int, { description: "The largest TTL that GraphQL, imports and updates accept." })
  max!: number;

  @Field(() => Int, { description: "The TTL of the first record of an RRset that is created without one." })
  default!: number;
}

@Resolver()
export class TtlPolicyResolver {
  @Query(() => TtlPolicy, { description: "The TTLs that records may have." })
  ttlPolicy(@Ctx() { session }: Context): TtlPolicy {
    const { ttlChoices: choices, ttlMin: min, ttlMax: max } = session.policy;
    return { choices, min, max, default: defaultTtl(session.policy) };
  }
}
