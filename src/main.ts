/** The running service: its parts in the order in which they start. They end in the opposite order. */
import type { Config } from "./config/config.ts";
import { announceStart } from "./service/announcement.ts";
import { openCommon, type StartOptions } from "./service/common.ts";
import { startDns } from "./service/dns.ts";
import { prepareHttp } from "./service/http.ts";
import { startMetrics } from "./service/metrics.ts";
import { observeHiddenFailures } from "./service/metrics-wiring.ts";
import { startPublishing } from "./service/publishing.ts";
import { openServiceDatabase } from "./service/service-database.ts";
import { openSessions } from "./service/sessions.ts";
import { startTracing } from "./service/tracing.ts";

/** A running service: its addresses, and how to stop it. */
export interface Service {
  readonly url: string;
  readonly dns: { readonly address: string; readonly port: number; readonly tlsPort: number | undefined };
  /** Where metrics are served at a port of their own; undefined where they are not. */
  readonly metricsUrl: string | undefined;
  /** Stops it within 10 s. */
  stop(): Promise<void>;
}

/** Starts the service; throws one line that says what to do when it cannot, and leaves nothing running. */
export async function start(config: Config, options: StartOptions = {}): Promise<Service> {
  await using resources = new AsyncDisposableStack();
  const common = await openCommon(config, options, resources);
  const database = await openServiceDatabase(common, options);
  await startTracing(common);
  observeHiddenFailures(common);
  const sessions = await openSessions(common, database);
  const http = await prepareHttp(common, database, sessions);
  const dns = await startDns(common, database, sessions);
  const publisher = startPublishing(common, database, sessions, () => dns.noteCommit());
  const observed = { answers: dns.counts, secondaries: () => publisher.states() };
  const metricsUrl = await startMetrics(common, database, observed);
  const url = await http.listen();
  const started = { url, dns: { address: dns.address, port: dns.port }, hasConsole: http.hasConsole };
  if (options.worker) await options.worker.announce(started);
  else await announceStart(common, sessions, started, options.terminal);
  http.setReady();
  const { log, shutdown } = common;
  const running = resources.move();
  const stop = async () => {
    log.info("stopping");
    await shutdown.run(running);
    log.info("stopped");
  };
  return { url, dns, metricsUrl, stop };
}
