/** Sends requests to REST, which has what GraphQL has not: whole master files, and sign-ins. */
import { noted, type Reason, type RefusalBody, Refused, send } from "./run.ts";

/** The form of REST's refusals, which /sign-in has too. */
interface RestRefusal {
  readonly message: string;
  readonly error: string;
  readonly field?: string | null;
  readonly error_id?: string;
  readonly reasons?: readonly Reason[];
}

/** Sends a request to REST and returns the response; throws Refused or Unreachable. */
export async function sendRest(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await send(path, init);
  if (!response.ok) throw noted(await refusalOf(response));
  return response;
}

export const refusalOf = async (response: Response): Promise<Refused> =>
  readRefusal(response.status, response.headers.get("retry-after"), await response.text());

/** The refusal of a status, a header Retry-After and a body. */
export function readRefusal(status: number, waitText: string | null, text: string): Refused {
  const wait = Number(waitText ?? Number.NaN);
  const retryAfter = Number.isFinite(wait) ? { retryAfter: wait } : {};
  try {
    const { message, error: code, field, error_id: errorId, reasons = [] } = JSON.parse(text) as RestRefusal;
    const details = { ...(errorId && { errorId }), ...(reasons.length > 0 && { reasons }) };
    const shown = Object.keys(details).length > 0 && { details };
    const body: RefusalBody = { code, ...(field && { field }), ...retryAfter, ...shown };
    return new Refused(status, message, body);
  } catch {
    const sentence = `Something between this page and the service answered with status ${status}.`;
    return new Refused(status, sentence, { code: "UNAVAILABLE", ...retryAfter });
  }
}
