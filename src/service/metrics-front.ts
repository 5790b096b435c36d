/**
 * Where metrics are scraped: at a port of their own, at the port of HTTP with a key, both, or nowhere.
 */
import { createServer, type RequestListener } from "node:http";
import type { MikroORM } from "@mikro-orm/postgresql";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { HttpListener } from "../http/listen.ts";
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
  const serve = serveMetrics(metrics, config.METRICS_KEY);
  const server = createServer((request, response) => {
    if (/^\/metrics\/?(\?|$)/.test(request.url ?? "")) return void serve(request, response);
    response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8" }).end("Metrics are at /metrics.\n");
  });
  const listener = new HttpListener(server);
  resources.defer(() => listener.close());
  const names = { protocol: "HTTP of metrics", port: "METRICS_PORT", address: "METRICS_LISTEN" };
  const url = `${await listener.listen(config.METRICS_LISTEN, port, names)}/metrics`;
  log.info({ url }, "serving metrics");
  return url;
}
