/** Serves the metrics: at a port of their own, at the port of HTTP with a key, at both, or nowhere. */
import { createServer } from "node:http";
import type { Config } from "../config/config.ts";
import { serveMetrics } from "../metrics/serve.ts";
import { listen } from "../net/listen-failure.ts";
import { urlHost } from "../net/listening-address.ts";
import { certificateEnds } from "./certificates.ts";
import type { Common } from "./common.ts";
import { openReaders } from "./database/open-database.ts";
import { urlOf } from "./database/start-database.ts";
import { type Observed, observe } from "./metrics-wiring.ts";
import type { ServiceDatabase } from "./service-database.ts";

export const hasMetrics = ({ METRICS_PORT: port, METRICS_KEY: key }: Config) => port !== undefined || key !== "";

/** Connects the metrics with the service, and serves them at METRICS_PORT. Returns the URL; undefined when METRICS_PORT is not set. */
export async function startMetrics(
  common: Common,
  { orm }: ServiceDatabase,
  observed: Pick<Observed, "answers" | "secondaries">,
): Promise<string | undefined> {
  const { config, metrics, certificates, shutdown, resources } = common;
  if (!hasMetrics(config)) return undefined;
  const { supervisor } = shutdown;
  // A connection of its own: metrics about the other connections must not wait for them.
  const database = openReaders({ url: urlOf(orm), connections: 1, supervisor });
  resources.defer(() => database.end());
  observe(metrics, { ...observed, supervisor, database, certificates: () => certificateEnds(certificates) });
  metrics.addProcess();
  return config.METRICS_PORT === undefined ? undefined : serveAtPort(common, config.METRICS_PORT);
}

async function serveAtPort({ config, metrics, log, resources }: Common, port: number): Promise<string> {
  const { METRICS_LISTEN: host } = config;
  const serve = serveMetrics(metrics, config.METRICS_KEY);
  const server = createServer((request, response) => {
    if (/^\/metrics\/?(\?|$)/.test(request.url ?? ""))
      return void serve(request, response).catch(() => response.destroy());
    response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8" }).end("Metrics are at /metrics.\n");
  });
  const names = { protocol: "HTTP of metrics", port: "METRICS_PORT", address: "METRICS_LISTEN" };
  const { address, port: bound } = await listen(server, port, host, names);
  // A scrape does not delay the end of the service.
  resources.defer(() => void server.close().closeAllConnections());
  const url = `http://${urlHost(address)}:${bound}/metrics`;
  log.info({ url }, "serving metrics");
  return url;
}
