import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from "type-graphql";
import { ReviewPolicy } from "../../../account/review-policy.ts";
import {
  createUser,
  findUser,
  listUsers,
  User,
  type UserRow,
  type userOrders,
  usersByIds,
} from "../../../account/user.ts";
import { maxReviewers, reviewerIdsOf } from "../../../account/user-reviewer.ts";
import { Refusal } from "../../../errors.ts";
import { type DomainOrderName, domainsInOrder } from "../../../secondary/publication.ts";
import { deleteUserWithKeys } from "../../../secondary/registry.ts";
import type { Session } from "../../../session/session.ts";
import { type DomainRow, domainsOfUsers } from "../../../zone/domain.ts";
import type { DomainsOfDeletedUser } from "../../../zone/lifecycle/domain-lifecycle.ts";
import { updateUser } from "../../../zone/lifecycle/update-user.ts";
import { InputField, PlainTextField } from "../../checked-fields.ts";
import { Connection } from "../../connection.ts";
import { DomainConnection, DomainOrder, UserConnection, UserOrder } from "../../connection-types.ts";
import type { Context } from "../../context.ts";
import { PageArgs } from "../../page-args.ts";
import { enumType } from "../../scalars/enum-type.ts";
import { IdScalar } from "../../scalars/scalars.ts";
import { CreatedRangeFilter, OneOf } from "../shared/input-fields.ts";
import { DeletePayload } from "../shared/payloads.ts";

/** How many reviewers of a user the row limit assumes. */
const usualReviewers = 5;

@InputType({ description: "A filter; every field that is present must match." })
class UserFilter extends CreatedRangeFilter {
  @PlainTextField(254, { nullable: true, description: "E-mail address; letter case does not matter." })
  email?: string;
}

@ArgsType()
class UsersArgs extends PageArgs {
  @InputField(() => UserFilter, { nullable: true, description: "Selects users; without it, all." })
  filter?: UserFilter;

  @Field(() => UserOrder, { defaultValue: UserOrder.CREATED, description: "Sort order." })
  orderBy!: keyof typeof userOrders;
}

@OneOf()
@InputType({ description: "A user, by id or e-mail address." })
export class UserSelector {
  @Field(() => IdScalar, { nullable: true, description: "The id." })
  id?: number;

  @PlainTextField(254, { nullable: true, description: "The e-mail address; letter case does not matter." })
  email?: string;
}

/** The id of the selected user; NOT_FOUND when the session sees no such user. */
export const idOfUser = async (session: Session, { id, email }: UserSelector): Promise<number> =>
  id ?? (await findUser(session, { email })).id;

@ArgsType()
class DomainsOfUserArgs extends PageArgs {
  @Field(() => DomainOrder, { defaultValue: DomainOrder.ZONE, description: "Sort order." })
  orderBy!: DomainOrderName;
}

@InputType({ description: "The user to create." })
class CreateUserInput {
  @PlainTextField(254, { description: "E-mail address, unique regardless of letter case (DUPLICATE_EMAIL)." })
  email!: string;
}

@InputType({ description: "New content of a user; what is left out does not change." })
class UpdateUserInput {
  @InputField(() => UserSelector, { description: "The user." })
  by!: UserSelector;

  @PlainTextField(254, {
    nullable: true,
    description: "The new e-mail address, unique regardless of letter case (DUPLICATE_EMAIL). Administrators only.",
  })
  email?: string;

  @Field(() => ReviewPolicy, {
    nullable: true,
    description: "The review policy of domains without their own. Only an administrator may loosen it.",
  })
  review?: ReviewPolicy;

  @Field(() => [IdScalar], {
    nullable: true,
    description: `Ids of all users who review the user's change sets, at most ${maxReviewers}. Administrators only.`,
  })
  reviewerIds?: number[];
}

const OnDomains = enumType("OnDomains", "What happens to the domains of a deleted user.", {
  REFUSE: "The user is not deleted while owning domains (USER_HAS_DOMAINS).",
  DELETE: "They are deleted with all their records.",
  TRANSFER: "They are transferred to the user `transferToUserId`.",
});

