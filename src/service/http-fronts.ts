/** The fronts of HTTP: GraphQL, its event streams, REST and master files, all on one schema, with a session for the key of each request. */
import { resolve } from "node:path";
import { expressMiddleware } from "@as-integrations/express5";
import type { Request, RequestHandler } from "express";
import type { GraphQLSchema } from "graphql";
import type { Logger } from "pino";
import { beginSignIn, endSignIn } from "../account/sign-in.ts";
import type { Config } from "../config/config.ts";
import { errorLogger, type Refusal, refusalOf } from "../errors.ts";
import { plannedImport, withFindings } from "../finding/change-findings.ts";
import { type Caller, Context } from "../graphql/context.ts";
import type { Variables } from "../graphql/declared-variables.ts";
import { Documents, type OperationAnswer, type SentOperation } from "../graphql/documents.ts";
import { rendered } from "../graphql/error-format.ts";
import { createStream } from "../graphql/event-stream.ts";
import type { Operation } from "../graphql/operation.ts";
import { Plans } from "../graphql/plan/plan.ts";
import { maxRequestBytes } from "../graphql/query-limits.ts";
import { readId } from "../graphql/scalars/scalars.ts";
import { createSchema } from "../graphql/schema/schema.ts";
import { createServer } from "../graphql/server.ts";
import { answerTypeFor, eventStream } from "../http/accept.ts";
import type { Credential } from "../http/credential.ts";
import type { Answer, RequestKind } from "../http/fast-path.ts";
import { createPages } from "../http/pages.ts";
import type { RequestObserver, RequestState, StatefulResponse } from "../http/request-state.ts";
import { graphqlRequests } from "../http/sent-operation.ts";
import type { Front } from "../http/server.ts";
import type { SignIns } from "../http/sign-in.ts";
import { eventsFront } from "../metrics/requests.ts";
import { restBody } from "../rest/bodies.ts";
import { bareForm, envelopeForm } from "../rest/body-form.ts";
import { createDifferences, type ReadDifference } from "../rest/differences.ts";
import { createZoneFiles, type ZoneFiles } from "../rest/master-files.ts";
import type { ZoneOfRequest } from "../rest/moment-text.ts";
import { openApiDocument, serveDocument } from "../rest/openapi.ts";
import { createPublicPaths, restknotRoutes, restknotStatus } from "../rest/restknot.ts";
import { routes, textLeaves } from "../rest/routes.ts";
import { createRest, type PrepareOperation, type ReadText } from "../rest/serve.ts";
import { singleReads } from "../rest/single-reads.ts";
import type { Actor } from "../session/authorization.ts";
import type { Session, Source } from "../session/session.ts";
import { buildInfo } from "../version.ts";
import { isDeleted, zoneHistory } from "../zone/history/deleted-domain.ts";
import { lastMoment, momentOf, momentsOf } from "../zone/history/moment.ts";
import { differenceText, exportMoment } from "../zone/history/past-text.ts";
import { exportZone } from "../zone/master-file/export.ts";
import { importZone } from "../zone/master-file/import.ts";
import { auditedHere, refusalObserver } from "./audit.ts";
import type { Pipelines } from "./database/pipelines.ts";
import type { Sessions } from "./sessions.ts";

/** The dependencies of the fronts. `authenticate` throws UNAUTHENTICATED; `stopping` is aborted when the service stops. */
interface FrontDeps {
  readonly config: Config;
  readonly log: Logger;
  readonly sessions: Sessions;
  readonly authenticate: (credential: Credential) => Actor | Promise<Actor>;
  readonly stopping: AbortSignal;
  readonly resources: AsyncDisposableStack;
  readonly pipelines: Pipelines;
}

/** The fronts, and the handlers of requests that are answered before a front gets them. */
interface HttpFronts {
  readonly fronts: readonly Front[];
  readonly requestKinds: readonly RequestKind[];
  readonly signIns: SignIns<Actor>;
  /** Stores refusals of requests that are not operations yet. */
  readonly audit: RequestObserver;
  readonly pages: RequestHandler | undefined;
}

