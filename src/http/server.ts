/**
 * HTTP: what every request passes before a front sees it (id, log, limits, key, body) and what becomes of errors after it.
 * The fronts and the database are handed in; this file knows none of them.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { createServer, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import cors from "cors";
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from "express";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { Refusal, refusalOf } from "../errors.ts";
import { bodyReader, type Media, readForm } from "./body.ts";
import { limiter } from "./rate-limit.ts";

/** A front: where it stands, what bodies it takes (none: it reads its request itself), what it does, and how it shows a refusal. */
export interface Front {
  readonly path: string;
  readonly media: readonly Media[];
  readonly handler: RequestHandler;
  readonly render: (refusal: Refusal) => unknown;
}

/** What the HTTP side needs of the service. `authenticate` throws UNAUTHENTICATED; `ready` tells what is amiss, or nothing. */
export interface HttpDeps<Actor> {
  readonly config: Config;
  readonly log: Logger;
  readonly authenticate: (key: string) => Promise<Actor>;
  readonly keyName: (actor: Actor) => string;
  readonly ready: () => Promise<string | undefined>;
  readonly fronts: readonly Front[];
}

/** Builds the HTTP server. A handler finds its actor in `response.locals.actor`. */
export function createHttp<Actor>(service: HttpDeps<Actor>): Server {
  const { config, log, fronts } = service;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("trust proxy", config.TRUST_PROXY);
  app.set("query parser", (query: string | null) => readForm(query ?? ""));
  app.use(identify(log));
  app.get("/healthz", (_request, response) => void response.json({ status: "ok" }));
  app.get("/readyz", readiness(service.ready));
  if (config.CORS_ORIGINS.length > 0)
    app.use(cors({ origin: [...config.CORS_ORIGINS], exposedHeaders: exposedHeaders, maxAge: 600 }));
  app.use(authentication(service));
  for (const { path, media, handler } of fronts)
    app.use(path, ...(media.length > 0 ? [bodyReader(media)] : []), handler);
  app.use((request) => {
    throw new Refusal(
      "NOT_FOUND",
      `There is nothing at ${request.method} ${request.path.slice(0, 200)}; see the README for the paths.`,
    );
  });
  app.use(errorHandler(log, fronts));
  return createServer(app).on("clientError", (error, socket) => answerUnreadable(error, socket, fronts));
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

/** The id of the request that is being answered at this moment. */
const currentRequest = new AsyncLocalStorage<string>();

/** What every line of the log says of the request it belongs to, wherever in the house it is written. */
export function requestOfLog(): { requestId?: string } {
  const requestId = currentRequest.getStore();
  return requestId === undefined ? {} : { requestId };
}

/** Gives the request its id (the caller's, if it is a plain one) and logs it when it is answered. */
function identify(log: Logger): RequestHandler {
  return (request, response, next) => {
    const given = request.get("x-request-id");
    const id = given !== undefined && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
    response.set("X-Request-Id", id);
    const start = performance.now();
    const { method, path } = request;
    response.once("close", () => {
      const ms = Math.round((performance.now() - start) * 10) / 10;
      const { statusCode: status, locals } = response;
      log.info(
        {
          requestId: id,
          method,
          path: path.slice(0, 300),
          status,
          ms,
          actor: locals.actorName,
          whole: response.writableFinished,
        },
        "request",
      );
    });
    currentRequest.run(id, next);
  };
}

function readiness(ready: () => Promise<string | undefined>): RequestHandler {
  return async (_request, response) => {
    const amiss = await ready();
    response
      .status(amiss === undefined ? 200 : 503)
      .json(amiss === undefined ? { status: "ready" } : { status: "not ready", reason: amiss });
  };
}

/** Limits an address, reads its key, limits the key; wrong keys are limited sooner. */
function authentication<Actor>({ config, authenticate, keyName }: HttpDeps<Actor>): RequestHandler {
  const address = limiter(config.RATE_LIMIT_ADDRESS);
  const key = limiter(config.RATE_LIMIT_KEY);
  const wrongKey = limiter(config.RATE_LIMIT_WRONG_KEY);
  return async (request, response, next) => {
    const from = request.ip ?? "unknown";
    await address(from, response, "requests from this address");
    const given = request.get("x-api-key");
    try {
      const actor = await authenticate(readKey(given));
      Object.assign(response.locals, { actor, actorName: keyName(actor) });
    } catch (error) {
      if (error instanceof Refusal) await wrongKey(from, response, "wrong keys from this address");
      throw error;
    }
    await key(keyName(response.locals.actor), response, "requests with this key");
    next();
  };
}

function readKey(given: string | undefined): string {
  if (given) return given.slice(0, 300);
  throw new Refusal("UNAUTHENTICATED", "The X-API-Key header is missing; send your key in it.", { field: "X-API-Key" });
}

/** Answers every error in the form of the front it happened in; a stack never leaves the house. */
function errorHandler(log: Logger, fronts: readonly Front[]): ErrorRequestHandler {
  return (error, request: Request, response: Response, _next) => {
    if (response.headersSent) return void response.destroy();
    const refusal = refusalOf(routingRefusal(error) ?? error, (err, id) => log.error({ err, id }, "a request failed"));
    const front = fronts.find(({ path }) => request.originalUrl.startsWith(path)) ?? fronts.at(-1);
    response.status(refusal.status).json(front?.render(refusal));
  };
}

/** What the router complains of, in our words. */
function routingRefusal(error: unknown): Refusal | undefined {
  const { status } = error as { status?: unknown };
  return error instanceof Refusal || typeof status !== "number" || status >= 500
    ? undefined
    : new Refusal("BAD_REQUEST", "The path cannot be read; write %25 for a percent sign, and UTF-8.");
}

/** Answers what is not HTTP, or has too much of a head, before Node would close the connection without a word. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex, fronts: readonly Front[]): void {
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
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
