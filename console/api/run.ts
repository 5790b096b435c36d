/**
 * Runs GraphQL operations by fetch. The cookie of the sign-in goes along; the header that forms and other origins cannot send shows
 * the service that it is the console.
 */
import type { TypedDocumentString } from "./generated/graphql.ts";
import { type RefusalBody, Refused, Unreachable } from "./refused.ts";

/** The header that every request of the console carries. */
export const consoleHeaders = { "X-Zonesmith-Console": "1" } as const;

/** What is notified of every answer; the parts of the page that show the connection and the sign-in listen. */
interface Observer {
  readonly answered?: () => void;
  readonly unreachable?: () => void;
  /** The cookie is missing, has ended, or its key was revoked. */
  readonly signedOut?: (sentence: string) => void;
}

const observers = new Set<Observer>();

let signIns = 0;
/** The number of sign-ins so far, by which a request knows the one that it began in. */
export const presentSignIn = () => signIns;
/** Notes that there is another sign-in: a response to a request of the one before says nothing about it. */
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

/** What `fetch` answers; throws Unreachable where there is no answer. An operation that is cancelled throws as fetch does. */
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

/** Reads the JSON of a response; an answer of something between, such as a proxy, is no answer of the service. */
async function answerOf(response: Response, signal: AbortSignal | undefined): Promise<Answer> {
  try {
    return (await response.json()) as Answer;
  } catch (error) {
    if (signal?.aborted) throw error;
    noteUnreachable();
    throw new Unreachable(error);
  }
}

/** Notifies of a refusal that means that nobody is signed in, unless somebody has signed in since the request began. */
export function noted(refused: Refused, begunIn = signIns): Refused {
  if (refused.code === "UNAUTHENTICATED" && begunIn === signIns)
    for (const observer of observers) observer.signedOut?.(refused.message);
  return refused;
}
