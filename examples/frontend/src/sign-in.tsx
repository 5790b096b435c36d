/** Asks for an API key and tries it. */
import { type FormEvent, useState } from "react";
import { createClient } from "./client";
import { Field } from "./field";
import { graphql } from "./generated";
import { type Reason, reasonsOf } from "./refusal";

const signInQuery = graphql(`
  query SignIn {
    viewer { role }
  }
`);

export function SignIn({ onKey }: { onKey: (key: string) => void }) {
  const [reasons, setReasons] = useState<readonly Reason[]>([]);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get("key")).trim();
    const { error } = await createClient(key, () => {}).query(signInQuery, {});
    if (error) setReasons(reasonsOf(error));
    else onKey(key);
  };
  return (
    <main className="sign-in">
      <form className="card" onSubmit={submit}>
        <h1>Zonesmith</h1>
        <Field label="API key" name="key" type="password" autoComplete="off" required reasons={reasons} />
        <button type="submit" className="primary">
          Sign in
        </button>
        <span className="hint quiet">The key stays in this tab. An operator issues one: zonesmith key add.</span>
      </form>
    </main>
  );
}
