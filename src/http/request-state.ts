/**
 * What the service knows of a request, whichever way it takes: its id, who makes it, and what its log line says. It is in
 * `response.locals`, where the handlers of express find it as well.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { beginSpan, inside, type Span } from "../trace/span.ts";
import type { Work } from "../turns/queues.ts";
import { type Credential, headerOf } from "./credential.ts";
import { maskKeys, maskPath } from "./mask-keys.ts";

export interface RequestState {
  readonly requestId: string;
  /** Who makes the request; undefined before that is known. */
  actor?: unknown;
  actorName?: string;
  /** What that was known by. */
  credential?: Credential;
  /** The address of the client, as limits see it. */
  client?: string;
  work?: Work;
  /** Its body, when it was read before express had it. */
  body?: Buffer;
  /** Whether its plan had no answer, so that its operation is executed. */
  isUnplanned?: boolean;
  /** Why the request failed before express had it, which then answers that. */
  failure?: unknown;
  /** Aborted when nobody waits for the response any more; made when it is asked for. */
  gone?: AbortSignal;
  operation?: string;
  /** What it asks for, of a bounded number: the root field of GraphQL, or the path of a table. */
  endpoint?: string;
  /** Its front, where that is more than the path says. */
  front?: string;
  refusals?: readonly string[];
  /** Whether the audit has its refusals already, or is not to have them. */
  isAudited?: boolean;
  /** Whether its key lets nobody in. */
  isWrongKey?: boolean;
  /** Its span, while somebody records spans. */
  span?: Span | undefined;
}

/** What is reported of a request that was answered, `ms` after it came. */
export interface AnsweredRequest
  extends Pick<RequestState, "endpoint" | "front" | "refusals" | "actor" | "client" | "isAudited" | "isWrongKey"> {
  readonly path: string;
  readonly status: number;
  readonly ms: number;
}

/** Takes note of requests as they come and as they are answered. */
export interface RequestObserver {
  onRequest(): void;
  onAnswered(request: AnsweredRequest): void;
}

/** A response with the state of its request. */
export type StatefulResponse = ServerResponse & { locals?: Partial<RequestState> };

/**
 * The headers of every response: it is for this client alone, and is what it says it is. Where every connection is HTTPS, a browser is to
 * keep to that (RFC 6797 §7.2).
 */
export function protectiveHeaders({ TLS_CERT, HSTS_SECONDS: seconds }: Config): Readonly<Record<string, string>> {
  const always = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
  return TLS_CERT === "" || seconds === 0 ? always : { ...always, "Strict-Transport-Security": `max-age=${seconds}` };
}

/** Paths that are asked every few seconds and are logged at debug. */
const probes = new Set(["/healthz", "/readyz"]);

/** Gives requests their state, and logs each when it is answered, without a key that may be in its path. */
export class RequestIdentification {
  readonly #log: Logger;
  readonly #administratorKey: string;
  readonly #observers: readonly RequestObserver[];

  constructor(log: Logger, administratorKey: string, observers: readonly RequestObserver[] = []) {
    this.#log = log;
    this.#administratorKey = administratorKey;
    this.#observers = observers;
  }

  /** Makes the state of a request. Its id is the client's X-Request-Id, if that is plain text and no key. */
  stateOf(request: IncomingMessage, response: StatefulResponse, path: string): RequestState {
    const keys = [headerOf(request, "x-api-key"), this.#administratorKey];
    const ownId = headerOf(request, "x-request-id");
    const isId = ownId !== undefined && /^[\w.:-]{1,64}$/.test(ownId) && maskKeys(ownId, keys) === ownId;
    const state: RequestState = { requestId: isId ? ownId : randomUUID() };
    response.locals = state;
    const start = performance.now();
    const { method } = request;
    const shown = maskPath(path, keys).slice(0, 300);
    state.span = beginSpan("request", { kind: "server", parent: headerOf(request, "traceparent") });
    for (const observer of this.#observers) observer.onRequest();
    response.once("close", () => {
      const { requestId, operation, endpoint, front, refusals, actorName, span } = state;
      const ms = performance.now() - start;
      const { actor, client, isAudited, isWrongKey } = state;
      const answered = {
        ...{ path, front, endpoint, status: response.statusCode, ms, refusals },
        ...{ actor, client, isAudited, isWrongKey },
      } as AnsweredRequest;
      for (const observer of this.#observers) observer.onAnswered(answered);
      if (span) endSpan(span, state, { method: String(method), path: shown, status: response.statusCode });
      this.#log[probes.has(path) ? "debug" : "info"](
        {
          requestId,
          method,
          path: shown,
          ...(operation !== undefined && { operation }),
          status: response.statusCode,
          ...(refusals !== undefined && { refusals }),
          ms: Math.round(ms * 10) / 10,
          actor: actorName,
          ...(span && { traceId: span.traceId }),
          completed: response.writableFinished,
        },
        "request",
      );
    });
    return state;
  }
}

/** Ends the span of a request, which is named after its endpoint. */
function endSpan(
  span: Span,
  { requestId, operation, endpoint, refusals }: RequestState,
  { method, path, status }: { readonly method: string; readonly path: string; readonly status: number },
): void {
  span.end({
    name: endpoint === undefined || endpoint.includes("/") ? (endpoint ?? method) : `GraphQL ${endpoint}`,
    attributes: {
      "http.request.method": method,
      "url.path": path,
      "http.response.status_code": status,
      "zonesmith.request_id": requestId,
      ...(endpoint !== undefined && { "zonesmith.endpoint": endpoint }),
      ...(operation !== undefined && { "graphql.operation.name": operation }),
      ...(refusals && { "zonesmith.refusals": refusals.join(" ") }),
    },
    ...(status >= 500 && { error: new Error(`status ${status}`) }),
  });
}

/** The id of the request that is being answered. */
const currentRequest = new AsyncLocalStorage<string>();

/** Runs something as a part of a request. */
export function asRequest<Result>(
  { requestId, span }: Pick<RequestState, "requestId" | "span">,
  run: () => Result,
): Result {
  return currentRequest.run(requestId, () => inside(span, run));
}

/** The fields that every log line of a request has, in any module. */
export function requestOfLog(): { requestId?: string } {
  const requestId = currentRequest.getStore();
  return requestId === undefined ? {} : { requestId };
}
