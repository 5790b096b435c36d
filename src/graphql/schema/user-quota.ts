/**
 * The quotas of a user in the schema, and what is used of them.
 */
import { Arg, Ctx, Field, FieldResolver, InputType, Int, Mutation, ObjectType, Resolver, Root } from "type-graphql";
import { User, type UserRow } from "../../account/user.ts";
import { IdScalar } from "../../scalars.ts";
import type { QuotaName } from "../../session/quota.ts";
import { maxQuota, quotaInForce, quotaKinds, quotaNames } from "../../session/quota.ts";
import { noLimit, setUserQuota } from "../../zone/edit/set-user-quota.ts";
import { type Usage, usageOfUsers } from "../../zone/user-usage.ts";
import type { Context } from "../context.ts";
import { NullIsValue } from "./read-argument.ts";

@ObjectType({ description: "A limit, and where it comes from.", simpleResolvers: true })
class QuotaLimit {
  @Field(() => Int, { nullable: true, description: "The limit, from 0; null is no limit." })
  limit!: number | null;

  @Field(() => Boolean, {
    description:
      "Whether it is that of the settings of the service; otherwise an administrator has set it for the user.",
  })
  isDefault!: boolean;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A limit of the table. */
const LimitField = (name: QuotaName) =>
  Field(() => QuotaLimit, { description: `${capitalized(quotaKinds[name].meaning)}.` });

@ObjectType({
  description:
    "The quotas of a user. What would raise a figure above its limit is refused with QUOTA_EXCEEDED, whoever's key it is; what does not " +
    "raise one is allowed even above it.",
  simpleResolvers: true,
})
class UserQuota implements Record<QuotaName, QuotaLimit> {
  @LimitField("domains")
  domains!: QuotaLimit;

  @LimitField("recordsPerDomain")
  recordsPerDomain!: QuotaLimit;

  @LimitField("records")
  records!: QuotaLimit;

  @LimitField("changesPerDay")
  changesPerDay!: QuotaLimit;
}

@ObjectType({
  description:
    "What a user has of what quotas count. It is kept for users whom a quota limits; for others it is counted when it is asked for, from " +
    "their domains and the journal of the day.",
  simpleResolvers: true,
})
class UserUsage {
  @Field(() => Int, { description: "Domains that the user owns." })
  domains!: number;

  @Field(() => Int, { description: "Records of all domains of the user, SOA and NS among them." })
  records!: number;

  @Field(() => Int, { description: "Changes of the user's zones since midnight, UTC." })
  changesToday!: number;
}

/** A limit that is set. */
const LimitInput =
  (name: QuotaName): PropertyDecorator =>
  (target, property) => {
    const description = `Limit of the ${quotaKinds[name].counted}: from 0 to ${maxQuota}; ${noLimit} is no limit, null is that of the settings.`;
    Field(() => Int, { nullable: true, description })(target, property);
    NullIsValue()(target, property);
  };

@InputType({ description: "Quotas of a user; what is left out stays as it is." })
class SetUserQuotaInput {
  @Field(() => IdScalar, { description: "The id of the user." })
  id!: number;

  @LimitInput("domains")
  domains?: number | null;

  @LimitInput("recordsPerDomain")
  recordsPerDomain?: number | null;

  @LimitInput("records")
  records?: number | null;

  @LimitInput("changesPerDay")
  changesPerDay?: number | null;
}

@ObjectType({ description: "The user whose quotas were set.", simpleResolvers: true })
class SetUserQuotaPayload {
  @Field(() => User, { description: "The user." })
  user!: UserRow;
}

/** The usage of a user costs about as much as a few rows where it is counted. */
const usageComplexity = 3;

@Resolver(() => User)
export class UserQuotaResolver {
  @FieldResolver(() => UserQuota, { description: "How much the user may have." })
  quota(@Root() { quota }: UserRow, @Ctx() { session }: Context): UserQuota {
    const inForce = quotaInForce(quota, session.policy.quota);
    const limits = quotaNames.map((name) => [name, { limit: inForce[name], isDefault: quota[name] === undefined }]);
    return Object.fromEntries(limits) as UserQuota;
  }

  @FieldResolver(() => UserUsage, {
    nullable: true,
    complexity: usageComplexity,
    description: "What the user has, as it is committed.",
  })
  async usage(@Root() { id }: UserRow, @Ctx() context: Context): Promise<UserUsage> {
    const usage = await context.load<Usage>("User.usage", null, id, (ids) => usageOfUsers(context.session, ids));
    return { domains: usage.domains, records: usage.records, changesToday: usage.changes };
  }

  @Mutation(() => SetUserQuotaPayload, {
    description:
      "Sets quotas of a user. Nothing that the user has is taken away: what is above a new limit stays, and cannot grow. Administrators only.",
  })
  async setUserQuota(
    @Arg("input", () => SetUserQuotaInput) { id, ...edits }: SetUserQuotaInput,
    @Ctx() { session }: Context,
  ): Promise<SetUserQuotaPayload> {
    return { user: await setUserQuota(session, id, edits) };
  }
}
