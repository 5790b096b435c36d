/** What every part of the running service needs: settings, log, metrics, certificates, and the shutdown. */
import { type DestinationStream, destination, type Logger, pino } from "pino";
import type { Config } from "../config/config.ts";
import { maskKeys } from "../http/mask-keys.ts";
import { requestOfLog } from "../http/request-state.ts";
import { Metrics, type MetricsOfProcess } from "../metrics/metrics.ts";
import { type Certificates, openCertificates } from "./certificates.ts";
import { Shutdown } from "./shutdown.ts";

/** What is announced. */
export interface Started {
  readonly url: string;
  readonly dns: { readonly address: string; readonly port: number };
  readonly hasConsole: boolean;
}

/** What a worker of WORKERS=n leaves to its primary process, which has started the database. */
export interface WorkerOptions {
  /** Has the service announced; returns when it is. */
  readonly announce: (started: Started) => Promise<void>;
  /** The metrics of all workers, this one among them. */
  readonly collect: () => Promise<readonly MetricsOfProcess[]>;
  /** Called once with what reads the metrics of this worker. */
  readonly onReport: (read: () => Promise<MetricsOfProcess>) => void;
}

export interface StartOptions {
  readonly worker?: WorkerOptions;
  /** Called when the service cannot go on: the embedded database ended by itself, or a later version has migrated the database. */
  readonly onFailure?: (reason: string) => void;
  readonly logTo?: DestinationStream;
  /** Writes to the terminal of the person who starts the service; undefined where there is no terminal. */
  readonly terminal?: (text: string) => void;
  /** Whether a missing database is created; true by default. */
  readonly mayCreate?: boolean;
}

export interface Common {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly certificates: Certificates;
  readonly shutdown: Shutdown;
  /** Closes what the parts have started, the last one first. */
  readonly resources: AsyncDisposableStack;
  readonly onFailure: (reason: string) => void;
}

export async function openCommon(
  config: Config,
  { logTo, onFailure = () => {}, worker }: StartOptions,
  resources: AsyncDisposableStack,
): Promise<Common> {
  const hooks = { streamWrite: (line: string) => maskKeys(line) };
  const log = pino({ level: config.LOG_LEVEL, mixin: requestOfLog, hooks }, logTo ?? openLogOutput(resources));
  const certificates = await openCertificates(config, log, resources);
  const metrics = new Metrics(worker?.collect);
  worker?.onReport(() => metrics.read());
  return { config, log, metrics, certificates, shutdown: new Shutdown(), resources, onFailure };
}

const delayMs = 100;

/** Lines are written when they have this many bytes together, or when a line has waited for `delayMs`. */
const batchBytes = 4096;

/**
 * Opens standard output for the log. Lines are written in batches, after a tenth of a second at the latest, since a system call for each
 * would cost a tenth of a request's processor time. The rest is written when the service stops, and when the process exits, also after a
 * failure.
 */
function openLogOutput(resources: AsyncDisposableStack) {
  const output = destination({ dest: 1, sync: true, minLength: batchBytes });
  // flushSync would retry for ever when nobody reads the output any more.
  const write = () => output.flush();
  const timer = setInterval(write, delayMs).unref();
  process.once("exit", write);
  resources.defer(() => {
    clearInterval(timer);
    write();
  });
  return output;
}
