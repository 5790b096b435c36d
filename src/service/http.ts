/** HTTP in the running service: its fronts, authentication, readiness, and listening. */
import { setTimeout as sleep } from "node:timers/promises";
import type { MikroORM } from "@mikro-orm/postgresql";
import { authenticate } from "../account/authentication.ts";
import type { ConnectionSupervisor } from "../database/connection-supervisor.ts";
import { databaseFailureOf, failureOfCode } from "../database/sqlstate.ts";
import type { Credential } from "../http/credential.ts";
import { HttpListener } from "../http/listen.ts";
import { RequestCounts } from "../http/rate-limit.ts";
import { createHttp, type NotReady } from "../http/server.ts";
import { shareCounts } from "../instance/request-count.ts";
import { serveMetrics } from "../metrics/serve.ts";
import { type Actor, flowOf } from "../session/authorization.ts";
import type { Common } from "./common.ts";
import { isMigrated } from "./database/migrate.ts";
import { isReadOnly, proveSpace } from "./database/open-database.ts";
import { createHttpFronts } from "./http-fronts.ts";
import { hasMetrics } from "./metrics.ts";
import { requestObserver } from "./metrics-wiring.ts";
import type { ServiceDatabase } from "./service-database.ts";
import type { Sessions } from "./sessions.ts";

interface HttpPart {
  readonly hasConsole: boolean;
  /** Listens, and returns the URL for clients on this machine; throws a sentence that says what to do when it cannot listen. */
  listen(): Promise<string>;
  /** From this call on, the service is reported as ready whenever its database is. */
  setReady(): void;
}

/** Creates the HTTP server, which does not listen yet. */
export async function prepareHttp(
  common: Common,
  { orm, pipelines, mayGoOn }: ServiceDatabase,
  sessions: Sessions,
): Promise<HttpPart> {
  const { config, log, metrics, certificates, shutdown, resources } = common;
  const em = orm.em.fork();
  const authenticated = (credential: Credential) => authenticate(em, credential, new Date());
  const fronts = await createHttpFronts({
    ...{ config, log, sessions, pipelines, resources },
    authenticate: authenticated,
    stopping: shutdown.signal,
  });
  const counts = new RequestCounts();
  const sharing = shareCounts(counts, sessions.asSystem, log);
  resources.defer(() => sharing.stop());
  const readiness = new Readiness(orm, shutdown.supervisor, mayGoOn);
  const server = createHttp<Actor>({
    config,
    counts,
    log,
    authenticate: authenticated,
    keyName: (actor) => actor.name,
    flowOf,
    whyNotReady: () => readiness.whyNot(),
    observers: [...(hasMetrics(config) ? [requestObserver(metrics)] : []), fronts.audit],
    // Every client of the API reaches this port, so metrics need a key here.
    serveMetrics: config.METRICS_KEY === "" ? undefined : serveMetrics(metrics, config.METRICS_KEY),
    certificate: certificates.http,
    ...fronts,
  });
  return {
    hasConsole: fronts.pages !== undefined,
    listen: () => {
      const listener = new HttpListener(server, certificates.http);
      resources.defer(() => listener.close());
      return listener.listen(config);
    },
    setReady: () => {
      readiness.isStarted = true;
    },
  };
}

const timeoutMs = 3000;

const unreachable = failureOfCode("08006") as NotReady;

class Readiness {
  readonly #orm: MikroORM;
  readonly #supervisor: ConnectionSupervisor;
  readonly #mayGoOn: () => Promise<boolean>;
  /** The check in progress. There is one at a time, since on a database that hangs each would hold a connection. */
  #check: Promise<NotReady | undefined> | undefined;
  /** Whether the start is complete. HTTP listens earlier: before the first key is stored. */
  isStarted = false;

  constructor(orm: MikroORM, supervisor: ConnectionSupervisor, mayGoOn: () => Promise<boolean>) {
    this.#orm = orm;
    this.#supervisor = supervisor;
    this.#mayGoOn = mayGoOn;
  }

  async whyNot(): Promise<NotReady | undefined> {
    if (!this.isStarted) return { reason: "the service is starting", retryAfter: 1 };
    this.#check ??= this.#run().finally(() => {
      this.#check = undefined;
    });
    const over = new AbortController();
    const timeout = sleep(timeoutMs, unreachable, { signal: over.signal }).catch(() => undefined);
    const result = await Promise.race([this.#check, timeout]);
    over.abort();
    return result;
  }

  async #run(): Promise<NotReady | undefined> {
    try {
      if (await isReadOnly(this.#orm)) return failureOfCode("25006");
      if (!(await isMigrated(this.#orm))) return { reason: "a migration is missing", retryAfter: 5 };
      if (!(await this.#mayGoOn())) return { reason: "the database is that of a later version", retryAfter: 5 };
      if (this.#supervisor.isDiskFull) {
        await proveSpace(this.#orm);
        this.#supervisor.isDiskFull = false;
      }
      return undefined;
    } catch (error) {
      return databaseFailureOf(error) ?? unreachable;
    }
  }
}
