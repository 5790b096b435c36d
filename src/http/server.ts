/**
 * The HTTP server: what every request passes before its front (id, log, rate limits, key, body), and the responses to
 * errors. The fronts and the database are passed in; this file imports none of them.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { createServer, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import cors from "cors";
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from "express";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { errorLogger, Refusal, refusalOf } from "../errors.ts";
import { Places } from "../turns/places.ts";
import { doWork, Turns, Work } from "../turns/work.ts";
import { bodyReader, type Media, readForm } from "./body.ts";
import { maskKeys, maskPath } from "./mask-keys.ts";
import { limiter } from "./rate-limit.ts";

/**
 * A front: its path, the media types of bodies that are parsed for it (none: it reads bodies itself), its handler, and
 * its form of a refusal. Unless it says that it streams, its requests wait for a turn first, once their body is there.
 */
export interface Front {
  readonly path: string;
  readonly media: readonly Media[];
  readonly streams?: true;
  readonly handler: RequestHandler;
  readonly render: (refusal: Refusal) => unknown;
  /** What answers before a key is asked for. */
  readonly open?: RequestHandler;
  /** The status of a refusal, where it is not its own. */
  readonly statusOf?: (refusal: Refusal) => number;
}

/** Why the service is not ready, and when to ask again, seconds. */
export interface NotReady {
  readonly reason: string;
  readonly retryAfter: number;
}

/**
 * The dependencies of the server. `authenticate` throws UNAUTHENTICATED; `whyNotReady` returns undefined when the
 * service is ready.
 */
export interface HttpDeps<Actor> {
  readonly config: Config;
  readonly log: Logger;
  readonly authenticate: (key: string) => Promise<Actor>;
  readonly keyName: (actor: Actor) => string;
  readonly whyNotReady: () => Promise<NotReady | undefined>;
  readonly fronts: readonly Front[];
}

/** Builds the HTTP server. A handler finds its actor in `response.locals.actor`. */
export function createHttp<Actor>(deps: HttpDeps<Actor>): Server {
  const { config, log, fronts } = deps;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("trust proxy", config.TRUST_PROXY);
  app.set("query parser", (query: string | null) => readForm(query ?? ""));
  app.use(identify(log, config.ADMIN_API_KEY), cutUnread(config.HTTP_SLOW_READER_SECONDS * 1000));
  app.get("/healthz", (_request, response) => void response.json({ status: "ok" }));
  app.get("/readyz", readiness(deps.whyNotReady));
  if (config.CORS_ORIGINS.length > 0)
    app.use(cors({ origin: [...config.CORS_ORIGINS], exposedHeaders: exposedHeaders, maxAge: 600 }));
  for (const { path, open } of fronts) if (open) app.use(path, open);
  app.use(authentication(deps));
  for (const { path, media, streams, handler } of fronts)
    app.use(path, ...(media.length > 0 ? [bodyReader(media)] : []), ...(streams ? [] : [awaitTurn]), handler);
  app.use((request) => {
    throw new Refusal(
      "NOT_FOUND",
      `There is nothing at ${request.method} ${request.path.slice(0, 200)}; see the README for the paths.`,
    );
  });
  app.use(errorHandler(log, fronts));
  return createServer(app).on("clientError", (error, socket) => answerMalformed(error, socket, fronts));
}

