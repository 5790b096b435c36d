/**
 * What HTTP serves: GraphQL, its event streams, REST and master files, all on one schema and with the sessions of the key that a
 * request carries.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expressMiddleware } from "@as-integrations/express5";
import type { Request, RequestHandler } from "express";
import { parse } from "graphql";
import type { Logger } from "pino";
import { beginSignIn, endSignIn } from "../account/sign-in.ts";
import type { Config } from "../config.ts";
import { errorLogger, type Refusal, refusalOf } from "../errors.ts";
import { type Caller, Context } from "../graphql/context.ts";
import { rendered } from "../graphql/error-format.ts";
import { createStream } from "../graphql/event-stream.ts";
import type { ReadyMutation } from "../graphql/plan/mutation.ts";
import { maxRequestBytes } from "../graphql/query-limits.ts";
import { readOptionalId } from "../graphql/read-id.ts";
import { createSchema } from "../graphql/schema/schema.ts";
import { createServer, prepare } from "../graphql/server.ts";
import type { Credential } from "../http/credential.ts";
import { createPages } from "../http/pages.ts";
import type { RequestObserver, RequestState, StatefulResponse } from "../http/request-state.ts";
import type { Front } from "../http/server.ts";
import type { FindShortAnswer, ShortAnswer } from "../http/short-path.ts";
import type { SignIns } from "../http/sign-in.ts";
import { eventsFront } from "../metrics/requests.ts";
import { envelopeForm } from "../rest/body-form.ts";
import { createDifferences, type ReadDifference } from "../rest/differences.ts";
import { createZoneFiles, type ZoneFiles } from "../rest/master-files.ts";
import type { ZoneOfRequest } from "../rest/moment-text.ts";
import { openApiDocument, serveDocument } from "../rest/openapi.ts";
import { createPublicPaths, restknotRoutes, restknotStatus } from "../rest/restknot.ts";
import { routes, textLeaves } from "../rest/routes.ts";
import { createRest, type PrepareOperation, type ReadText, restBody } from "../rest/serve.ts";
import type { Actor } from "../session/authorization.ts";
import type { Door, Session } from "../session/session.ts";
import { version } from "../version.ts";
import { pastOfZone } from "../zone/history/deleted-domain.ts";
import { differenceText } from "../zone/history/difference-text.ts";
import { lastMoment, momentOf, momentsOf } from "../zone/history/moment.ts";
import { exportMoment } from "../zone/history/past-file.ts";
import { exportZone } from "../zone/master-file/export.ts";
import { importZone } from "../zone/master-file/import.ts";
import { auditedHere, refusalObserver } from "./audit-front.ts";
import type { Pipelines } from "./pipelines.ts";
import { createPlans } from "./plans.ts";
import type { Sessions } from "./session-factory.ts";

/** Dependencies of the fronts: `authenticate` throws UNAUTHENTICATED, `stopping` is aborted when the service stops. */
export interface FrontDeps {
  readonly config: Config;
  readonly log: Logger;
  readonly sessions: Sessions;
  readonly authenticate: (credential: Credential) => Promise<Actor>;
  readonly stopping: AbortSignal;
  readonly resources: AsyncDisposableStack;
  readonly pipelines: Pipelines | undefined;
}

/** The fronts, and what finds answers that need none. */
export interface HttpFronts {
  readonly fronts: readonly Front[];
  readonly findShortAnswer: FindShortAnswer<Actor> | undefined;
  readonly signIns: SignIns<Actor>;
  /** Notes what is refused before it is an operation. */
  readonly audit: RequestObserver;
  readonly pages: RequestHandler | undefined;
}

