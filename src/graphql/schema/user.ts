/**
 * Users in the schema.
 */
import { ValidateNested } from "class-validator";
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
  registerEnumType,
} from "type-graphql";
import { ReviewPolicy } from "../../account/review-policy.ts";
import {
  createUser,
  findUser,
  listUsers,
  User,
  type UserRow,
  type userOrders,
  usersByIds,
} from "../../account/user.ts";
import { maxReviewers, reviewerIdsOf } from "../../account/user-reviewer.ts";
import { Refusal } from "../../errors.ts";
import { IdScalar } from "../../scalars.ts";
import { deleteUserWithKeys } from "../../secondary/user-deletion.ts";
import { type DomainRow, type domainOrders, domainsOfUsers } from "../../zone/domain.ts";
import type { DomainsOfDeletedUser } from "../../zone/edit/lifecycle.ts";
import { updateUser } from "../../zone/edit/update-user.ts";
import { Connection } from "../connection.ts";
import { DomainConnection, DomainOrder, UserConnection, UserOrder } from "../connection-types.ts";
import type { Context } from "../context.ts";
import { PageArgs } from "../page-args.ts";
import { PlainText } from "../plain-text.ts";
import { CreatedRangeFilter, IdInput, OneOf } from "./input-fields.ts";
import { DeletePayload } from "./payloads.ts";

/** Reviewers of a user, as the limit of rows counts them. */
const usualReviewers = 5;

@InputType({ description: "A filter of users; every field that is present must match." })
class UserFilter extends CreatedRangeFilter {
  @Field(() => String, { nullable: true, description: "E-mail address; letter case does not matter." })
  @PlainText(254)
  email?: string;
}

@ArgsType()
class UsersArgs extends PageArgs {
  @Field(() => UserFilter, { nullable: true, description: "Selects users; without it, all." })
  @ValidateNested()
  filter?: UserFilter;

  @Field(() => UserOrder, { defaultValue: UserOrder.CREATED, description: "Sort order." })
  orderBy!: keyof typeof userOrders;
}

@OneOf()
@InputType({ description: "What identifies a user: one of the fields." })
class UserSelector {
  @Field(() => IdScalar, { nullable: true, description: "The user's id." })
  id?: number;

  @Field(() => String, { nullable: true, description: "The user's e-mail address; letter case does not matter." })
  @PlainText(254)
  email?: string;
}

@ArgsType()
class DomainsOfUserArgs extends PageArgs {
  @Field(() => DomainOrder, { defaultValue: DomainOrder.ZONE, description: "Sort order." })
  orderBy!: keyof typeof domainOrders;
}

@InputType({ description: "The user to create." })
class CreateUserInput {
  @Field(() => String, { description: "E-mail address, unique regardless of letter case (DUPLICATE_EMAIL)." })
  @PlainText(254)
  email!: string;
}

@InputType({ description: "New content of a user; what is left out does not change." })
class UpdateUserInput {
  @Field(() => IdScalar, { description: "The id of the user." })
  id!: number;

  @Field(() => String, {
    nullable: true,
    description: "The new e-mail address, unique regardless of letter case (DUPLICATE_EMAIL). Administrators only.",
  })
  @PlainText(254)
  email?: string;

  @Field(() => ReviewPolicy, {
    nullable: true,
    description:
      "How the user's zones are changed that say nothing else themselves; only an administrator makes it freer.",
  })
  review?: ReviewPolicy;

  @Field(() => [IdScalar], {
    nullable: true,
    description: `Ids of all the other users who review the user's change sets, at most ${maxReviewers}. Administrators only.`,
  })
  reviewerIds?: number[];
}

const OnDomains = { REFUSE: "REFUSE", DELETE: "DELETE", TRANSFER: "TRANSFER" } as const;
registerEnumType(OnDomains, {
  name: "OnDomains",
  description: "What happens to the domains of a deleted user.",
  valuesConfig: {
    REFUSE: { description: "The user is not deleted while owning domains (USER_HAS_DOMAINS)." },
    DELETE: { description: "They are deleted with all their records." },
    TRANSFER: { description: "They are transferred to the user `transferToUserId`." },
  },
});