/** Creates the fronts, the more specific path first; `resources` stops what they start. */
export async function createHttpFronts(deps: FrontDeps): Promise<HttpFronts> {
  const { config, log, sessions, resources } = deps;
  const sessionOf = (response: StatefulResponse, source: Source) =>
    sessions.open(response.locals?.actor as Actor, source, response.locals?.client);
  const callerOf = callers(deps);
  const schema = await createSchema();
  const documents = documentsOf(schema, deps);
  const apollo = createServer(schema, log, documents.checkRows);
  await apollo.start();
  resources.defer(() => apollo.stop());
  const contextOf = (response: StatefulResponse) => new Context(sessionOf(response, "graphql"), callerOf(response));
  const restContext = (response: StatefulResponse) => new Context(sessionOf(response, "rest"), callerOf(response));
  const operations = new Map<string, Operation>();
  const prepareOnce = (text: string): Operation => {
    const operation = operations.get(text) ?? documents.prepare(text);
    operations.set(text, operation);
    return operation;
  };
  const prepareOperation: PrepareOperation = (text) => {
    const operation = prepareOnce(text);
    return (variables, response) => {
      const { actor, isUnplanned } = response.locals as RequestState;
      return operation.data(variables, actor as Actor, () => restContext(response), isUnplanned);
    };
  };
  const prepareText = (text: string): ReadText => {
    const operation = documents.prepare(text, textLeaves);
    return (variables, response) => operation.textByPlan(variables, response.locals.actor as Actor);
  };
  const zoneFiles = zoneFilesOf((response) => sessionOf(response, "rest"));
  const graphqlBody = (refusal: Refusal) => ({ errors: [rendered(refusal)] });
  const json = ["application/json"] as const;
  const events = createStream(schema, documents, contextOf, log);
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
      render: restBody,
    },
    {
      path: "/api/domain/diff",
      media: [],
      handler: createDifferences(differencesOf((response) => sessionOf(response, "rest"))),
      render: restBody,
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
  const [table, form] = config.REST_ENVELOPE === "none" ? [routes, bareForm] : [restknotRoutes, envelopeForm];
  const prepareRead = (text: string) => {
    const operation = prepareOnce(text);
    return (sent: Variables, actor: Actor) => {
      const variables = operation.admit(sent);
      return variables && operation.plan(variables, actor);
    };
  };
  const find = (sent: SentOperation, actor: Actor) => answerOf(documents.answer(sent, actor), contextOf);
  const pages = config.CONSOLE === "on" ? createPages(builtPages) : undefined;
  if (config.CONSOLE === "on" && !pages)
    log.warn("the console is not there, as this checkout was not built: npm run build");
  return {
    fronts,
    requestKinds: [graphqlRequests(maxRequestBytes, find), singleReads(prepareRead, table, form)],
    signIns: signInsOf(deps),
    audit: refusalObserver(sessions, new Set(Object.keys(schema.getMutationType()?.getFields() ?? {}))),
    pages,
  };
}

function documentsOf(schema: GraphQLSchema, { log, pipelines: database, sessions: { times } }: FrontDeps): Documents {
  const onFault = (error: unknown) => log.error({ err: error }, "a plan failed; the operation is executed");
  return new Documents({
    schema,
    log,
    makePlans: (planned) => new Plans({ schema, database, times, onFault }, planned),
  });
}

function answerOf(
  answer: OperationAnswer | undefined,
  contextOf: (response: StatefulResponse) => Context,
): Answer | undefined {
  return (
    answer && {
      ...answer,
      execute: async (response) => {
        const { text, retryAfter } = (await answer.execute(contextOf(response))) ?? {};
        if (retryAfter !== undefined) response.setHeader("Retry-After", String(retryAfter));
        return text;
      },
    }
  );
}