/** Makes the fronts, the more specific path first; `resources` stops what they start. */
export async function createHttpFronts(deps: FrontDeps): Promise<HttpFronts> {
  const { config, log, sessions, resources, pipelines } = deps;
  const sessionOf = (response: StatefulResponse, door: Door) =>
    sessions.open(response.locals?.actor as Actor, door, response.locals?.client);
  const callerOf = callers(deps);
  const schema = await createSchema();
  const plans = pipelines && createPlans(schema, config, log, pipelines);
  const apollo = createServer(schema, log, (text, document) => plans?.admit(text, document));
  await apollo.start();
  resources.defer(() => apollo.stop());
  const contextOf = (response: StatefulResponse) => new Context(sessionOf(response, "graphql"), callerOf(response));
  const prepareOperation: PrepareOperation = (operation) => {
    const run = prepare(schema, operation, log, (document) => plans?.prepared(document));
    return (variables, response) => run(variables, sessionOf(response, "rest"), callerOf(response));
  };
  const prepareText = (operation: string): ReadText => {
    const read = plans?.preparedText(parse(operation), textLeaves);
    return async (variables, response) => read?.(variables, response.locals.actor as Actor);
  };
  const zoneFiles = zoneFilesOf((response) => sessionOf(response, "rest"));
  const graphqlBody = (refusal: Refusal) => ({ errors: [rendered(refusal)] });
  const json = ["application/json"] as const;
  const events = createStream(schema, contextOf, log);
  const stream: RequestHandler = (request, response, next) => {
    response.locals.front = eventsFront;
    return events(request, response, next);
  };
  const answer = expressMiddleware(apollo, { context: async ({ res }) => contextOf(res) });
  const fronts: Front[] = [
    {
      path: "/api/domain/zonefile",
      media: [],
      streams: true,
      handler: createZoneFiles({
        files: zoneFiles,
        maxBytes: config.IMPORT_MEGABYTES * 1e6,
        prepare: prepareOperation,
        refusalOf: (error) => refusalOf(error, errorLogger(log, "an import failed")),
      }),
      render: (refusal) => restBody(refusal),
    },
    {
      path: "/api/domain/diff",
      media: [],
      handler: createDifferences(differencesOf((response) => sessionOf(response, "rest"))),
      render: (refusal) => restBody(refusal),
    },
    {
      path: "/graphql",
      media: json,
      maxBytes: maxRequestBytes,
      handler: (request, response, next) => (wantsEvents(request) ? stream : answer)(request, response, next),
      render: graphqlBody,
    },
    openApiFront(config),
    restFront(config, prepareOperation, prepareText),
  ];
  const findShortAnswer: FindShortAnswer<Actor> = (...request) => {
    const operation = plans?.find(...request);
    return operation && "mutate" in operation ? answerOf(operation, contextOf) : operation;
  };
  const pages = config.CONSOLE === "on" ? createPages(builtPages) : undefined;
  if (config.CONSOLE === "on" && !pages)
    log.warn("the console is not there, as this checkout was not built: npm run build");
  return {
    fronts,
    findShortAnswer: plans && findShortAnswer,
    signIns: signInsOf(deps),
    audit: refusalObserver(sessions, new Set(Object.keys(schema.getMutationType()?.getFields() ?? {}))),
    pages,
  };
}

/** The answer of a mutation. */
function answerOf(
  { operation, endpoint, mutate }: ReadyMutation,
  contextOf: (response: StatefulResponse) => Context,
): ShortAnswer {
  return {
    operation,
    endpoint,
    isWrite: true,
    run: async (response) => {
      const { text, retryAfter } = await mutate(contextOf(response));
      if (retryAfter !== undefined) response.setHeader("Retry-After", String(retryAfter));
      return text;
    },
  };
}

/** How browsers sign in, and out again, which the audit knows of. */
const signInsOf = ({ config, sessions, authenticate }: FrontDeps): SignIns<Actor> => ({
  begin: (actor, client) =>
    auditedHere(sessions.open(actor, "console", client), "signIn", { id: actor.keyId }, (session) =>
      beginSignIn(session, actor.keyId as number, config.SIGN_IN_HOURS),
    ),
  end: async (secret, client) => {
    const actor = await authenticate({ kind: "signIn", secret }).catch(() => undefined);
    if (!actor) return;
    await auditedHere(sessions.open(actor, "console", client), "signOut", { id: actor.keyId }, (session) =>
      endSignIn(session, secret),
    );
  },
  endOf: ({ signedInUntil }) => signedInUntil,
  render: (refusal) => restBody(refusal),
});

/** The folder in which pages are built, which is that of the compiled service. */
const builtPages = resolve(import.meta.dirname, import.meta.filename.endsWith(".ts") ? "../../dist" : "../..");

