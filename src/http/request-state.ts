/** The state of a request, on the fast path and in Express, where it is `response.locals`. */
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
  actor?: unknown;
  actorName?: string;
  credential?: Credential;
  client?: string;
  work?: Work;
  /** The body, if the fast path has read it. */
  body?: Buffer;
  /** Whether its plan had no answer, so that its operation is executed. */
  isUnplanned?: boolean;
  /** The error of the fast path, which Express then answers. */
  failure?: unknown;
  /** Aborted when nobody waits for the response any more; created on demand. */
  gone?: AbortSignal;
  operation?: string;
  /** The root field of GraphQL, or the path of a table: a bounded number of names. */
  endpoint?: string;
  /** The name of the front; only set when the path does not show it. */
  front?: string;
  refusals?: readonly string[];
  /** Whether refusals of this request need no audit entry here, because the operation writes its own or is a dry run. */
  isAudited?: boolean;
  isWrongKey?: boolean;
  span?: Span | undefined;
}

/** A request that was answered, `ms` after it arrived. */
export interface AnsweredRequest
  extends Pick<RequestState, "endpoint" | "front" | "refusals" | "actor" | "client" | "isAudited" | "isWrongKey"> {
  readonly path: string;
  readonly status: number;
  readonly ms: number;
}

/** Observes requests when they arrive and when they are answered. */
export interface RequestObserver {
  onRequest(): void;
  onAnswered(request: AnsweredRequest): void;
}

export type StatefulResponse = ServerResponse & { locals?: Partial<RequestState> };

/** The headers of every response; Strict-Transport-Security (RFC 6797 §7.2) if every connection is HTTPS. */
export function protectiveHeaders({ TLS_CERT, HSTS_SECONDS: seconds }: Config): Readonly<Record<string, string>> {
  const always = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
  return TLS_CERT === "" || seconds === 0 ? always : { ...always, "Strict-Transport-Security": `max-age=${seconds}` };
}

/** Paths that are requested every few seconds; they are logged at debug. */
const probes = new Set(["/healthz", "/readyz"]);

/** Makes the state of requests, and logs each answered request; keys in its path are masked. */
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
      const { requestId, operation, refusals, actorName, span } = state;
      const ms = performance.now() - start;
      const answered = { ...state, path, status: response.statusCode, ms };
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

const currentRequest = new AsyncLocalStorage<string>();

export function asRequest<Result>(
  { requestId, span }: Pick<RequestState, "requestId" | "span">,
  run: () => Result,
): Result {
  return currentRequest.run(requestId, () => inside(span, run));
}

export function requestOfLog(): { requestId?: string } {
  const requestId = currentRequest.getStore();
  return requestId === undefined ? {} : { requestId };
}
