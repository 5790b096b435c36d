/**
 * Starts the service from its configuration and stops it again: opens its parts in their order, each with what it needs of the others.
 */
import { type DestinationStream, type Logger, pino } from "pino";
import { authenticate, type Credential } from "./account/authentication.ts";
import type { Config } from "./config.ts";
import { HttpListener } from "./http/listen.ts";
import { maskKeys } from "./http/mask-keys.ts";
import { requestOfLog } from "./http/request-state.ts";
import { createHttp } from "./http/server.ts";
import { Presence } from "./instance/presence.ts";
import { Metrics } from "./metrics/metrics.ts";
import { startPublisher } from "./publisher/publisher.ts";
import { expectFreeCatalogName } from "./secondary/catalog-zone.ts";
import { createFirstKey, type FirstKey } from "./service/administrator-key.ts";
import { auditJob } from "./service/audit-front.ts";
import { certificateEnds, openCertificates } from "./service/certificates.ts";
import { changeSetJobs } from "./service/change-set-jobs.ts";
import { announce, withdraw } from "./service/discovery-file.ts";
import { startDnsFront } from "./service/dns-front.ts";
import { createHttpFronts } from "./service/http-fronts.ts";
import { openLogOutput } from "./service/log-output.ts";
import { hasMetrics, metricsHandler, startMetrics } from "./service/metrics-front.ts";
import { observeHiddenFailures, requestObserver } from "./service/observation.ts";
import { startPipelines } from "./service/pipelines.ts";
import { Readiness } from "./service/readiness.ts";
import { Sessions } from "./service/session-factory.ts";
import { Shutdown } from "./service/shutdown.ts";
import { startDatabase, urlOf } from "./service/start-database.ts";
import { startTracing } from "./service/tracing.ts";
import { VersionWatch } from "./service/version-watch.ts";
import { webhookJobs } from "./service/webhook-jobs.ts";
import { welcome } from "./service/welcome.ts";
import { type Actor, flowOf } from "./session/authorization.ts";
import { zoneWarnings } from "./zone/example-names.ts";
import { meterUsers } from "./zone/quota/metering.ts";

/** A running service: its addresses, and how to stop it. */
export interface Service {
  readonly url: string;
  readonly dns: { readonly address: string; readonly port: number; readonly tlsPort: number | undefined };
  /** Where metrics are served at a port of their own; undefined where they are not. */
  readonly metricsUrl: string | undefined;
  /** Stops it within 10 s. */
  stop(): Promise<void>;
}

/** How a service is started. */
export interface StartOptions {
  /** Called when it cannot go on: the embedded database ended by itself, or a later version has migrated the database. */
  readonly onFailure?: (reason: string) => void;
  /** Where the log goes; standard output by default. */
  readonly logTo?: DestinationStream;
  /** Writes what only a person at a terminal should see; left out where there is no terminal. */
  readonly terminal?: (text: string) => void;
  /** Whether a database that is not there is created. */
  readonly mayCreate?: boolean;
}

