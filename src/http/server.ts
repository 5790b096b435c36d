/** The HTTP server: the way of every request to its front, and responses to errors. It imports no front. */
import { createServer, type RequestListener, type Server, type ServerOptions, STATUS_CODES } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Duplex } from "node:stream";
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from "express";
import type { Logger } from "pino";
import { errorLogger, Refusal, refusalOf } from "../errors.ts";
import type { Certificate } from "../net/certificate.ts";
import { doWork, type Work } from "../turns/queues.ts";
import { Admission, type AdmissionDeps } from "./admission.ts";
import { bodyParser, bodyReceiver, type Media, readForm } from "./body.ts";
import { corsOf } from "./cors.ts";
import { credentialOf } from "./credential.ts";
import { FastPath, type RequestKind } from "./fast-path.ts";
import {
  asRequest,
  protectiveHeaders,
  RequestIdentification,
  type RequestObserver,
  type RequestState,
} from "./request-state.ts";
import { createSignIn, type SignIns, signInPath } from "./sign-in.ts";

/**
 * A front: its path, the media types of bodies that are parsed for it (none means that the front reads bodies itself), its handler, and the
 * form of its refusals. Unless the front streams, each request waits for a turn after its body is received and before the body is parsed.
 */
export interface Front {
  readonly path: string;
  readonly media: readonly Media[];
  /** The largest body, bytes; without it, the limit of body.ts. */
  readonly maxBytes?: number;
  readonly streams?: true;
  readonly handler: RequestHandler;
  readonly render: (refusal: Refusal) => unknown;
  readonly open?: RequestHandler;
  /** The status of a refusal, if it differs from that of its code. */
  readonly statusOf?: (refusal: Refusal) => number;
}

/** Why the service is not ready, and when to ask again, seconds. */
export interface NotReady {
  readonly reason: string;
  readonly retryAfter: number;
}

/** `authenticate` throws UNAUTHENTICATED; `whyNotReady` returns undefined when the service is ready. */
interface HttpDeps<Actor> extends AdmissionDeps<Actor> {
  readonly log: Logger;
  readonly whyNotReady: () => Promise<NotReady | undefined>;
  readonly fronts: readonly Front[];
  readonly signIns: SignIns<Actor>;
  readonly certificate?: Certificate | undefined;
  readonly pages?: RequestHandler | undefined;
  /** The kinds of requests on the fast path. */
  readonly requestKinds: readonly RequestKind[];
  readonly observers?: readonly RequestObserver[] | undefined;
  /** Answers scrapes of metrics, with a key of its own. */
  readonly serveMetrics?: RequestListener | undefined;
}

/** How long an idle connection stays open, ms: longer than at proxies (nginx: 60 s), which may send on it. */
const keepAliveMs = 75_000;

const handshakeMs = 10_000;

/** Builds the HTTP server. A handler finds its actor in `response.locals.actor`. */
export function createHttp<Actor>(deps: HttpDeps<Actor>): Server {
  const { config, log, fronts, certificate } = deps;
  const headers = protectiveHeaders(config);
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("trust proxy", config.TRUST_PROXY);
  app.set("query parser", (query: string | null) => readForm(query ?? ""));
  const identification = new RequestIdentification(log, config.ADMIN_API_KEY, deps.observers);
  const admission = new Admission(deps);
  app.use((_request, response, next) => {
    const state = response.locals as RequestState;
    response.set({ "X-Request-Id": state.requestId, ...headers });
    asRequest(state, next);
  });
  app.get("/healthz", (_request, response) => void response.json({ status: "ok" }));
  app.get("/readyz", readiness(deps.whyNotReady));
  app.use("/metrics", deps.serveMetrics ?? noMetrics);
  if (deps.pages) app.use(deps.pages);
  if (config.CORS_ORIGINS.length > 0) app.use(corsOf(config.CORS_ORIGINS));
  for (const { path, open } of fronts) if (open) app.use(path, open);
  app.use(
    signInPath,
    bodyReceiver(),
    bodyParser(["application/json"]),
    createSignIn(admission, deps.signIns, config.TRUST_PROXY),
  );
  app.use(authentication(admission, config.TRUST_PROXY));
  for (const { path, media, maxBytes, streams, handler } of fronts)
    app.use(
      path,
      ...(media.length > 0 ? [bodyReceiver(maxBytes)] : []),
      ...(streams ? [] : [awaitTurn]),
      ...(media.length > 0 ? [bodyParser(media)] : []),
      handler,
    );
  app.use((request) => {
    throw new Refusal(
      "NOT_FOUND",
      `There is nothing at ${request.method} ${request.path.slice(0, 200)}; see the README for the paths.`,
    );
  });
  app.use(errorHandler(log, [{ path: signInPath, render: deps.signIns.render }, ...fronts]));
  const fastPath = new FastPath({ config, admission, identification, kinds: deps.requestKinds });
  const listener: RequestListener = (request, response) =>
    fastPath.handle(request, response, () => app(request, response));
  const options = { keepAliveTimeout: keepAliveMs };
  return (certificate ? secureServer(certificate, options, listener) : createServer(options, listener)).on(
    "clientError",
    (error, socket) => answerMalformed(error, socket, fronts, headers),
  );
}

/** A server of HTTPS: of TLS 1.2 and 1.3, as browsers speak it. */
function secureServer(certificate: Certificate, options: ServerOptions, listener: RequestListener): Server {
  const server = createSecureServer({ ...options, handshakeTimeout: handshakeMs, minVersion: "TLSv1.2" }, listener);
  certificate.serve(server, { minVersion: "TLSv1.2" });
  return server;
}

/** Waits for the turn of a request; the turn ends when the answer is written. */
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

const noMetrics: RequestHandler = () => {
  throw new Refusal("NOT_FOUND", "There are no metrics here; set METRICS_KEY for them, or METRICS_PORT.");
};

/** Admits a request, unless the fast path has admitted it; throws the error of a request that failed there. */
function authentication<Actor>(admission: Admission<Actor>, trustedProxies: number): RequestHandler {
  return async (request, response, next) => {
    const state = response.locals as RequestState;
    if (state.failure !== undefined) throw state.failure;
    const client = request.ip ?? "unknown";
    const work = state.work ?? (await admission.admit(client, credentialOf(request, trustedProxies), state, response));
    doWork(work, next);
  };
}

/** Answers every error in the form of its front; stack traces are never sent to clients. */
function errorHandler(
  log: Logger,
  fronts: readonly Pick<Front, "path" | "render" | "statusOf">[],
): ErrorRequestHandler {
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

/** Answers malformed requests and oversized headers, for which Node would close the connection without an answer. */
function answerMalformed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  fronts: readonly Front[],
  headers: Readonly<Record<string, string>>,
): void {
  const { code = "" } = error;
  // Nothing can be sent on a connection that ended, or whose handshake failed.
  if (!socket.writable || /^(ECONNRESET|EPROTO|ERR_SSL_|ERR_TLS_)/.test(code)) return void socket.destroy();
  const refusal =
    code === "HPE_HEADER_OVERFLOW"
      ? new Refusal("TOO_LARGE", "The path and headers are larger than 16 KB; send less of them.")
      : new Refusal("BAD_REQUEST", "The request is not valid HTTP/1.1, or came too slowly.");
  const body = JSON.stringify(fronts.at(-1)?.render(refusal));
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
