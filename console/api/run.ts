/**
 * Runs GraphQL operations by fetch. The cookie of the sign-in goes along; the header that forms and other origins cannot send shows
 * the service that it is the console.
 */
import type { TypedDocumentString } from "./generated/graphql.ts";
import { type RefusalBody, Refused, Unreachable } from "./refused.ts";

/** The header that every request of the console carries. */
export const consoleHeaders = { "X-Zonesmith-Console": "1" } as const;

/** Is notified of every answer. The parts of the page that show the connection and the sign-in are observers. */
interface Observer {
  readonly answered?: () => void;
  readonly unreachable?: () => void;
  /** The cookie is missing, has ended, or its key was revoked. */
  readonly signedOut?: (sentence: string) => void;
}

const observers = new Set<Observer>();

let signIns = 0;
/** The number of sign-ins so far. A request compares it with the number at its begin. */
export const presentSignIn = () => signIns;
/** Counts a sign-in: a response to a request of an earlier sign-in says nothing about this one. */
export const beginSignIn = () => void signIns++;

/** Adds an observer; returns what removes it. */
export function observe(observer: Observer): () => void {
  observers.add(observer);
  return () => void observers.delete(observer);
}

/** Notifies that there was no answer. */
export function noteUnreachable(): void {
  for (const observer of observers) observer.unreachable?.();
}

/** Returns the response of `fetch`; throws Unreachable when there is none. A cancelled request throws as `fetch` does. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers: { ...consoleHeaders, ...init.headers } });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    noteUnreachable();
    throw new Unreachable(error);
  }
  for (const observer of observers) observer.answered?.();
  return response;
}

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions: RefusalBody }[];
}

/** Runs an operation and returns its data; throws Refused or Unreachable. */
export async function run<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Result> {
  const begunIn = presentSignIn();
  const response = await send("/graphql", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify({ query: document.toString(), variables }),
    signal: signal ?? null,
  });
  const { data, errors } = await answerOf(response, signal);
  const [error] = errors ?? [];
  if (!error) return data as Result;
  throw noted(new Refused(response.status, error.message, error.extensions, data), begunIn);
}

/** Reads the JSON of a response; throws Unreachable when it is not JSON, as the answer of a proxy. */
async function answerOf(response: Response, signal: AbortSignal | undefined): Promise<Answer> {
  try {
    return (await response.json()) as Answer;
  } catch (error) {
    if (signal?.aborted) throw error;
    noteUnreachable();
    throw new Unreachable(error);
  }
}

/** Notifies the observers when a refusal says that nobody is signed in, unless somebody signed in after the request began. */
export function noted(refused: Refused, begunIn = signIns): Refused {
  if (refused.code === "UNAUTHENTICATED" && begunIn === signIns)
    for (const observer of observers) observer.signedOut?.(refused.message);
  return refused;
}