const exposedHeaders = [
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

/** The id of the request that is being answered. */
const currentRequest = new AsyncLocalStorage<string>();

/** The fields that every log line of a request has, in any module. */
export function requestOfLog(): { requestId?: string } {
  const requestId = currentRequest.getStore();
  return requestId === undefined ? {} : { requestId };
}

/** The headers of every response: it is for this client alone, and is what it says it is. */
const protectiveHeaders = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

/** Paths that are asked every few seconds and are logged at debug. */
const probes = new Set(["/healthz", "/readyz"]);

/**
 * Gives the request its id (the client's X-Request-Id, if it is plain text and no key) and the response the headers of
 * every response, and logs the request when it is answered, without a key that may be in its path.
 */
function identify(log: Logger, administratorKey: string): RequestHandler {
  return (request, response, next) => {
    const keys = [request.get("x-api-key"), administratorKey];
    const ownId = request.get("x-request-id");
    const isId = ownId !== undefined && /^[\w.:-]{1,64}$/.test(ownId) && maskKeys(ownId, keys) === ownId;
    const id = isId ? ownId : randomUUID();
    response.set({ "X-Request-Id": id, ...protectiveHeaders });
    const start = performance.now();
    const { method } = request;
    const path = maskPath(request.path, keys).slice(0, 300);
    response.once("close", () => {
      const ms = Math.round((performance.now() - start) * 10) / 10;
      const { statusCode: status, locals } = response;
      const { operation, refusals } = locals;
      log[probes.has(request.path) ? "debug" : "info"](
        {
          requestId: id,
          method,
          path,
          ...(operation !== undefined && { operation }),
          status,
          ...(refusals !== undefined && { refusals }),
          ms,
          actor: locals.actorName,
          completed: response.writableFinished,
        },
        "request",
      );
    });
    currentRequest.run(id, next);
  };
}

/** Breaks the connection of a client that leaves its answer unread, or stops sending its request. */
function cutUnread(patienceMs: number): RequestHandler {
  return (request, response, next) => {
    response.setTimeout(patienceMs, () => {
      // Node breaks the connection on its own when nothing listens; a client that waits for us is left alone.
      const isStalled = response.writableLength > 0 || (!request.complete && request.readableLength === 0);
      if (isStalled) response.destroy();
    });
    next();
  };
}

/** Waits for the turn of a request, which ends when its answer is written. */
const awaitTurn: RequestHandler = async (_request, response, next) => {
  const work = response.locals.work as Work;
  if (!(await work.begin())) return;
  response.once("prefinish", () => work.giveUp());
  next();
};

function readiness(whyNotReady: () => Promise<NotReady | undefined>): RequestHandler {
  return async (_request, response) => {
    const notReady = await whyNotReady();
    if (!notReady) return void response.json({ status: "ready" });
    const { reason, retryAfter } = notReady;
    response.status(503).set("Retry-After", String(retryAfter)).json({ status: "not ready", reason });
  };
}

/**
 * Authenticates a request and applies the limits of its address and its key, on requests in a minute and in progress; wrong keys have a
 * lower one.
 */
function authentication<Actor>({ config, authenticate, keyName }: HttpDeps<Actor>): RequestHandler {
  const address = limiter(config.RATE_LIMIT_ADDRESS);
  const key = limiter(config.RATE_LIMIT_KEY);
  const wrongKey = limiter(config.RATE_LIMIT_WRONG_KEY);
  const ofAddress = new Places(config.IN_FLIGHT_ADDRESS, "requests of this address");
  const turns = new Turns({ connections: config.DATABASE_POOL, requestsOfKey: config.IN_FLIGHT_KEY });
  return async (request, response, next) => {
    const client = request.ip ?? "unknown";
    whenClosed(response, ofAddress.take(client));
    await address(client, "requests from this address");
    try {
      const actor = await authenticate(keyOf(request));
      Object.assign(response.locals, { actor, actorName: keyName(actor) });
    } catch (error) {
      if (error instanceof Refusal) await wrongKey(client, "wrong keys from this address");
      throw error;
    }
    const name: string = response.locals.actorName;
    await key(name, "requests with this key");
    whenClosed(response, turns.requests.take(name));
    const work = new Work(turns, name);
    response.locals.work = work;
    whenClosed(response, () => work.end());
    doWork(work, next);
  };
}

/** Calls `leave` when the response is closed, which it may be already. */
function whenClosed(response: Response, leave: () => void): void {
  if (response.closed) leave();
  else response.once("close", leave);
}

function keyOf(request: Request): string {
  const key = request.get("x-api-key");
  if (key) return key.slice(0, 300);
  throw new Refusal("UNAUTHENTICATED", "The X-API-Key header is missing; send your key in it.", { field: "X-API-Key" });
}

/** Answers every error in the form of its front; stack traces are never sent to clients. */
function errorHandler(log: Logger, fronts: readonly Front[]): ErrorRequestHandler {
  return (error, request: Request, response: Response, _next) => {
    if (response.headersSent) return void response.destroy();
    const refusal = refusalOf(routingRefusal(error) ?? error, errorLogger(log, "a request failed"));
    response.locals.refusals ??= [...new Set((refusal.reasons ?? [refusal]).map(({ code }) => code))];
    const front = fronts.find(({ path }) => request.originalUrl.startsWith(path)) ?? fronts.at(-1);
    if (refusal.retryAfter !== undefined) response.set("Retry-After", String(refusal.retryAfter));
    response.status(front?.statusOf?.(refusal) ?? refusal.status).json(front?.render(refusal));
  };
}

/** The refusal for an error of express's router, which has a status below 500. */
function routingRefusal(error: unknown): Refusal | undefined {
  const { status } = error as { status?: unknown };
  return error instanceof Refusal || typeof status !== "number" || status >= 500
    ? undefined
    : new Refusal("BAD_REQUEST", "The path cannot be read; write %25 for a percent sign, and UTF-8.");
}

/** Answers malformed requests and oversized headers, for which Node would close the connection silently. */
function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex, fronts: readonly Front[]): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const refusal =
    error.code === "HPE_HEADER_OVERFLOW"
      ? new Refusal("TOO_LARGE", "The path and headers are larger than 16 KB; send less of them.")
      : new Refusal("BAD_REQUEST", "The request is not valid HTTP/1.1, or came too slowly.");
  const body = JSON.stringify(fronts.at(-1)?.render(refusal));
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(protectiveHeaders).map(([name, value]) => `${name}: ${value}`),
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
