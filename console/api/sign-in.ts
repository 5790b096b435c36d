/**
 * Signs in and out: the service keeps the key's place in a cookie that no script reads, and this page forgets the key.
 */
import { type RefusalBody, Refused } from "./refused.ts";
import { send } from "./run.ts";

/** The form of REST's refusals, which /sign-in has too. */
interface RestRefusal {
  readonly message: string;
  readonly error: string;
  readonly field?: string | null;
}

/** Begins a sign-in with a key; throws Refused or Unreachable. */
export async function signIn(key: string): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const response = await send("/sign-in", { method: "POST", headers, body: JSON.stringify({ key }) });
  if (!response.ok) throw await refusalOf(response);
}

/** Ends the sign-in. */
export async function signOut(): Promise<void> {
  const response = await send("/sign-in", { method: "DELETE" });
  if (!response.ok) throw await refusalOf(response);
}

/** The refusal in a response of REST. */
export async function refusalOf(response: Response): Promise<Refused> {
  const wait = Number(response.headers.get("retry-after") ?? Number.NaN);
  const retryAfter = Number.isFinite(wait) ? { retryAfter: wait } : {};
  try {
    const { message, error: code, field } = (await response.json()) as RestRefusal;
    const body: RefusalBody = { code, ...(field && { field }), ...retryAfter };
    return new Refused(response.status, message, body);
  } catch {
    const sentence = `Something between this page and the service answered with status ${response.status}.`;
    return new Refused(response.status, sentence, { code: "UNAVAILABLE", ...retryAfter });
  }
}