@InputType({ description: "The user to delete, and what happens to the user's domains." })
class DeleteUserInput extends IdInput {
  @Field(() => OnDomains, { defaultValue: OnDomains.REFUSE, description: "What happens to the user's domains." })
  onDomains!: keyof typeof OnDomains;

  @Field(() => IdScalar, {
    nullable: true,
    description: "Id of the user who will own the domains; required with TRANSFER (MISSING_FIELD).",
  })
  transferToUserId?: number;
}

@ObjectType({ simpleResolvers: true })
class UserPayload {
  @Field(() => User, { description: "The user as stored." })
  user!: UserRow;
}

@ObjectType("CreateUserPayload", { description: "The created user.", simpleResolvers: true })
class CreateUserPayload extends UserPayload {}

@ObjectType("UpdateUserPayload", { description: "The edited user.", simpleResolvers: true })
class UpdateUserPayload extends UserPayload {}

@ObjectType({ description: "The id of the deleted user.", simpleResolvers: true })
class DeleteUserPayload extends DeletePayload {}

@Resolver(() => User)
export class UserResolver {
  @Query(() => User, {
    nullable: true,
    description: "The user; NOT_FOUND when there is none.",
  })
  user(
    @Arg("by", () => UserSelector, { description: "The user." }) by: UserSelector,
    @Ctx() { session }: Context,
  ): Promise<UserRow> {
    return findUser(session, { ...by });
  }

  @Query(() => UserConnection, {
    description: "The users: all of them for an administrator, only the key's own for a user.",
  })
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
    const request = { ...page, order: orderBy };
    return new Connection(
      await context.load("User.domains", request, user.id, (ids) => domainsOfUsers(context.session, ids, request)),
    );
  }

  @Mutation(() => CreateUserPayload, { description: "Creates a user. Administrators only." })
  async createUser(
    @Arg("input", () => CreateUserInput) { email }: CreateUserInput,
    @Ctx() { session }: Context,
  ): Promise<CreateUserPayload> {
    return { user: await createUser(session, email) };
  }

  @FieldResolver(() => [User], {
    nullable: true,
    complexity: usualReviewers,
    description:
      "The other users who review change sets of the user's zones, by id, as far as the key sees them: administrators see all.",
  })
  async reviewers(@Root() { id }: UserRow, @Ctx() context: Context): Promise<readonly UserRow[]> {
    return context.load("User.reviewers", null, id, async (ids) => {
      const reviewerIds = await reviewerIdsOf(context.session, ids);
      const users = await usersByIds(context.session, [...new Set([...reviewerIds.values()].flat())]);
      const byId = new Map(users.map((user) => [user.id, user]));
      return ids.map((each) => (reviewerIds.get(each) ?? []).flatMap((reviewer) => byId.get(reviewer) ?? []));
    });
  }

  @Mutation(() => UpdateUserPayload, {
    description: "Edits a user. Administrators only, except that a user's key may make `review` stricter.",
  })
  async updateUser(
    @Arg("input", () => UpdateUserInput) { id, ...edits }: UpdateUserInput,
    @Ctx() { session }: Context,
  ): Promise<UpdateUserPayload> {
    return {
      user: await updateUser(session, id, edits),
    };
  }

  @Mutation(() => DeleteUserPayload, {
    description: "Deletes a user with the user's keys, all or nothing. Administrators only.",
  })
  async deleteUser(
    @Arg("input", () => DeleteUserInput) input: DeleteUserInput,
    @Ctx() { session }: Context,
  ): Promise<DeleteUserPayload> {
    const id = input.id;
    await deleteUserWithKeys(session, id, fateOfDomains(input));
    return { deletedId: id };
  }
}

function fateOfDomains({ onDomains, transferToUserId }: DeleteUserInput): DomainsOfDeletedUser {
  if (onDomains !== "TRANSFER") return { fate: onDomains };
  if (transferToUserId) return { fate: "TRANSFER", to: transferToUserId };
  throw new Refusal("MISSING_FIELD", "transferToUserId is missing; name the user who gets the domains.", {
    field: "transferToUserId",
  });
}
