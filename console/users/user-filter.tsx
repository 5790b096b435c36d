/**
 * Whose zones are shown: a user by e-mail address, with the first ones to choose from.
 */
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Button } from "../parts/control/button.tsx";
import page from "../parts/page/page.module.css";
import { userEmailsOptions } from "./queries.ts";
import css from "./user-filter.module.css";

/** The addresses to choose from, for the `list` of an input. */
export function UserChoices({ id }: { readonly id: string }) {
  const { data = [] } = useQuery(userEmailsOptions);
  return (
    <datalist id={id}>
      {data.map((user) => (
        <option key={user.id} value={user.email} />
      ))}
    </datalist>
  );
}

interface UserFilterProps {
  readonly value: string | undefined;
  readonly onChange: (email: string | undefined) => void;
}

export function UserFilter({ value, onChange }: UserFilterProps) {
  const [text, setText] = useState("");
  const list = useId();
  if (value !== undefined)
    return (
      <span className={page.chosen}>
        <span>of {value}</span>
        <Button
          kind="quiet"
          icon="close"
          aria-label={`Zones of every user, not only of ${value}`}
          onClick={() => onChange(undefined)}
        />
      </span>
    );
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") onChange(text.trim());
        setText("");
      }}
    >
      <label className={page.named}>
        <span>User</span>
        <input
          type="email"
          list={list}
          placeholder="any"
          autoComplete="off"
          value={text}
          onChange={(event) => {
            const { value: typed } = event.target;
            // Choosing from the list is no key.
            if ((event.nativeEvent as InputEvent).inputType === "insertReplacementText") onChange(typed);
            else setText(typed);
          }}
        />
      </label>
      <UserChoices id={list} />
    </form>
  );
}
