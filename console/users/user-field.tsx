/**
 * The field in which a form names a user: by e-mail address, with the first ones to choose from. A user who is not there is created here.
 */
import { useMutation, useQuery } from "@tanstack/react-query";
import { useId, useRef } from "react";
import { readAgain } from "../api/queries.ts";
import { RefusedField } from "../api/refused.ts";
import { run } from "../api/run.ts";
import { Button } from "../parts/control/button.tsx";
import { Field } from "../parts/control/field.tsx";
import { Refusal } from "../parts/page/refusal.tsx";
import { createUser, userEmailsOptions, userIdOf } from "./queries.ts";

const noUserText = (email: string) => `There is no user ${email}.`;

interface UserFieldProps {
  readonly label?: string;
  readonly hint?: string;
  readonly error: string | undefined;
  readonly required?: boolean;
  readonly value: string;
  readonly onChange: (email: string) => void;
}

export function UserField({ label = "User", hint, error, required = false, value, onChange }: UserFieldProps) {
  const list = useId();
  const { data: users = [] } = useQuery(userEmailsOptions);
  const input = useRef<HTMLInputElement>(null);
  const email = value.trim();
  const creation = useMutation({
    mutationFn: async (created: string) => {
      await run(createUser, { input: { email: created } });
      return created;
    },
    onSuccess: () => {
      input.current?.focus();
      readAgain("users", "user-emails");
    },
  });
  const isCreated = creation.data === email;
  const isMissing = error === noUserText(email) && !isCreated;
  return (
    <>
      <Field
        label={label}
        error={isCreated ? undefined : error}
        hint={isCreated ? `The user ${email} was created; this form is not sent yet.` : hint}
      >
        <input
          ref={input}
          type="email"
          list={list}
          required={required}
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.target.value)}
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

/** The user whom a form names by address; throws as the service would where there is none. */
export async function namedUser(email: string): Promise<string> {
  const id = await userIdOf(email);
  if (id === undefined) throw new RefusedField("userId", noUserText(email));
  return id;
}
