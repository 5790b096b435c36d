/**
 * The fast path answers frequent requests: those of GraphQL, and those of single objects of REST. Its steps are: head, key, limits, body,
 * turn, answer. Express answers all other requests, requests that the fast path has no answer for, and failed requests. Express finds the
 * work, the body and the failure in the state of the request, so that nothing is counted, read or run twice.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Config } from "../config/config.ts";
import { doWork, type Work } from "../turns/queues.ts";
import type { Admission } from "./admission.ts";
import { maxBodyBytes, receiveBody } from "./body.ts";
import { OriginHeaders } from "./cors.ts";
import { credentialOf } from "./credential.ts";
import {
  asRequest,
  protectiveHeaders,
  type RequestIdentification,
  type RequestState,
  type StatefulResponse,
} from "./request-state.ts";

export interface Answer {
  /** The name for the log, and the endpoint for metrics. */
  readonly note?: Pick<RequestState, "operation" | "endpoint">;
  readonly plan?: Plan | undefined;
  /** Returns the text of the answer, and may set headers of the response; undefined when Express has the answer. */
  readonly execute?: (response: StatefulResponse) => Promise<string | undefined>;
}

/** A plan, which needs no connection of the pool. */
interface Plan {
  /** Returns the text of the answer; undefined when the operation must be executed instead. */
  readonly run: () => Promise<string | undefined>;
  /** Whether it is a search, which takes a turn of the kind `find`. */
  readonly isSearch: boolean;
}

export interface Question {
  /** The media type of the answer. */
  readonly answerType: string;
  /** The largest body, bytes; without it, no body is read. */
  readonly maxBytes?: number;
  /** Finds the answer, for an actor who is known; undefined when Express has it. */
  readonly find: (body: Buffer | undefined, state: RequestState) => Answer | undefined;
}

/** A kind of requests on the fast path; returns undefined for a request of another kind. */
export type RequestKind = (request: IncomingMessage) => Question | undefined;

interface RoadDeps<Actor> {
  readonly config: Config;
  readonly admission: Admission<Actor>;
  readonly identification: RequestIdentification;
  readonly kinds: readonly RequestKind[];
}

export class FastPath<Actor> {
  readonly #deps: RoadDeps<Actor>;
  readonly #origins: OriginHeaders;
  readonly #protective: readonly string[];

  constructor(deps: RoadDeps<Actor>) {
    this.#deps = deps;
    this.#origins = new OriginHeaders(deps.config.CORS_ORIGINS);
    this.#protective = Object.entries(protectiveHeaders(deps.config)).flat();
  }

  /** Handles a request, or calls `otherwise` when Express answers it. */
  handle(request: IncomingMessage, response: ServerResponse, otherwise: () => void): void {
    const { identification, config, kinds } = this.#deps;
    const state = identification.stateOf(request, response, pathOf(request));
    response.setTimeout(config.HTTP_SLOW_READER_SECONDS * 1000, () => cutIfStalled(request, response));
    if (isPlain(request))
      for (const kind of kinds) {
        const question = kind(request);
        if (question) return void this.#go(question, state, request, response, otherwise);
      }
    otherwise();
  }

  async #go(
    question: Question,
    state: RequestState,
    request: IncomingMessage,
    response: ServerResponse,
    otherwise: () => void,
  ): Promise<void> {
    let text: string | undefined;
    try {
      text = await asRequest(state, async () => {
        const work = await this.#admit(request, response, state);
        if (question.maxBytes !== undefined) state.body = await receiveBody(request, question.maxBytes);
        return this.#answer(question, work, state, response);
      });
    } catch (error) {
      state.failure = error;
    }
    state.work?.giveUp();
    if (response.destroyed) return;
    if (text === undefined) return otherwise();
    response.writeHead(200, [
      "X-Request-Id",
      state.requestId,
      ...this.#protective,
      "Content-Type",
      question.answerType,
      ...this.#origins.of(request.headers.origin),
      "Content-Length",
      String(Buffer.byteLength(text)),
    ]);
    response.end(text);
  }

  #admit(request: IncomingMessage, response: ServerResponse, state: RequestState): Promise<Work> {
    const { admission, config } = this.#deps;
    const client = clientOf(request, config.TRUST_PROXY) ?? "unknown";
    return admission.admit(client, credentialOf(request, config.TRUST_PROXY), state, response);
  }

  /** The text of the answer; undefined when Express has it, or the client has left. */
  async #answer(
    question: Question,
    work: Work,
    state: RequestState,
    response: ServerResponse,
  ): Promise<string | undefined> {
    const { body } = state;
    // A large body has its turn before it is parsed.
    if (body && body.length > maxBodyBytes && !(await work.begin())) return undefined;
    const answer = question.find(body, state);
    if (!answer) return undefined;
    const { note, plan, execute } = answer;
    if (note) Object.assign(state, note);
    const text = plan && (await runPlan(plan, work));
    if (text !== undefined || !execute || !(await work.begin())) return text;
    return doWork(work, () => execute(response));
  }
}

/** Runs a plan in a turn; undefined when it has no answer, or the client has left. */
async function runPlan({ run, isSearch }: Plan, work: Work): Promise<string | undefined> {
  // When no turn came for the search here, the operation is executed instead, and that waits for turns of another kind.
  if (isSearch) return work.inTurn("find", run).catch(() => undefined);
  return work.beginLight() || (await work.awaitLight()) ? run() : undefined;
}

/**
 * Whether the fast path may read the request: it has no content encoding (Express refuses those), and it has no body unless it is a POST.
 */
const isPlain = ({ method, headers }: IncomingMessage): boolean =>
  headers["content-encoding"] === undefined &&
  (method === "POST" || (headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0));

/** Breaks the connection of a client that does not read its answer, or stops sending its request. */
function cutIfStalled(request: IncomingMessage, response: ServerResponse): void {
  // Without a listener Node closes the connection by itself on a timeout. A client that is only waiting for the answer keeps its
  // connection.
  const isStalled = response.writableLength > 0 || (!request.complete && request.readableLength === 0);
  if (isStalled) response.destroy();
}

function pathOf({ url = "" }: IncomingMessage): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}

/** The address of a client behind a number of trusted proxies, as Express computes it. */
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
