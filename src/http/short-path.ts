/**
 * The short path of a request: GraphQL whose document is known and whose key was seen a moment ago is answered before express has it,
 * with the same limits, log line and headers. Whatever is unusual is handed on untouched, or with its body when that was read, or with what
 * it failed with: a write is never run a second time.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import cors from "cors";
import type { Config } from "../config.ts";
import { inside } from "../trace/span.ts";
import { doWork, type Work } from "../turns/work.ts";
import type { Admission } from "./admission.ts";
import { maxBodyBytes } from "./body.ts";
import { type Credential, credentialOf } from "./credential.ts";
import {
  asRequest,
  protectiveHeaders,
  type RequestIdentification,
  type RequestState,
  type StatefulResponse,
} from "./request-state.ts";

/** An answer that can be had in one step. */
export interface ShortAnswer {
  /** What the log says of it, and what it is counted as. */
  readonly operation: string;
  readonly endpoint: string;
  /** Whether it writes, and so works as a request of the ordinary way does: with a turn that may take a connection of the pool. */
  readonly isWrite?: boolean;
  /** Whether it is a search, which takes a turn of its own kind. */
  readonly isSearch?: boolean;
  /**
   * Returns the text, and may set headers of the response; undefined when the ordinary way has the answer, which one that writes never
   * says.
   */
  readonly run: (response: StatefulResponse) => Promise<string | undefined>;
}

/** Finds the answer to a document with variables; undefined when the ordinary way has it. */
export type FindShortAnswer<Actor> = (
  document: string,
  variables: Readonly<Record<string, unknown>>,
  actor: Actor,
) => ShortAnswer | undefined;

export interface ShortPathDeps<Actor> {
  readonly config: Config;
  readonly admission: Admission<Actor>;
  readonly identification: RequestIdentification;
  readonly find: FindShortAnswer<Actor>;
}

const path = "/graphql";
const mediaTypes: readonly (string | undefined)[] = ["application/json", "application/json; charset=utf-8"];
const accepted: readonly (string | undefined)[] = [undefined, "*/*", "application/json"];

type HandOn = () => void;

/** Takes the requests of the short path; `otherwise` gets the others, also those that turn out to be no such. */
export class ShortPath<Actor> {
  readonly #deps: ShortPathDeps<Actor>;
  readonly #origins: ReadonlyMap<string | undefined, readonly string[]>;
  readonly #fixedHeaders: readonly string[];

  constructor(deps: ShortPathDeps<Actor>) {
    this.#deps = deps;
    const origins = deps.config.CORS_ORIGINS;
    const protective = Object.entries(protectiveHeaders(deps.config)).flat();
    this.#fixedHeaders = [...protective, "Content-Type", "application/json; charset=utf-8"];
    this.#origins = new Map([undefined, ...origins].map((origin) => [origin, originHeaders(origins, origin)]));
  }

  handle(request: IncomingMessage, response: ServerResponse, otherwise: HandOn): void {
    const { headers } = request;
    const isUsual =
      request.url === path &&
      request.method === "POST" &&
      mediaTypes.includes(headers["content-type"]) &&
      accepted.includes(headers.accept) &&
      headers["content-encoding"] === undefined &&
      Number(headers["content-length"]) <= maxBodyBytes &&
      headers.expect === undefined &&
      this.#mayRead(headers.origin, headers["x-api-key"]);
    const credential = isUsual ? this.#credentialOf(request) : undefined;
    if (!credential) return void otherwise();
    const take = (actor: Actor) => this.#take(request, response, { actor, credential }, otherwise);
    const actor = this.#deps.admission.recalledActor(credential);
    if (actor === undefined) otherwise();
    else if (actor instanceof Promise) actor.then(take, otherwise);
    else take(actor);
  }

