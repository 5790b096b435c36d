/**
 * The field in which a form names a user: by e-mail address, with the first ones to choose from.
 */
import { useId } from "react";
import { RefusedField } from "../api/refused.ts";
import { Field } from "../parts/field.tsx";
import { UserChoices } from "./user-filter.tsx";
import { userIdOf } from "./zone-queries.ts";

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
  return (
    <>
      <Field label={label} error={error} {...(hint !== undefined && { hint })}>
        <input
          type="email"
          list={list}
          required={required}
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      <UserChoices id={list} />
    </>
  );
}

/** The user whom a form names by address; throws as the service would where there is none. */
export async function namedUser(email: string): Promise<string> {
  const id = await userIdOf(email);
  if (id === undefined) throw new RefusedField("userId", `There is no user ${email}; create the user first.`);
  return id;
}
