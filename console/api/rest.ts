/**
 * Runs requests of REST, for what GraphQL has no place: whole master files.
 */
import { type Reason, Refused } from "./refused.ts";
import { noted, send } from "./run.ts";

interface ErrorBody {
  readonly message: string;
  readonly error: string;
  readonly field?: string;
  readonly reasons?: readonly Reason[];
}

/** What REST answers to a request; throws Refused or Unreachable. */
export async function sendRest(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await send(path, init);
  if (response.ok) return response;
  const { message, error, field, reasons } = (await response.json()) as ErrorBody;
  const retryAfter = Number(response.headers.get("Retry-After")) || undefined;
  const details = reasons && reasons.length > 0 ? { reasons } : undefined;
  throw noted(new Refused(response.status, message, { code: error, field, retryAfter, details }));
}
