/**
 * Where metrics are scraped: at a port of their own, at the port of HTTP with a key, both, or nowhere.
 */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { MikroORM } from "@mikro-orm/postgresql";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { listenFailure } from "../listen-failure.ts";
import { urlHost } from "../listening-address.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { serveMetrics } from "../metrics/serve.ts";
import { openReaders } from "./database.ts";
import { type Observed, observe } from "./observation.ts";
import { urlOf } from "./start-database.ts";

/** Dependencies of the metrics; `resources` stops what is started. */
export interface MetricsDeps {
  readonly config: Config;
  readonly log: Logger;
  readonly orm: MikroORM;
  readonly metrics: Metrics;
  readonly observed: Omit<Observed, "database">;
  readonly resources: AsyncDisposableStack;
}

/** Whether anybody may scrape. */
export const hasMetrics = ({ METRICS_PORT: port, METRICS_KEY: key }: Config) => port !== undefined || key !== "";

/** The handler of /metrics at the port of HTTP; undefined without a key, since everybody who uses the API reaches it. */
export function metricsHandler({ METRICS_KEY: key }: Config, metrics: Metrics): RequestListener | undefined {
  return key === "" ? undefined : serveMetrics(metrics, key);
}

/** Has metrics observe the service, and serves them at METRICS_PORT; returns the URL, undefined where that is not set. */
export async function startMetrics(deps: MetricsDeps): Promise<string | undefined> {
  const { config, orm, metrics, observed, resources } = deps;
  if (!hasMetrics(config)) return undefined;
  // A connection of its own: what the metrics say of the others must not wait behind them.
  const database = openReaders({ url: urlOf(orm), connections: 1, supervisor: observed.supervisor });
  resources.defer(() => database.end());
  observe(metrics, { ...observed, database });
  metrics.addProcess();
  return config.METRICS_PORT === undefined ? undefined : serveAtPort(deps, config.METRICS_PORT);
}

async function serveAtPort({ config, metrics, log, resources }: MetricsDeps, port: number): Promise<string> {
  const { METRICS_LISTEN: host } = config;
  const serve = serveMetrics(metrics, config.METRICS_KEY);
  const server = createServer((request, response) => {
    if (/^\/metrics\/?(\?|$)/.test(request.url ?? ""))
      return void serve(request, response).catch(() => response.destroy());
    response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8" }).end("Metrics are at /metrics.\n");
  });
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const names = { protocol: "HTTP of metrics", port: "METRICS_PORT", address: "METRICS_LISTEN" };
    throw new Error(listenFailure((error as NodeJS.ErrnoException).code, port, host, names));
  }
  // A scrape is worth no wait when the service stops.
  resources.defer(() => void server.close().closeAllConnections());
  const { address, port: bound } = server.address() as AddressInfo;
  const url = `http://${urlHost(address)}:${bound}/metrics`;
  log.info({ url }, "serving metrics");
  return url;
}