/** Starts the service; throws one line that says what to do when it cannot, and leaves nothing running. */
export async function start(config: Config, options: StartOptions = {}): Promise<Service> {
  const { onFailure = () => {}, terminal, mayCreate = true } = options;
  await using starting = new AsyncDisposableStack();
  const logTo = options.logTo ?? openLogOutput(starting);
  const hooks = { streamWrite: (line: string) => maskKeys(line) };
  const log = pino({ level: config.LOG_LEVEL, mixin: requestOfLog, hooks }, logTo);
  const shutdown = new Shutdown();
  const { supervisor } = shutdown;
  const certificates = await openCertificates(config, log, starting);
  const orm = await startDatabase({ config, log, resources: starting, shutdown, onFailure, mayCreate });
  await startTracing(config, log, starting);
  const metrics = new Metrics();
  observeHiddenFailures(metrics, log, starting);
  const onChange = ({ source, kind }: { source: string; kind: string }) =>
    metrics.count("zonesmith_changes_total", { source, kind });
  const sessions = new Sessions(orm, config, { onChange, log });
  starting.defer(() => sessions.refusals.flush());
  await expectFreeCatalogName(sessions.asSystem(), config.CATALOG_ZONE);
  await meterUsers(sessions.asSystem());

  const em = orm.em.fork();
  const authenticated = (credential: Credential) => authenticate(em, credential, new Date());
  const pipelines = await startPipelines({ config, orm, supervisor, resources: starting });
  sessions.setPipelines(pipelines);
  const fronts = await createHttpFronts({
    config,
    log,
    sessions,
    authenticate: authenticated,
    pipelines,
    stopping: shutdown.signal,
    resources: starting,
  });
  const versions = new VersionWatch({ orm, log, onFailure });
  const readiness = new Readiness(orm, supervisor, versions);
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

  const { dns: certificate } = certificates;
  const dns = await startDnsFront({
    config,
    log,
    orm,
    sessions,
    supervisor,
    certificate,
    metrics,
    resources: starting,
  });

  const jobs = [...changeSetJobs(config, log), auditJob(config), ...webhookJobs(log, metrics)];
  const session = () => sessions.asSystem();
  const presence = new Presence({ session, log, mayGoOn: () => versions.look() });
  starting.defer(() => presence.stop());
  const onLeading = (term: number | null) => presence.lead(term);
  const publisher = startPublisher({ databaseUrl: urlOf(orm), supervisor, session, log, jobs, onLeading });
  starting.defer(() => publisher.stop());
  // What this process commits is answered and published at once; commits of other processes are found by polling.
  orm.em.getEventManager().registerSubscriber({
    afterTransactionCommit: async () => {
      dns.noteCommit();
      publisher.nudge();
    },
  });

  const observed = {
    supervisor,
    answers: dns.counts,
    secondaries: () => publisher.states(),
    certificates: () => certificateEnds(certificates),
  };
  const metricsUrl = await startMetrics({ config, log, orm, metrics, observed, resources: starting });
  const listener = new HttpListener(server, certificates.http);
  starting.defer(() => listener.close());
  const url = await listener.listen(config);
  const consoleUrl = fronts.pages && `${url}/console/`;
  const text = (key: string | undefined) => welcome({ url, dns, consoleUrl }, key);
  const firstKey = await createFirstKey(sessions.asSystem(), config, { text, terminal });
  readiness.isStarted = true;
  log.info(
    { url, ...(consoleUrl && { console: consoleUrl }), dns: `${dns.address} port ${dns.port}` },
    "Zonesmith answers",
  );
  logFirstKey(log, firstKey);
  starting.defer(() => withdraw(config.DATA_DIR));
  announce(config, url, log);
  // All zones are looked at, and the service serves meanwhile.
  void logZoneWarnings(sessions, log, shutdown.signal);
  const running = starting.move();
  const stop = async () => {
    log.info("stopping");
    await shutdown.run(running);
    log.info("stopped");
  };
  return { url, dns, metricsUrl, stop };
}

/** Says what cannot stay of the settings of zones; an error is said too, unless it is that of a service which stops. */
async function logZoneWarnings(sessions: Sessions, log: Logger, stopping: AbortSignal): Promise<void> {
  try {
    for (const warning of await zoneWarnings(sessions.asSystem())) log.warn(warning);
  } catch (error) {
    if (!stopping.aborted) log.warn({ err: error }, "could not look for zones with the example's names");
  }
}

/** Says where the administrator key is, when nobody has used it yet. */
function logFirstKey(log: Logger, firstKey: FirstKey): void {
  const recover = "zonesmith keys recover, with the settings of the service, issues a new one";
  if (firstKey.kind === "created" && firstKey.file !== undefined)
    log.info(
      { file: firstKey.file },
      "the administrator key of this first start is in a file, with commands to paste; keep it: the first start after its use removes the file",
    );
  if (firstKey.kind === "unused")
    log.warn(
      firstKey.file === undefined ? {} : { file: firstKey.file },
      firstKey.file === undefined
        ? `no administrator key was used yet; if it is lost: ${recover}`
        : `no administrator key was used yet; it is in a file; if it is lost: ${recover}`,
    );
  if (firstKey.kind === "none")
    log.warn(
      `there is no administrator key, as there is no place to show it: ${recover}; or set ADMIN_API_KEY or DATA_DIR`,
    );
}