/** Whether a client prefers events to one response, as it does for subscriptions. */
function wantsEvents(request: Request): boolean {
  const types = ["application/json", "application/graphql-response+json", "text/event-stream"];
  return request.method === "POST" && request.accepts(types) === "text/event-stream";
}

/** The reference of REST, for everyone. */
function openApiFront({ REST_ENVELOPE: envelope }: Config): Front {
  const [release = ""] = version().split(" ");
  const handler = serveDocument(openApiDocument(envelope === "none" ? routes : restknotRoutes, release));
  return { path: "/openapi.json", media: [], open: handler, handler, render: (refusal) => restBody(refusal) };
}

/** The documented paths; with REST_ENVELOPE=restknot as RESTKnot's code has them. */
function restFront(
  { REST_ENVELOPE: envelope }: Config,
  prepareOperation: PrepareOperation,
  prepareText: (operation: string) => ReadText,
): Front {
  const path = "/api";
  const media = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"] as const;
  if (envelope === "none")
    return {
      path,
      media,
      handler: createRest(prepareOperation, { prepareText }),
      render: (refusal) => restBody(refusal),
    };
  return {
    path,
    media,
    handler: createRest(prepareOperation, { table: restknotRoutes, form: envelopeForm }),
    render: (refusal) => restBody(refusal, restknotStatus(refusal)),
    statusOf: restknotStatus,
    open: createPublicPaths(builtCommit()),
  };
}

/** The commit that the service was built from, as the build wrote it; the source itself has none. */
function builtCommit(): string {
  try {
    const file = new URL("../../build-info.json", import.meta.url);
    return (JSON.parse(readFileSync(file, "utf8")) as { commit: string }).commit;
  } catch {
    return "unknown";
  }
}

/** Who waits for a response: gone when it is closed or the service stops; a key is confirmed by looking it up again. */
function callers({ authenticate, stopping }: FrontDeps): (response: StatefulResponse) => Caller {
  const signalOf = (response: StatefulResponse) => {
    const closed = new AbortController();
    if (response.closed) closed.abort();
    else response.once("close", () => closed.abort());
    return AbortSignal.any([closed.signal, stopping]);
  };
  return (response) => {
    const state = response.locals as RequestState;
    return {
      get gone(): AbortSignal {
        state.gone ??= signalOf(response);
        return state.gone;
      },
      confirm: () => authenticate(state.credential as Credential),
      note: (note) => void Object.assign(state, note),
    };
  };
}

/** What has the past of the zone of a path. */
const pastOf = (session: Session, { zone, id }: ZoneOfRequest) => pastOfZone(session, zone, readOptionalId(id, "id"));

/** Differences by stream, for the session of a response. */
function differencesOf(sessionOf: (response: StatefulResponse) => Session): ReadDifference {
  return async (zone, from, to, response) => {
    const session = sessionOf(response);
    const past = await pastOf(session, zone);
    const moments = await momentsOf(session, past, from, to);
    if (past.deletedAt) response.append("X-Warning", `${past.zone} was deleted at ${past.deletedAt.toISOString()}.`);
    if (!moments.from) response.append("X-Warning", `${past.zone} was created later; all that it has came since.`);
    return differenceText(session, moments);
  };
}

/** Master files by stream, for the session of a response. */
function zoneFilesOf(sessionOf: (response: StatefulResponse) => Session): ZoneFiles {
  return {
    read: async (zone, at, response) => {
      const session = sessionOf(response);
      if (!at && zone.id === undefined) return exportZone(session, zone.zone);
      const past = await pastOf(session, zone);
      if (!at && !past.deletedAt) return exportZone(session, past.zone);
      return exportMoment(session, await (at ? momentOf(session, past, at) : lastMoment(session, past)));
    },
    write: ({ userId, note, ...request }, response) => {
      const input = { zone: request.zone, userId, dryRun: request.dryRun };
      const run = (session: Session) =>
        importZone({ ...session, note }, { ...request, userId: readOptionalId(userId, "user_id") });
      return auditedHere({ ...sessionOf(response), door: "import" }, "importZone", input, run).catch((error) => {
        response.locals.isAudited = true;
        throw error;
      });
    },
  };
}
