/** The quotas of a user in the schema, and the usage of each. */
import { Arg, Ctx, Field, FieldResolver, InputType, Int, Mutation, ObjectType, Resolver, Root } from "type-graphql";
import { User, type UserRow } from "../../../account/user.ts";
import { Refusal } from "../../../errors.ts";
import { maxQuota, type QuotaName, quotaInForce, quotaKinds, quotaNames } from "../../../session/quota.ts";
import { type QuotaEdits, setUserQuota } from "../../../zone/quota/metering.ts";
import { type Usage, usageOfUsers } from "../../../zone/quota/usage.ts";
import { InputField } from "../../checked-fields.ts";
import type { Context } from "../../context.ts";
import { NullIsValue } from "../shared/read-argument.ts";
import { idOfUser, UserPayload, UserSelector } from "./user.ts";

@ObjectType({ description: "A quota: the limit, where it comes from, and what is used of it.", simpleResolvers: true })
class Quota {
  @Field(() => Int, { nullable: true, description: "The limit, from 0; null is no limit." })
  limit!: number | null;

  @Field(() => Boolean, { description: "Whether the limit is that of the service's settings." })
  isDefault!: boolean;

  readonly name!: QuotaName;
  readonly userId!: number;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The field of a quota. */
const QuotaField = (name: QuotaName) =>
  Field(() => Quota, { description: `${capitalized(quotaKinds[name].meaning)}.` });

@ObjectType({
  description:
    "The quotas of a user. A change that would exceed a limit is refused with QUOTA_EXCEEDED, whoever makes it.",
  simpleResolvers: true,
})
class UserQuota implements Record<QuotaName, Quota> {
  @QuotaField("domains")
  domains!: Quota;

  @QuotaField("recordsPerDomain")
  recordsPerDomain!: Quota;

  @QuotaField("records")
  records!: Quota;

  @QuotaField("changesPerDay")
  changesPerDay!: Quota;
}

@InputType({ description: "A limit to set: either `limit`, or `isDefault: true`." })
class QuotaInput {
  @Field(() => Int, { nullable: true, description: `The limit, from 0 to ${maxQuota}; null is no limit.` })
  @NullIsValue()
  limit?: number | null;

  @Field(() => Boolean, { defaultValue: false, description: "Whether the limit is that of the service's settings." })
  isDefault!: boolean;
}

/** The input of a limit. */
const LimitInput = (name: QuotaName) =>
  Field(() => QuotaInput, { nullable: true, description: `Limit of the ${quotaKinds[name].counted}.` });

@InputType({ description: "Quotas of a user; what is left out does not change." })
class SetUserQuotaInput {
  @InputField(() => UserSelector, { description: "The user." })
  by!: UserSelector;

  @LimitInput("domains")
  domains?: QuotaInput;

  @LimitInput("recordsPerDomain")
  recordsPerDomain?: QuotaInput;

  @LimitInput("records")
  records?: QuotaInput;

  @LimitInput("changesPerDay")
  changesPerDay?: QuotaInput;
}

@Resolver(() => User)
export class UserQuotaResolver {
  @FieldResolver(() => UserQuota, { description: "How much the user may have, and has." })
  quota(@Root() { id, quota }: UserRow, @Ctx() { session }: Context): UserQuota {
    const inForce = quotaInForce(quota, session.policy.quota);
    const quotas = quotaNames.map((name) => {
      const isDefault = quota[name] === undefined;
      return [name, { limit: inForce[name], isDefault, name, userId: id }];
    });
    return Object.fromEntries(quotas) as UserQuota;
  }

  @Mutation(() => UserPayload, {
    description: "Sets quotas of a user. What exceeds a new limit stays. Administrators only.",
  })
  async setUserQuota(
    @Arg("input", () => SetUserQuotaInput) { by, ...inputs }: SetUserQuotaInput,
    @Ctx() { session }: Context,
  ): Promise<UserPayload> {
    const edits = Object.fromEntries(
      quotaNames.flatMap((name) => (inputs[name] ? [[name, editOf(name, inputs[name])]] : [])),
    );
    return { user: await setUserQuota(session, await idOfUser(session, by), edits) };
  }
}

function editOf(name: QuotaName, { limit, isDefault }: QuotaInput): QuotaEdits[QuotaName] {
  if (isDefault !== (limit === undefined)) {
    const message = `${name}: write either a limit, null for none, or isDefault: true.`;
    throw new Refusal("INVALID_VALUE", message, { field: name });
  }
  return isDefault ? "default" : limit;
}

/** The usage of each quota; null for quotas that count each domain by itself. */
const usedOf: Readonly<Record<QuotaName, (usage: Usage) => number | null>> = {
  domains: ({ domains }) => domains,
  recordsPerDomain: () => null,
  records: ({ records }) => records,
  changesPerDay: ({ changes }) => changes,
};

@Resolver(() => Quota)
export class QuotaResolver {
  @FieldResolver(() => Int, { nullable: true, description: "What is used of it now; null for `recordsPerDomain`." })
  async usage(@Root() { name, userId }: Quota, @Ctx() context: Context): Promise<number | null> {
    const read = (ids: readonly number[]) => usageOfUsers(context.session, ids);
    return usedOf[name](await context.load<Usage>("Quota.usage", null, userId, read));
  }
}
