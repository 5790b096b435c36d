/**
 * Starts the service from its configuration and stops it again: opens its parts in their order, each with what it needs of the others.
 */
import { type DestinationStream, destination, pino } from "pino";
import { authenticate } from "./account/api-key.ts";
import type { Config } from "./config.ts";
import { closeHttp, listen } from "./http/listen.ts";
import { maskKeys } from "./http/mask-keys.ts";
import { createHttp, requestOfLog } from "./http/server.ts";
import { startPublisher } from "./publisher/publisher.ts";
import { expectFreeCatalogName } from "./secondary/catalog-zone.ts";
import { createFirstKey } from "./service/administrator-key.ts";
import { startDnsFront } from "./service/dns-front.ts";
import { createHttpFronts } from "./service/http-fronts.ts";
import { Readiness } from "./service/readiness.ts";
import { Sessions } from "./service/session-factory.ts";
import { Shutdown } from "./service/shutdown.ts";
import { startDatabase, urlOf } from "./service/start-database.ts";
import type { Actor } from "./session/authorization.ts";

/** A running service: its address, the administrator key of a first start, and how to stop it. */
export interface Service {
  readonly url: string;
  readonly dns: { readonly address: string; readonly port: number };
  readonly firstKey: string | undefined;
  /** Stops it within 10 s. */
  stop(): Promise<void>;
}

/**
 * Starts the service; throws one line that says what to do when it cannot, and leaves nothing running. `onFailure` is called when the
 * embedded database ends by itself and cannot be started again; the log goes to `logTo`.
 */
export async function start(
  config: Config,
  onFailure: (reason: string) => void = () => {},
  logTo: DestinationStream = destination(1),
): Promise<Service> {
  const hooks = { streamWrite: (line: string) => maskKeys(line) };
  const log = pino({ level: config.LOG_LEVEL, mixin: requestOfLog, hooks }, logTo);
  await using starting = new AsyncDisposableStack();
  const shutdown = new Shutdown();
  const { supervisor } = shutdown;
  const orm = await startDatabase({ config, log, resources: starting, shutdown, onFailure });
  const sessions = new Sessions(orm, config);
  await expectFreeCatalogName(sessions.asSystem(), config.CATALOG_ZONE);
  const firstKey = await createFirstKey(sessions.asSystem(), config);

  const actorOfKey = (key: string) => authenticate(orm.em.fork(), key, new Date());
  const deps = { config, log, sessions, actorOfKey, stopping: shutdown.signal, resources: starting };
  const readiness = new Readiness(orm, supervisor);
  const server = createHttp<Actor>({
    config,
    log,
    authenticate: actorOfKey,
    keyName: (actor) => actor.name,
    whyNotReady: () => readiness.whyNot(),
    fronts: await createHttpFronts(deps),
  });

  const dns = await startDnsFront({ config, log, orm, sessions, supervisor, resources: starting });
  sessions.setPrimaryPort(dns.port);

  const publisher = startPublisher({ databaseUrl: urlOf(orm), supervisor, session: () => sessions.asSystem(), log });
  starting.defer(() => publisher.stop());
  // What this process commits is published at once; commits of other processes are found by polling.
  orm.em.getEventManager().registerSubscriber({ afterTransactionCommit: async () => publisher.nudge() });

  starting.defer(() => closeHttp(server));
  const url = await listen(server, config);
  log.info({ url }, "listening");
  const running = starting.move();
  return { url, dns, firstKey, stop: () => shutdown.run(running) };
}