const signInsOf = ({ config, sessions, authenticate }: FrontDeps): SignIns<Actor> => ({
  begin: (actor, client) =>
    auditedHere(sessions.open(actor, "console", client), "signIn", { apiKeyId: actor.keyId }, (session) =>
      beginSignIn(session, actor.keyId as number, config.SIGN_IN_HOURS),
    ),
  end: async (secret, client) => {
    const signedIn = async () => authenticate({ kind: "signIn", secret });
    const actor = await signedIn().catch(() => undefined);
    if (!actor) return;
    await auditedHere(sessions.open(actor, "console", client), "signOut", { apiKeyId: actor.keyId }, (session) =>
      endSignIn(session, secret),
    );
  },
  endOf: ({ signedInUntil }) => signedInUntil,
  render: restBody,
});

/** The folder of the built pages: that of the compiled service. */
const builtPages = resolve(import.meta.dirname, import.meta.filename.endsWith(".ts") ? "../../dist" : "../..");

/** Whether a client prefers events to one response, as for subscriptions. */
const wantsEvents = ({ method, headers: { accept } }: Request) =>
  method === "POST" && answerTypeFor(accept) === eventStream;

function openApiFront({ REST_ENVELOPE: envelope }: Config): Front {
  const handler = serveDocument(openApiDocument(envelope === "none" ? routes : restknotRoutes, buildInfo().version));
  return { path: "/openapi.json", media: [], open: handler, handler, render: restBody };
}

/** The front of REST; with REST_ENVELOPE=restknot, bodies have the form that RESTKnot's code has. */
function restFront(
  { REST_ENVELOPE: envelope }: Config,
  prepareOperation: PrepareOperation,
  prepareText: (operation: string) => ReadText,
): Front {
  const path = "/api";
  const media = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"] as const;
  if (envelope === "none")
    return { path, media, handler: createRest(prepareOperation, { prepareText }), render: restBody };
  return {
    path,
    media,
    handler: createRest(prepareOperation, { table: restknotRoutes, form: envelopeForm }),
    render: (refusal) => restBody(refusal, restknotStatus(refusal)),
    statusOf: restknotStatus,
    open: createPublicPaths(buildInfo().commit),
  };
}

/**
 * Makes the caller of each operation. It counts as gone when the response is closed or the service stops. Its key is confirmed by reading
 * the key again.
 */
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
      confirm: async () => authenticate(state.credential as Credential),
      note: (note) => void Object.assign(state, note),
    };
  };
}

const historyOf = (session: Session, { zone, id }: ZoneOfRequest) =>
  zoneHistory(session, { zone, ...(id !== undefined && { id: readId(id, "id") }) });

function differencesOf(sessionOf: (response: StatefulResponse) => Session): ReadDifference {
  return async (zone, from, to, response) => {
    const session = sessionOf(response);
    const past = await historyOf(session, zone);
    const moments = await momentsOf(session, past, from, to);
    if (isDeleted(past)) response.append("X-Warning", `${past.zone} was deleted at ${past.deletedAt.toISOString()}.`);
    if (!moments.from)
      response.append("X-Warning", `${past.zone} was created later; all of its records were added since.`);
    return differenceText(session, moments);
  };
}

function zoneFilesOf(sessionOf: (response: StatefulResponse) => Session): ZoneFiles {
  return {
    read: async (zone, at, response) => {
      const session = sessionOf(response);
      if (!at && zone.id === undefined) return exportZone(session, zone.zone);
      const past = await historyOf(session, zone);
      if (!at && !isDeleted(past)) return exportZone(session, past.zone);
      return exportMoment(session, await (at ? momentOf(session, past, at) : lastMoment(session, past)));
    },
    write: ({ userId, note, ...request }, response) => {
      const input = { zone: request.zone, userId, dryRun: request.dryRun };
      const run = async (session: Session) => {
        const owner = userId === undefined ? undefined : readId(userId, "user_id");
        const result = await importZone({ ...session, note }, { ...request, userId: owner });
        return request.dryRun ? { ...result, notices: await withFindings(session, plannedImport(result)) } : result;
      };
      return auditedHere({ ...sessionOf(response), source: "import" }, "importZone", input, run).catch((error) => {
        response.locals.isAudited = true;
        throw error;
      });
    },
  };
}
