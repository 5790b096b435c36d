/**
 * Runs GraphQL operations by fetch. The cookie of the sign-in goes along; the header that forms and other origins cannot send shows
 * the service that it is the console. An operation fails in two ways: by a refusal of the service, or by no answer.
 */
import { acts } from "./generated/acts.ts";
import type { TypedDocumentString } from "./generated/graphql.ts";

export { graphql } from "./generated/gql.ts";

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

type Acts = typeof acts;
type InputOf<Document> =
  Document extends TypedDocumentString<infer _, infer Variables extends { readonly input: unknown }>
    ? Variables["input"]
    : never;

/** Runs a mutation whose answer is not looked at; the build writes its document. Throws Refused or Unreachable. */
export const act = <Name extends keyof Acts>(name: Name, input: InputOf<Acts[Name]>): Promise<unknown> =>
  run(acts[name] as TypedDocumentString<unknown, { readonly input: unknown }>, { input });

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

/** One reason of a refusal; `field` is a place in the input, such as `add.3.rdata`. */
export interface Reason {
  readonly code: string;
  readonly field?: string;
  readonly part?: string;
  readonly line?: number;
  /** Of a reason about an RRset, or about all records of an owner. */
  readonly owner?: string;
  readonly type?: string;
  readonly message: string;
}

/** The `extensions` of a GraphQL error; the body of a REST error has the same under other names. */
export interface RefusalBody {
  readonly code: string;
  readonly field?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly details?:
    | ({ readonly reasons?: readonly Reason[]; readonly errorId?: string } & Readonly<Record<string, unknown>>)
    | undefined;
}

/** A request that the service understood and refused, with its sentence. `data` is the data of the same answer. */
export class Refused extends Error {
  readonly status: number;
  readonly body: RefusalBody;
  readonly data: unknown;

  constructor(status: number, message: string, body: RefusalBody, data?: unknown) {
    super(message);
    this.name = "Refused";
    this.status = status;
    this.body = body;
    this.data = data;
  }

  get code(): string {
    return this.body.code;
  }

  /** All reasons; at least one. */
  get reasons(): readonly Reason[] {
    const { code, field, details } = this.body;
    return details?.reasons ?? [{ code, message: this.message, ...(field !== undefined && { field }) }];
  }

  /** The id of a fault in the service's log. */
  get errorId(): string | undefined {
    return this.body.details?.errorId;
  }

  /** After how many seconds it may succeed; undefined when waiting does not help. */
  get retryAfter(): number | undefined {
    return this.body.retryAfter;
  }
}

/** No answer: the service was not reached, or the connection broke before its answer was complete. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super("The service did not answer.", { cause });
    this.name = "Unreachable";
  }
}

/** A refusal of the page itself, about one field of a form. */
export class RefusedField extends Refused {
  constructor(field: string, message: string) {
    super(422, message, { code: "INVALID_VALUE", field });
  }
}
