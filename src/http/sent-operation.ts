/**
 * The operation in a request of GraphQL over HTTP, by POST as JSON or by GET. Apollo answers requests of another form,
 * persisted queries, and requests that accept none of our media types. Other extensions are ignored, as the
 * specification says.
 */
import type { IncomingMessage } from "node:http";
import { answerTypeFor, eventStream } from "./accept.ts";
import { readJsonBody } from "./body.ts";
import type { Answer, RequestKind } from "./fast-path.ts";
import type { RequestState } from "./request-state.ts";

export interface SentOperation {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether it may be a mutation, which is not sent by GET. */
  readonly mayWrite: boolean;
}

const path = "/graphql";

/** Headers that no form of another site can send. A request by GET needs one of them, as in Apollo. */
const ownHeaders = ["x-api-key", "x-zonesmith-console"];

/** Requests of GraphQL; `find` returns undefined when Apollo has the answer. */
export function graphqlRequests<Actor>(
  maxBytes: number,
  find: (sent: SentOperation, actor: Actor) => Answer | undefined,
): RequestKind {
  const findSent = (sent: SentOperation | undefined, { actor }: RequestState) => sent && find(sent, actor as Actor);
  return (request) => {
    const isPosted = isPost(request);
    if (!isPosted && !isGet(request)) return undefined;
    const answerType = answerTypeFor(request.headers.accept);
    if (answerType === undefined || answerType === eventStream) return undefined;
    return isPosted
      ? { answerType, maxBytes, find: (body, state) => findSent(operationOfBody(body), state) }
      : { answerType, find: (_body, state) => findSent(operationOfQuery(request), state) };
  };
}

const isJson = /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i;

const isPost = ({ url, method, headers }: IncomingMessage): boolean =>
  url === path && method === "POST" && isJson.test(headers["content-type"] ?? "");

const isGet = ({ url, method, headers }: IncomingMessage): boolean =>
  method === "GET" &&
  url?.startsWith(`${path}?`) === true &&
  ownHeaders.some((name) => Boolean(headers[name])) &&
  headers["content-type"] === undefined;

/** The operation in a body; undefined when there is anything unusual about it. */
const operationOfBody = (body: Buffer | undefined) =>
  body?.length ? operationOf(readJsonBody(body), true) : undefined;

/** The operation in the query of a path; undefined when there is anything unusual about it. */
function operationOfQuery({ url = "" }: IncomingMessage): SentOperation | undefined {
  const parameters = new URLSearchParams(url.slice(path.length));
  const names = [...parameters.keys()];
  const isReadable = !/%(?![\da-f]{2})/i.test(url) && !/\\ud|\ufffd/i.test([...parameters.values()].join());
  if (!isReadable || new Set(names).size < names.length) return undefined;
  const value = (name: string) => (parameters.has(name) ? (parsed(parameters.get(name) as string) ?? "") : undefined);
  const [query, operationName] = [parameters.get("query"), parameters.get("operationName")];
  return operationOf({ query, operationName, variables: value("variables"), extensions: value("extensions") }, false);
}

/** Parses a text as JSON; returns the text itself when it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const isObjectOrNothing = (value: unknown) => value == null || (typeof value === "object" && !Array.isArray(value));

function operationOf(sent: object, mayWrite: boolean): SentOperation | undefined {
  const { query, variables, operationName, extensions } = sent as Readonly<Record<string, unknown>>;
  const isUsual =
    typeof query === "string" &&
    (operationName == null || (typeof operationName === "string" && operationName !== "")) &&
    isObjectOrNothing(variables) &&
    isObjectOrNothing(extensions) &&
    !(extensions && "persistedQuery" in (extensions as object));
  if (!isUsual) return undefined;
  return { query, operationName: operationName ?? undefined, variables: variables ?? {}, mayWrite } as SentOperation;
}