  /** Whether the headers of an answer to this origin are known; a cookie is taken from pages of this service alone. */
  #mayRead(origin: string | undefined, key: unknown): boolean {
    return this.#origins.has(origin) || key === undefined;
  }

  /** The credential of a request; undefined where there is none that counts, which the ordinary way refuses. */
  #credentialOf(request: IncomingMessage): Credential | undefined {
    try {
      return credentialOf(request, this.#deps.config.TRUST_PROXY);
    } catch {
      return undefined;
    }
  }

  /** Reads the body of an actor's request, and answers it. */
  #take(
    request: IncomingMessage,
    response: ServerResponse,
    by: { readonly actor: Actor; readonly credential: Credential },
    otherwise: HandOn,
  ): void {
    const { admission, identification, config } = this.#deps;
    const client = clientOf(request, config.TRUST_PROXY);
    const stateOf = () => identification.stateOf(request, response, path);
    const work = client && !response.destroyed && admission.tryAdmit(client, by, stateOf, response);
    if (!work) return void otherwise();
    response.setTimeout(config.HTTP_SLOW_READER_SECONDS * 1000, () => cutIfStalled(request, response));
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.once("end", () => {
      const state = stateOf();
      const [first] = chunks;
      const bytes = first && chunks.length === 1 ? first : Buffer.concat(chunks);
      state.body = bytes;
      void this.#answer(bytes.toString(), state, work, request, response, otherwise);
    });
  }

  async #answer(
    body: string,
    state: RequestState,
    work: Work,
    request: IncomingMessage,
    response: ServerResponse,
    otherwise: HandOn,
  ): Promise<void> {
    const sent = operationOf(body);
    const answer = sent && this.#deps.find(sent.query, sent.variables, state.actor as Actor);
    if (!answer) return void otherwise();
    state.operation = answer.operation;
    state.endpoint = answer.endpoint;
    let text: string | undefined;
    try {
      if (answer.isWrite) {
        if (!(await work.begin())) return;
        text = await doWork(work, () => asRequest(state, () => answer.run(response)));
      } else if (answer.isSearch) {
        text = await work.inTurn("find", () => inside(state.span, () => answer.run(response)));
      } else {
        if (!work.beginLight() && !(await work.awaitLight())) return;
        text = await inside(state.span, () => answer.run(response));
      }
    } catch (error) {
      // A search that no turn came for has other turns on the ordinary way.
      if (!answer.isSearch) state.failure = error;
    }
    work.giveUp();
    if (response.destroyed) return;
    if (text === undefined) return otherwise();
    response.writeHead(200, [
      "X-Request-Id",
      state.requestId,
      ...this.#fixedHeaders,
      ...(this.#origins.get(request.headers.origin) ?? []),
      "Content-Length",
      String(Buffer.byteLength(text)),
    ]);
    response.end(text);
  }
}

/** Breaks the connection of a client that leaves its answer unread, or stops sending its request. */
export function cutIfStalled(request: IncomingMessage, response: ServerResponse): void {
  // Node breaks the connection on its own when nothing listens; a client that waits for us is left alone.
  const isStalled = response.writableLength > 0 || (!request.complete && request.readableLength === 0);
  if (isStalled) response.destroy();
}

/** The operation in a body; undefined when there is anything unusual about it. */
function operationOf(body: string): { query: string; variables: Readonly<Record<string, unknown>> } | undefined {
  // Halves of surrogate pairs, and what was no UTF-8.
  if (/\\ud|\ufffd/i.test(body)) return undefined;
  let sent: unknown;
  try {
    sent = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof sent !== "object" || sent === null) return undefined;
  const { query, variables, operationName, extensions } = sent as Readonly<Record<string, unknown>>;
  const isUsual =
    typeof query === "string" &&
    (operationName === undefined || operationName === null) &&
    extensions === undefined &&
    (variables === undefined || (typeof variables === "object" && !Array.isArray(variables)));
  return isUsual ? { query, variables: (variables ?? {}) as Readonly<Record<string, unknown>> } : undefined;
}

/** The address of a client, as express finds it behind so many proxies. */
function clientOf({ socket, headers }: IncomingMessage, proxies: number): string | undefined {
  const { remoteAddress } = socket;
  const forwarded = headers["x-forwarded-for"];
  if (proxies === 0 || forwarded === undefined || remoteAddress === undefined) return remoteAddress;
  const hops = [
    remoteAddress,
    ...String(forwarded)
      .split(",")
      .map((hop) => hop.trim())
      .reverse(),
  ];
  return hops[Math.min(proxies, hops.length - 1)];
}

export const exposedHeaders = [
  "X-Request-Id",
  "X-Change-Id",
  "X-Zone-Serial",
  "X-Publication",
  "Preference-Applied",
  "X-Warning",
  "X-Total-Count",
  "Link",
  "Retry-After",
];

/** Says to browsers which origins may read an answer. */
export const corsOf = (origins: readonly string[]) => cors({ origin: [...origins], exposedHeaders, maxAge: 600 });

/** The headers that a request of an origin gets by that. */
function originHeaders(origins: readonly string[], origin: string | undefined): readonly string[] {
  if (origins.length === 0) return [];
  const headers = new Map<string, string>();
  const response = {
    getHeader: (name: string) => headers.get(name),
    setHeader: (name: string, value: string) => void headers.set(name, value),
  };
  const request = { method: "POST", headers: origin === undefined ? {} : { origin } };
  corsOf(origins)(request as never, response as never, () => {});
  return [...headers].flat();
}
