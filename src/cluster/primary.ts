/**
 * The primary process of WORKERS=n (node:cluster). It starts the database, migrates, announces, and keeps n workers, which share the ports
 * of HTTP and DNS. It answers no request itself, but passes connections on.
 */
import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { MetricsOfProcess } from "../metrics/metrics.ts";
import { announceStart } from "../service/announcement.ts";
import { openCommon, type Started, type StartOptions } from "../service/common.ts";
import { startDatabase, urlOf } from "../service/database/start-database.ts";
import { Sessions } from "../service/sessions.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

/** The pause before a worker that ended is replaced, ms; it doubles with each that ends within a minute of its start. */
const firstPauseMs = 250;
const longestPauseMs = 30_000;
const steadyMs = 60_000;

/** How long workers may take to stop, and to answer a scrape, ms. */
const stopMs = 7000;
const collectMs = 2000;

export async function startPrimary(config: Config, options: StartOptions): Promise<{ stop(): Promise<void> }> {
  await using resources = new AsyncDisposableStack();
  const common = await openCommon(config, options, resources);
  const { log, shutdown, onFailure } = common;
  const { mayCreate = true } = options;
  const orm = await startDatabase({ config, log, resources, shutdown, onFailure, mayCreate });
  const workers = new Workers(config, urlOf(orm), log, onFailure);
  resources.defer(() => workers.stop());
  const started = await workers.start();
  await announceStart(common, new Sessions(orm, config, { log }), started, options.terminal);
  workers.setReady();
  const running = resources.move();
  const stop = async () => {
    log.info("stopping");
    await shutdown.run(running);
    log.info("stopped");
  };
  return { stop };
}

class Workers {
  readonly #config: Config;
  readonly #databaseUrl: string;
  readonly #log: Logger;
  readonly #onFailure: (reason: string) => void;
  readonly #stopped = new AbortController();
  readonly #live = new Set<Worker>();
  #isReady = false;
  #pauseMs = firstPauseMs;

  constructor(config: Config, databaseUrl: string, log: Logger, onFailure: (reason: string) => void) {
    this.#config = config;
    this.#databaseUrl = databaseUrl;
    this.#log = log;
    this.#onFailure = onFailure;
  }

  /** Starts the first worker, then the others; throws the sentence of one that cannot start. */
  async start(): Promise<Started> {
    const started = await this.#fork();
    await Promise.all(Array.from({ length: this.#config.WORKERS - 1 }, () => this.#fork()));
    return started;
  }

  /** The service is announced: workers are reported as ready, and one that ends is replaced. */
  setReady(): void {
    this.#isReady = true;
    for (const worker of this.#live) notify(worker, { kind: "ready" });
  }

  /** Stops the workers; one that does not stop is killed. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    const kill = (signal: NodeJS.Signals) => {
      for (const worker of this.#live) worker.process.kill(signal);
    };
    const ended = [...this.#live].map((worker) => once(worker, "exit"));
    kill("SIGTERM");
    const timeout = setTimeout(() => kill("SIGKILL"), stopMs);
    await Promise.all(ended);
    clearTimeout(timeout);
  }

  /** Starts a worker; returns when it answers. The connections and places of the settings are divided among the workers. */
  #fork(): Promise<Started> {
    const { WORKERS, DATABASE_POOL, DNS_TRANSFERS, DNS_CONNECTIONS, DATA_DIR } = this.#config;
    const share = (all: number) => String(Math.ceil(all / WORKERS));
    const worker = cluster.fork({
      ...{ DATA_DIR, DATABASE_URL: this.#databaseUrl, DATABASE_URL_FILE: "" },
      ...{ DATABASE_POOL: share(DATABASE_POOL), DNS_TRANSFERS: share(DNS_TRANSFERS) },
      DNS_CONNECTIONS: share(DNS_CONNECTIONS),
    });
    this.#live.add(worker);
    const beganAt = performance.now();
    return new Promise((resolve, reject) => {
      worker.on("message", (message: FromWorker) => {
        if (message.kind === "started") resolve(message.started);
        if (message.kind === "started" && this.#isReady) notify(worker, { kind: "ready" });
        if (message.kind === "failed") reject(new Error(message.reason));
        if (message.kind === "fatal") this.#onFailure(message.reason);
        if (message.kind === "collect") void this.#collect(worker);
      });
      worker.once("exit", (code, signal) => {
        this.#live.delete(worker);
        reject(new Error(`A worker ended before it answered (${signal ?? code}).`));
        if (performance.now() - beganAt > steadyMs) this.#pauseMs = firstPauseMs;
        if (this.#isReady && !this.#stopped.signal.aborted) void this.#replace(worker, signal ?? code);
      });
    });
  }

  async #replace({ process: { pid } }: Worker, how: string | number): Promise<void> {
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(2 * pauseMs, longestPauseMs);
    this.#log.error({ worker: pid, how, pauseMs }, "a worker ended; it is replaced after a pause");
    await sleep(pauseMs, undefined, { signal: this.#stopped.signal }).catch(() => {});
    if (this.#stopped.signal.aborted) return;
    await this.#fork().catch((error: Error) => this.#log.error(`a worker did not start: ${error.message}`));
  }

  /** Sends the metrics of all workers to the one that is scraped; without those of a worker that does not answer soon. */
  async #collect(scraped: Worker): Promise<void> {
    const metrics = await Promise.all([...this.#live].map((worker) => metricsOf(worker)));
    notify(scraped, { kind: "collected", metrics: metrics.filter((each) => each !== undefined) });
  }
}

const notify = (worker: Worker, message: ToWorker) => {
  if (worker.isConnected()) worker.send(message);
};

/** The metrics of a worker; undefined when they do not come soon. */
function metricsOf(worker: Worker): Promise<MetricsOfProcess | undefined> {
  return new Promise((resolve) => {
    const done = (answer: MetricsOfProcess | undefined) => {
      clearTimeout(timeout);
      worker.off("message", take);
      resolve(answer);
    };
    const take = (message: FromWorker) => {
      if (message.kind === "metrics") done(message.metrics);
    };
    const timeout = setTimeout(() => done(undefined), collectMs);
    worker.on("message", take);
    notify(worker, { kind: "report" });
  });
}
