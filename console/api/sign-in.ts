/**
 * Signs in and out. A cookie that no script reads takes the place of the key, which this page forgets. Whether that cookie is valid, the
 * service says.
 */
import { queryOptions } from "@tanstack/react-query";
import { refusalOf, sendRest } from "./rest.ts";
import { beginSignIn, send } from "./run.ts";

/** Begins a sign-in with a key; throws Refused or Unreachable. */
export async function signIn(key: string): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const response = await send("/sign-in", { method: "POST", headers, body: JSON.stringify({ key }) });
  if (!response.ok) throw await refusalOf(response);
  beginSignIn();
}

export async function signOut(): Promise<void> {
  const response = await send("/sign-in", { method: "DELETE" });
  if (!response.ok) throw await refusalOf(response);
}

/** When the sign-in of this browser ends; null when nobody is signed in, which is no refusal. */
export const signInOptions = queryOptions({
  queryKey: ["sign-in"],
  queryFn: async ({ signal }) => {
    const response = await sendRest("/sign-in", { signal });
    return ((await response.json()) as { readonly signedInUntil: string | null }).signedInUntil;
  },
  staleTime: 0,
});
