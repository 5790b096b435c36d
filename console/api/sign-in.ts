/**
 * Signs in and out: the service keeps the key's place in a cookie that no script reads, and this page forgets the key. Whether there is a
 * cookie that still counts, the service says.
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

/** Ends the sign-in. */
export async function signOut(): Promise<void> {
  const response = await send("/sign-in", { method: "DELETE" });
  if (!response.ok) throw await refusalOf(response);
}

/** When the sign-in of this browser ends; null when it has none, which is no refusal. */
export const signInOptions = queryOptions({
  queryKey: ["sign-in"],
  queryFn: async ({ signal }) => {
    const response = await sendRest("/sign-in", { signal });
    return ((await response.json()) as { readonly signedInUntil: string | null }).signedInUntil;
  },
  staleTime: 0,
});
