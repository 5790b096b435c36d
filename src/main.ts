/**
 * The only file that knows every room: starts the service from its configuration and stops it again.
 */
import { expressMiddleware } from "@as-integrations/express5";
import type { MikroORM } from "@mikro-orm/postgresql";
import type { Response } from "express";
import { type DestinationStream, destination, type Logger, pino } from "pino";
import { authenticate, createApiKey, hasAdministratorKey, storeKey } from "./account/api-key.ts";
import { tsigSecret } from "./account/tsig-key.ts";
import type { Config } from "./config.ts";
import { isMigrated, migrate, openDatabase, openReaders } from "./database.ts";
import { Refusal } from "./errors.ts";
import { type Caller, Context } from "./graphql/context.ts";
import { readOptionalId } from "./graphql/read-id.ts";
import { createSchema } from "./graphql/schema/schema.ts";
import { createServer, prepare, rendered } from "./graphql/server.ts";
import { createStream } from "./graphql/stream.ts";
import { closeHttp, listen } from "./http/listen.ts";
import { createHttp, type Front, requestOfLog } from "./http/server.ts";
import type { NameserverHooks } from "./nameserver/hooks.ts";
import { type Nameserver, startNameserver } from "./nameserver/nameserver.ts";
import { UpdateHandler } from "./nameserver/update.ts";
import { type EmbeddedPostgres, runningPostgres, startEmbeddedPostgres } from "./postgres/embedded.ts";
import { startPublisher } from "./publisher/publisher.ts";
import { createRest, type RunOperation, restBody } from "./rest/serve.ts";
import { createZoneFiles, type ZoneFiles } from "./rest/zone-files.ts";
import { mayTransfer, noteTransfer, noteTsigError } from "./secondary/transfer-access.ts";
import { type Actor, system } from "./session/authorization.ts";
import type { Policy } from "./session/policy.ts";
import type { Door, Session } from "./session/session.ts";
import { exportZone } from "./zone/master-file/export.ts";
import { importZone } from "./zone/master-file/import.ts";

/** A service that runs: its address, the administrator key of a first start, and how to stop it. */
export interface Service {
  readonly url: string;
  readonly dns: { readonly address: string; readonly port: number };
  readonly firstKey: string | undefined;
  stop(): Promise<void>;
}

