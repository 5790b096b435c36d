/**
 * Signs in and out: the service keeps the key's place in a cookie that no script reads, and this page forgets the key.
 */
import { refusalOf } from "./rest.ts";
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
