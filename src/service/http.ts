/** HTTP in the running service: its fronts, who is asking, whether it is ready, and where it listens. */
import { authenticate } from "../account/authentication.ts";
import type { Credential } from "../http/credential.ts";
import { HttpListener } from "../http/listen.ts";
import { createHttp } from "../http/server.ts";
import { type Actor, flowOf } from "../session/authorization.ts";
import type { Common } from "./common.ts";
import { createHttpFronts } from "./http-fronts.ts";
import { hasMetrics, metricsHandler } from "./metrics.ts";
import { requestObserver } from "./observation.ts";
import { Readiness } from "./readiness.ts";
import type { ServiceDatabase } from "./service-database.ts";
import type { Sessions } from "./sessions.ts";

export interface HttpPart {
  readonly hasConsole: boolean;
  /** Listens, and returns the URL for clients on this machine; throws a sentence that says what to do when it cannot. */
  listen(): Promise<string>;
  /** Says from now on that the service is ready, as far as its database is. */
  setReady(): void;
}

/** Makes the HTTP server, which does not listen yet. */
export async function prepareHttp(
  common: Common,
  { orm, pipelines, versions }: ServiceDatabase,
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
  const readiness = new Readiness(orm, shutdown.supervisor, versions);
  const server = createHttp<Actor>({
    config,
    log,
    authenticate: authenticated,
    keyName: (actor) => actor.name,
    flowOf,
    whyNotReady: () => readiness.whyNot(),
    observers: [...(hasMetrics(config) ? [requestObserver(metrics)] : []), fronts.audit],
    serveMetrics: metricsHandler(config, metrics),
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