@InputType({ description: "The user to delete, and what happens to the user's domains." })
class DeleteUserInput {
  @InputField(() => UserSelector, { description: "The user." })
  by!: UserSelector;

  @Field(() => OnDomains, { defaultValue: OnDomains.REFUSE, description: "What happens to the user's domains." })
  onDomains!: keyof typeof OnDomains;

  @Field(() => IdScalar, {
    nullable: true,
    description: "Id of the user who will own the domains; required with TRANSFER (MISSING_FIELD).",
  })
  transferToUserId?: number;
}

@ObjectType({ description: "The user as stored.", simpleResolvers: true })
export class UserPayload {
  @Field(() => User, { description: "The user." })
  user!: UserRow;
}

@Resolver(() => User)
export class UserResolver {
  @Query(() => User, { nullable: true, description: "The user; NOT_FOUND when there is none." })
  user(
    @Arg("by", () => UserSelector, { description: "The user." }) by: UserSelector,
    @Ctx() { session }: Context,
  ): Promise<UserRow> {
    return findUser(session, { ...by });
  }

  @Query(() => UserConnection, { description: "The users: all for an administrator, the key's own for a user." })
  async users(
    @Args(() => UsersArgs) { filter, orderBy, ...page }: UsersArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<UserRow>> {
    return new Connection(await listUsers(session, { ...filter }, { ...page, order: orderBy }));
  }

  @FieldResolver(() => DomainConnection, { nullable: true, description: "The domains that the user owns." })
  async domains(
    @Root() user: UserRow,
    @Args(() => DomainsOfUserArgs) { orderBy, ...page }: DomainsOfUserArgs,
    @Ctx() context: Context,
  ): Promise<Connection<DomainRow>> {
    const read = (ids: readonly number[]) =>
      domainsOfUsers(context.session, ids, page, domainsInOrder(context.session, orderBy));
    return new Connection(await context.load("User.domains", { ...page, orderBy }, user.id, read));
  }

  @Mutation(() => UserPayload, { description: "Creates a user. Administrators only." })
  async createUser(
    @Arg("input", () => CreateUserInput) { email }: CreateUserInput,
    @Ctx() { session }: Context,
  ): Promise<UserPayload> {
    return { user: await createUser(session, email) };
  }

  @FieldResolver(() => [User], {
    nullable: true,
    complexity: usualReviewers,
    description: "The users who review change sets of the user's zones, as far as the key sees them.",
  })
  async reviewers(@Root() { id }: UserRow, @Ctx() context: Context): Promise<readonly UserRow[]> {
    return context.load("User.reviewers", null, id, async (ids) => {
      const reviewerIds = await reviewerIdsOf(context.session, ids);
      const users = await usersByIds(context.session, [...new Set([...reviewerIds.values()].flat())]);
      const byId = new Map(users.map((user) => [user.id, user]));
      return ids.map((each) => (reviewerIds.get(each) ?? []).flatMap((reviewer) => byId.get(reviewer) ?? []));
    });
  }

  @Mutation(() => UserPayload, {
    description: "Edits a user. Administrators only, but a user's key may make `review` stricter.",
  })
  async updateUser(
    @Arg("input", () => UpdateUserInput) { by, ...edits }: UpdateUserInput,
    @Ctx() { session }: Context,
  ): Promise<UserPayload> {
    return { user: await updateUser(session, await idOfUser(session, by), edits) };
  }

  @Mutation(() => DeletePayload, { description: "Deletes a user with the user's keys. Administrators only." })
  async deleteUser(
    @Arg("input", () => DeleteUserInput) input: DeleteUserInput,
    @Ctx() { session }: Context,
  ): Promise<DeletePayload> {
    const deletedId = await idOfUser(session, input.by);
    await deleteUserWithKeys(session, deletedId, fateOfDomains(input));
    return { deletedId };
  }
}

function fateOfDomains({ onDomains, transferToUserId }: DeleteUserInput): DomainsOfDeletedUser {
  if (onDomains !== "TRANSFER") return { fate: onDomains };
  if (transferToUserId) return { fate: "TRANSFER", to: transferToUserId };
  throw new Refusal("MISSING_FIELD", "transferToUserId is missing; name the user who gets the domains.", {
    field: "transferToUserId",
  });
}