/** Starts the service; throws one line that names the cure when it cannot. `onFailure` hears of what ends it later; `logTo` gets the log. */
export async function start(
  config: Config,
  onFailure: (reason: string) => void = () => {},
  logTo: DestinationStream = destination(1),
): Promise<Service> {
  const log = pino({ level: config.LOG_LEVEL, mixin: requestOfLog }, logTo);
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (let next = undo.pop(); next; next = undo.pop()) await next();
  };
  try {
    const orm = await openStore(config, log, undo, onFailure);
    let policy = policyOf(config);
    const session = (actor: Actor, door: Door): Session => ({
      em: orm.em.fork(),
      actor,
      door,
      policy,
      ttlChoices: door === "rest" ? policy.ttlChoices : undefined,
      now: () => new Date(),
    });
    const firstKey = await firstAdministratorKey(session(system, "system"), config);
    const actorOfKey = (key: string) => authenticate(orm.em.fork(), key, new Date());
    const stopping = new AbortController();
    const server = createHttp<Actor>({
      config,
      log,
      authenticate: actorOfKey,
      keyName: (actor) => actor.name,
      ready: () => readiness(orm),
      fronts: await createFronts(config, log, session, callers(actorOfKey, stopping.signal), undo),
    });
    const asSystem = () => session(system, "system");
    const dns = await startDns(config, orm, accessOf(asSystem, log), updatesOf(config, session, log), log, undo);
    policy = { ...policy, primary: { ...policy.primary, port: dns.port } };
    publish(orm, asSystem, log, undo);
    undo.push(() => closeHttp(server));
    undo.push(async () => stopping.abort());
    const url = await listen(server, config);
    log.info({ url }, "listening");
    return { url, dns, firstKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Opens the database, the embedded one unless DATABASE_URL names another, with its tables up to date. */
async function openStore(
  config: Config,
  log: Logger,
  undo: (() => Promise<unknown>)[],
  onFailure: (reason: string) => void,
): Promise<MikroORM> {
  const postgres = config.DATABASE_URL ? undefined : await startPostgres(config, log, onFailure);
  if (postgres) undo.push(() => postgres.stop());
  const orm = await openDatabase({ url: postgres?.url ?? config.DATABASE_URL, connections: config.DATABASE_POOL });
  undo.push(() => orm.close(true));
  await migrate(orm);
  return orm;
}

/** Starts the name server on connections of its own: a few for queries, and one for each transfer. */
async function startDns(
  config: Config,
  orm: MikroORM,
  hooks: NameserverHooks,
  updates: UpdateHandler,
  log: Logger,
  undo: (() => Promise<unknown>)[],
): Promise<Nameserver> {
  const pool = openReaders({ url: orm.config.get("clientUrl") as string, connections: config.DNS_TRANSFERS + 8 });
  undo.push(() => pool.end());
  const nameserver = await startNameserver({
    address: config.DNS_LISTEN,
    port: config.DNS_PORT,
    pool,
    hooks,
    log,
    connections: config.DNS_CONNECTIONS,
    transfers: config.DNS_TRANSFERS,
    idle: config.DNS_IDLE_SECONDS,
    slowReader: config.DNS_SLOW_READER_SECONDS,
    weakTsig: config.TSIG_WEAK_ALGORITHMS === "yes",
    update: (exchange) => updates.answer(exchange),
  });
  undo.push(() => nameserver.stop());
  log.info({ address: nameserver.address, port: nameserver.port }, "answering DNS");
  return nameserver;
}

/** Dynamic updates, of which so many run at once that two thirds of the connections are left to the other fronts. */
function updatesOf(config: Config, session: (actor: Actor, door: Door) => Session, log: Logger): UpdateHandler {
  const maxConcurrent = Math.max(1, Math.floor(config.DATABASE_POOL / 3));
  return new UpdateHandler({ session: () => session(system, "update"), log, maxConcurrent });
}

/** What the name server asks of the zone room: keys, who may transfer, and where transfers are noted. */
function accessOf(session: () => Session, log: Logger): NameserverHooks {
  const noted = (note: Promise<void>) =>
    void note.catch((error) => log.warn({ err: error }, "a transfer is not noted"));
  return {
    tsigKey: (name) => tsigSecret(session(), { name }),
    mayTransfer: (zone, address, keyName) => mayTransfer(session(), zone, { address, keyName }),
    onTransfer: ({ address, key: keyName, octets: bytes, ...transfer }) =>
      noted(noteTransfer(session(), { address, keyName }, { ...transfer, bytes })),
    onTsigFailure: ({ address, key: keyName, reason }) => noted(noteTsigError(session(), { address, keyName }, reason)),
  };
}

/** Starts the publisher, and nudges it at every commit of this process; those of others it finds by itself. */
function publish(orm: MikroORM, session: () => Session, log: Logger, undo: (() => Promise<unknown>)[]): void {
  const publisher = startPublisher({ databaseUrl: orm.config.get("clientUrl") as string, session, log });
  orm.em.getEventManager().registerSubscriber({ afterTransactionCommit: async () => publisher.nudge() });
  undo.push(() => publisher.stop());
}

async function startPostgres(
  config: Config,
  log: Logger,
  onFailure: (reason: string) => void,
): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres(config.DATA_DIR, { log: (line) => log.info(line) });
  postgres.onExit((lastLines) => onFailure(`The embedded PostgreSQL stopped by itself: ${lastLines}`));
  return postgres;
}

/** Makes the administrator's first key, or takes ADMIN_API_KEY; undefined when there was one already. */
async function firstAdministratorKey(session: Session, config: Config): Promise<string | undefined> {
  if (await hasAdministratorKey(session.em)) return undefined;
  const grant = { name: "administrator" };
  if (config.ADMIN_API_KEY === "") return (await createApiKey(session, grant)).key;
  await storeKey(session, grant, config.ADMIN_API_KEY);
  return config.ADMIN_API_KEY;
}

async function createFronts(
  config: Config,
  log: Logger,
  session: (actor: Actor, door: Door) => Session,
  callerOf: (response: Response) => Caller,
  undo: (() => Promise<unknown>)[],
): Promise<Front[]> {
  const schema = await createSchema();
  const apollo = createServer(schema, log);
  await apollo.start();
  undo.push(() => apollo.stop());
  const actorOf = (response: Response) => response.locals.actor as Actor;
  const prepared = (operation: string): RunOperation => {
    const run = prepare(schema, operation, log);
    return (variables, response) => run(variables, session(actorOf(response), "rest"), callerOf(response));
  };
  const rest = createRest(prepared);
  const restMedia = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"] as const;
  const contextOf = (response: Response) => new Context(session(actorOf(response), "graphql"), callerOf(response));
  const graphql = expressMiddleware(apollo, { context: async ({ res }) => contextOf(res) });
  const render = (refusal: Refusal) => ({ errors: [rendered(refusal)] });
  const zoneFiles = createZoneFiles(
    zoneFilesOf((response) => session(actorOf(response), "rest")),
    config.IMPORT_MEGABYTES * 1e6,
    prepared,
  );
  return [
    { path: "/api/domain/zonefile", media: [], handler: zoneFiles, render: restBody },
    {
      path: "/graphql/stream",
      media: ["application/json"],
      handler: createStream(schema, contextOf, log),
      render,
    },
    { path: "/graphql", media: ["application/json"], handler: graphql, render },
    { path: "/api", media: restMedia, handler: rest, render: restBody },
  ];
}

/** Who is behind a response: gone when it is closed or the service stops; a key is confirmed by asking for it again. */
function callers(actorOfKey: (key: string) => Promise<Actor>, stopping: AbortSignal): (response: Response) => Caller {
  const goneOf = (response: Response) => {
    const closed = new AbortController();
    if (response.closed) closed.abort();
    else response.once("close", () => closed.abort());
    return AbortSignal.any([closed.signal, stopping]);
  };
  return (response) => ({
    get gone(): AbortSignal {
      response.locals.gone ??= goneOf(response);
      return response.locals.gone;
    },
    confirm: () => actorOfKey(response.req.get("x-api-key") ?? ""),
  });
}

/** Master files by stream, for the session of a response. */
function zoneFilesOf(session: (response: Response) => Session): ZoneFiles {
  return {
    read: (zone, response) => exportZone(session(response), zone),
    write: ({ userId, ...request }, response) =>
      importZone(session(response), { ...request, userId: readOptionalId(userId, "user_id") }),
  };
}

async function readiness(orm: MikroORM): Promise<string | undefined> {
  try {
    return (await isMigrated(orm)) ? undefined : "a migration is missing";
  } catch {
    return "the database cannot be reached";
  }
}

function policyOf(config: Config): Policy {
  return {
    nameServers: config.NAME_SERVERS,
    hostmaster: config.HOSTMASTER,
    soaTimers: {
      refresh: config.SOA_REFRESH,
      retry: config.SOA_RETRY,
      expire: config.SOA_EXPIRE,
      minimum: config.SOA_MINIMUM,
    },
    ttlChoices: config.TTL_CHOICES,
    ttlMin: config.TTL_MIN,
    ttlMax: config.TTL_MAX,
    topLevelZones: config.TOP_LEVEL_ZONES === "yes",
    ownerLimits: { records: config.RRSET_RECORDS, types: config.OWNER_TYPES },
    secretKey: config.SECRET_KEY,
    catalogZone: config.CATALOG_ZONE,
    primary: { address: config.DNS_LISTEN, port: config.DNS_PORT },
    publicationLateSeconds: config.PUBLICATION_LATE_SECONDS,
    weakTsigAlgorithms: config.TSIG_WEAK_ALGORITHMS === "yes",
  };
}

/** Issues a new administrator's key, for an operator who lost theirs; the database is opened for it. */
export async function recoverKey(config: Config, name: string): Promise<string> {
  if (!name.trim() || name.length > 100)
    throw new Refusal("INVALID_VALUE", "name: write what the key is for, 1 to 100 characters.");
  const undo: (() => Promise<unknown>)[] = [];
  try {
    const running = config.DATABASE_URL === "" ? runningPostgres(config.DATA_DIR) : undefined;
    const reached = running === undefined ? config : { ...config, DATABASE_URL: running };
    const orm = await openStore(reached, pino({ level: "silent" }), undo, () => {});
    const session: Session = {
      em: orm.em.fork(),
      actor: system,
      door: "system",
      policy: policyOf(config),
      now: () => new Date(),
    };
    return (await createApiKey(session, { name })).key;
  } finally {
    for (const each of undo.toReversed()) await each();
  }
}
