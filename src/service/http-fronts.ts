/**
 * What HTTP serves: GraphQL, its event streams, REST and master files, all on one schema and with the sessions of the key that a
 * request carries.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expressMiddleware } from "@as-integrations/express5";
import type { MikroORM } from "@mikro-orm/postgresql";
import type { Request, RequestHandler, Response } from "express";
import type { Logger } from "pino";
import { beginSignIn, endSignIn } from "../account/sign-in.ts";
import type { Config } from "../config.ts";
import type { ConnectionSupervisor } from "../database/connection-supervisor.ts";
import { errorLogger, type Refusal, refusalOf } from "../errors.ts";
import { type Caller, Context } from "../graphql/context.ts";
import { createStream } from "../graphql/event-stream.ts";
import { maxRequestBytes } from "../graphql/query-limits.ts";
import { readOptionalId } from "../graphql/read-id.ts";
import { createSchema } from "../graphql/schema/schema.ts";
import { createServer, prepare, rendered } from "../graphql/server.ts";
import type { Credential } from "../http/credential.ts";
import { createPages } from "../http/pages.ts";
import type { Front } from "../http/server.ts";
import type { FindShortAnswer } from "../http/short-path.ts";
import type { SignIns } from "../http/sign-in.ts";
import { envelopeForm } from "../rest/body-form.ts";
import { createZoneFiles, type ZoneFiles } from "../rest/master-files.ts";
import { openApiDocument, serveDocument } from "../rest/openapi.ts";
import { createPublicPaths, restknotRoutes, restknotStatus } from "../rest/restknot.ts";
import { routes } from "../rest/routes.ts";
import { createRest, type PrepareOperation, restBody } from "../rest/serve.ts";
import type { Actor } from "../session/authorization.ts";
import type { Door, Session } from "../session/session.ts";
import { version } from "../version.ts";
import { exportZone } from "../zone/master-file/export.ts";
import { importZone } from "../zone/master-file/import.ts";
import { startPlans } from "./plans.ts";
import type { Sessions } from "./session-factory.ts";

/** Dependencies of the fronts: `authenticate` throws UNAUTHENTICATED, `stopping` is aborted when the service stops. */
export interface FrontDeps {
  readonly config: Config;
  readonly log: Logger;
  readonly sessions: Sessions;
  readonly authenticate: (credential: Credential) => Promise<Actor>;
  readonly stopping: AbortSignal;
  readonly resources: AsyncDisposableStack;
  readonly orm: MikroORM;
  readonly supervisor: ConnectionSupervisor;
}

/** The fronts, and what finds answers that need none. */
export interface HttpFronts {
  readonly fronts: readonly Front[];
  readonly findShortAnswer: FindShortAnswer<Actor> | undefined;
  readonly signIns: SignIns<Actor>;
  readonly pages: RequestHandler | undefined;
}

/** Makes the fronts, the more specific path first; `resources` stops what they start. */
export async function createHttpFronts(deps: FrontDeps): Promise<HttpFronts> {
  const { config, log, sessions, resources } = deps;
  const sessionOf = (response: Response, door: Door) => sessions.open(response.locals.actor as Actor, door);
  const callerOf = callers(deps);
  const schema = await createSchema();
  const plans = await startPlans({ ...deps, schema });
  const apollo = createServer(schema, log, (text, document) => plans?.admit(text, document));
  await apollo.start();
  resources.defer(() => apollo.stop());
  const contextOf = (response: Response) => new Context(sessionOf(response, "graphql"), callerOf(response));
  const prepareOperation: PrepareOperation = (operation) => {
    const run = prepare(schema, operation, log, (document) => plans?.prepared(document));
    return (variables, response) => run(variables, sessionOf(response, "rest"), callerOf(response));
  };
  const zoneFiles = zoneFilesOf((response) => sessionOf(response, "rest"));
  const graphqlBody = (refusal: Refusal) => ({ errors: [rendered(refusal)] });
  const json = ["application/json"] as const;
  const stream = createStream(schema, contextOf, log);
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
      path: "/graphql",
      media: json,
      maxBytes: maxRequestBytes,
      handler: (request, response, next) => (wantsEvents(request) ? stream : answer)(request, response, next),
      render: graphqlBody,
    },
    openApiFront(config),
    restFront(config, prepareOperation),
  ];
  const pages = config.CONSOLE === "on" ? createPages(builtPages) : undefined;
  if (config.CONSOLE === "on" && !pages)
    log.warn("the console is not there, as this checkout was not built: npm run build");
  return {
    fronts,
    findShortAnswer: plans && ((...request) => plans.find(...request)),
    signIns: signInsOf(deps),
    pages,
  };
}

/** How browsers sign in. */
const signInsOf = ({ config, sessions }: FrontDeps): SignIns<Actor> => ({
  begin: ({ keyId }) => beginSignIn(sessions.asSystem(), keyId as number, config.SIGN_IN_HOURS),
  end: (token) => endSignIn(sessions.asSystem(), token),
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
function restFront({ REST_ENVELOPE: envelope }: Config, prepareOperation: PrepareOperation): Front {
  const path = "/api";
  const media = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"] as const;
  if (envelope === "none")
    return { path, media, handler: createRest(prepareOperation), render: (refusal) => restBody(refusal) };
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
function callers({ authenticate, stopping }: FrontDeps): (response: Response) => Caller {
  const signalOf = (response: Response) => {
    const closed = new AbortController();
    if (response.closed) closed.abort();
    else response.once("close", () => closed.abort());
    return AbortSignal.any([closed.signal, stopping]);
  };
  return (response) => ({
    get gone(): AbortSignal {
      response.locals.gone ??= signalOf(response);
      return response.locals.gone;
    },
    confirm: () => authenticate(response.locals.credential as Credential),
    note: (note) => void Object.assign(response.locals, note),
  });
}

/** Master files by stream, for the session of a response. */
function zoneFilesOf(sessionOf: (response: Response) => Session): ZoneFiles {
  return {
    read: (zone, response) => exportZone(sessionOf(response), zone),
    write: ({ userId, ...request }, response) =>
      importZone(sessionOf(response), { ...request, userId: readOptionalId(userId, "user_id") }),
  };
}
