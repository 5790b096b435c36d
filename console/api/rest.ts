/**
 * Runs requests of REST, for what GraphQL has no place: whole master files, and sign-ins.
 */
import { type Reason, type RefusalBody, Refused } from "./refused.ts";
import { noted, send } from "./run.ts";

/** The form of REST's refusals, which /sign-in has too. */
interface RestRefusal {
  readonly message: string;
  readonly error: string;
  readonly field?: string | null;
  readonly reasons?: readonly Reason[];
}

/** What REST answers to a request; throws Refused or Unreachable. */
export async function sendRest(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await send(path, init);
  if (!response.ok) throw noted(await refusalOf(response));
  return response;
}

/** The refusal in a response of REST. */
export async function refusalOf(response: Response): Promise<Refused> {
  const wait = Number(response.headers.get("retry-after") ?? Number.NaN);
  const retryAfter = Number.isFinite(wait) ? { retryAfter: wait } : {};
  try {
    const { message, error: code, field, reasons = [] } = (await response.json()) as RestRefusal;
    const details = reasons.length > 0 ? { details: { reasons } } : {};
    const body: RefusalBody = { code, ...(field && { field }), ...retryAfter, ...details };
    return new Refused(response.status, message, body);
  } catch {
    const sentence = `Something between this page and the service answered with status ${response.status}.`;
    return new Refused(response.status, sentence, { code: "UNAVAILABLE", ...retryAfter });
  }
}
