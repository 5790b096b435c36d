/**
 * What the service knows of a request, whichever way it takes: its id, who makes it, and what its log line says. It is in
 * `response.locals`, where the handlers of express find it as well.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Work } from "../turns/work.ts";
import type { Credential } from "./credential.ts";
import { headerOf } from "./header.ts";
import { maskKeys, maskPath } from "./mask-keys.ts";

export interface RequestState {
  readonly requestId: string;
  /** Who makes the request; undefined before that is known. */
  actor?: unknown;
  actorName?: string;
  /** What that was known by. */
  credential?: Credential;
  work?: Work;
  /** Its body, when it was read before express had it. */
  body?: Buffer;
  /** Why the request failed before express had it, which then answers that. */
  failure?: unknown;
  /** Aborted when nobody waits for the response any more; made when it is asked for. */
  gone?: AbortSignal;
  operation?: string;
  refusals?: readonly string[];
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

  constructor(log: Logger, administratorKey: string) {
    this.#log = log;
    this.#administratorKey = administratorKey;
  }

  /** The state of a request, which is new the first time. Its id is the client's X-Request-Id, if that is plain text and no key. */
  stateOf(request: IncomingMessage, response: StatefulResponse, path: string): RequestState {
    if (response.locals?.requestId !== undefined) return response.locals as RequestState;
    const keys = [headerOf(request, "x-api-key"), this.#administratorKey];
    const ownId = headerOf(request, "x-request-id");
    const isId = ownId !== undefined && /^[\w.:-]{1,64}$/.test(ownId) && maskKeys(ownId, keys) === ownId;
    const state: RequestState = Object.assign(response.locals ?? {}, { requestId: isId ? ownId : randomUUID() });
    response.locals = state;
    const start = performance.now();
    const { method } = request;
    const shown = maskPath(path, keys).slice(0, 300);
    response.once("close", () => {
      const { requestId, operation, refusals, actorName: actor } = state;
      this.#log[probes.has(path) ? "debug" : "info"](
        {
          requestId,
          method,
          path: shown,
          ...(operation !== undefined && { operation }),
          status: response.statusCode,
          ...(refusals !== undefined && { refusals }),
          ms: Math.round((performance.now() - start) * 10) / 10,
          actor,
          completed: response.writableFinished,
        },
        "request",
      );
    });
    return state;
  }
}

/** The id of the request that is being answered. */
const currentRequest = new AsyncLocalStorage<string>();

/** Runs something as a part of a request. */
export function asRequest<Result>(id: string, run: () => Result): Result {
  return currentRequest.run(id, run);
}

/** The fields that every log line of a request has, in any module. */
export function requestOfLog(): { requestId?: string } {
  const requestId = currentRequest.getStore();
  return requestId === undefined ? {} : { requestId };
}
