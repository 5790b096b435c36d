/**
 * What other pages need of users: the field in which a form names one by e-mail address, with the first ones to choose from. A user who is
 * not there is created here.
 */
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef } from "react";
import type { UserListQuery } from "../api/generated/graphql.ts";
import { listOptions, readAgain, readOptions } from "../api/queries.ts";
import { act, graphql, Refused, RefusedField, run } from "../api/run.ts";
import type { Viewer } from "../api/viewer.ts";
import { Button } from "../parts/control/button.tsx";
import { Field, TextInput } from "../parts/control/field.tsx";
import { useField } from "../parts/page/form.tsx";
import { Refusal } from "../parts/page/page.tsx";

const noUserText = (email: string) => `There is no user ${email}.`;

interface UserFieldProps {
  readonly name?: string;
  readonly label?: string;
  readonly hint?: string;
  /** What is wrong with it by another name. */
  readonly error?: string | undefined;
  readonly required?: boolean;
  /** Whether it has the focus at first, and begins with the user where there is one alone: what is left to fill in of a new zone. */
  readonly isFirst?: boolean;
}

export function UserField(props: UserFieldProps) {
  const { name = "userId", label = "User", hint, error, required = false, isFirst = false } = props;
  const list = useId();
  const { data: users = [] } = useQuery(userEmailsOptions);
  const input = useRef<HTMLInputElement>(null);
  const { value, onChange, error: refused = error } = useField<string>(name);
  const email = value.trim();
  const only = isFirst && users.length === 1 ? users[0]?.email : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the users are read
  useEffect(() => {
    if (only !== undefined && value === "") onChange(only);
  }, [only]);
  const creation = useMutation({
    mutationFn: async (created: string) => {
      await act("createUser", { email: created });
      return created;
    },
    onSuccess: () => {
      input.current?.focus();
      readAgain("users", "user-emails");
    },
  });
  const isCreated = creation.data === email;
  const isMissing = refused === noUserText(email) && !isCreated;
  return (
    <>
      <Field
        label={label}
        error={isCreated ? undefined : refused}
        hint={isCreated ? `The user ${email} was created; this form is not sent yet.` : hint}
      >
        <TextInput
          ref={input}
          type="email"
          list={list}
          required={required}
          data-first={isFirst || undefined}
          value={value}
          onChange={onChange}
        />
      </Field>
      <datalist id={list}>
        {users.map((user) => (
          <option key={user.id} value={user.email} />
        ))}
      </datalist>
      {isMissing && (
        <div>
          <Button busy={creation.isPending} onClick={() => creation.mutate(email)}>
            Create the user {email} first
          </Button>
        </div>
      )}
      {isMissing && creation.error && <Refusal error={creation.error} />}
    </>
  );
}

/** The user whom a field of a form names by address; throws as the service would where there is none. */
export async function namedUser(email: string, field = "userId"): Promise<string> {
  const id = await userIdOf(email);
  if (id === undefined) throw new RefusedField(field, noUserText(email));
  return id;
}

/** The id of the user of whom something new is: the viewer's own, or the one whom a form names. */
export const ownerOf = async ({ user }: Viewer, email: string) => user?.id ?? (await namedUser(email));

/** The same, where a form need not name one. */
export const ownerIfAny = async (viewer: Viewer, email: string) =>
  email === "" ? viewer.user?.id : await ownerOf(viewer, email);

const userList = graphql(`
  query UserList($after: String) {
    users(first: 100, orderBy: EMAIL, after: $after) {
      nodes {
        id email createdAt
        quota { domains { limit usage } records { limit usage } changesPerDay { limit usage } }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type ListedUser = NonNullable<UserListQuery["users"]>["nodes"][number];

export const userListOptions = listOptions(["users"], userList, {}, ({ users }) => users);

const userByEmail = graphql(`query UserByEmail($email: String!) { user(by: { email: $email }) { id } }`);

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

const userEmails = graphql(`query UserEmails { users(first: 200, orderBy: EMAIL) { nodes { id email } } }`);

/** The first users by their addresses, to offer in a field. */
export const userEmailsOptions = {
  ...readOptions(["user-emails"], userEmails, {}, ({ users }) => users?.nodes ?? []),
  staleTime: 60_000,
};
