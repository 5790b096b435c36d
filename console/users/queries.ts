/**
 * What is asked of the service about users.
 */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { graphql } from "../api/generated/gql.ts";
import type { UserListQuery } from "../api/generated/graphql.ts";
import { paged } from "../api/pages.ts";
import { Refused } from "../api/refused.ts";
import { run } from "../api/run.ts";

const userList = graphql(`
  query UserList($after: String) {
    users(first: 100, orderBy: EMAIL, after: $after) {
      nodes {
        id email createdAt
        quota {
          domains { limit usage }
          records { limit usage }
          changesPerDay { limit usage }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type ListedUser = NonNullable<UserListQuery["users"]>["nodes"][number];

export const userListOptions = infiniteQueryOptions({
  queryKey: ["users"],
  ...paged,
  queryFn: async ({ pageParam, signal }) => (await run(userList, { after: pageParam }, signal)).users,
  placeholderData: keepPreviousData,
});

const userByEmail = graphql(`
  query UserByEmail($email: String!) { user(by: { email: $email }) { id } }
`);

/** A dialog about a user. */
export interface OfUser {
  readonly user: { readonly id: string; readonly email: string };
  readonly onClose: () => void;
}

/** The id of the user with an e-mail address; undefined where there is none. */
export async function userIdOf(email: string, signal?: AbortSignal): Promise<string | undefined> {
  try {
    return (await run(userByEmail, { email }, signal)).user?.id;
  } catch (error) {
    if (error instanceof Refused && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}

const userEmails = graphql(`
  query UserEmails { users(first: 200, orderBy: EMAIL) { nodes { id email } } }
`);

/** The first users by their addresses, to offer in a field. */
export const userEmailsOptions = queryOptions({
  queryKey: ["user-emails"],
  queryFn: async ({ signal }) => (await run(userEmails, {}, signal)).users?.nodes ?? [],
  staleTime: 60_000,
});

export const createUser = graphql(`
  mutation CreateUser($input: CreateUserInput!) { createUser(input: $input) { user { id } } }
`);

export const updateUser = graphql(`
  mutation UpdateUser($input: UpdateUserInput!) { updateUser(input: $input) { user { id } } }
`);
