/** A worker of WORKERS=n: the whole service, but for the start of the database and the announcement, which the primary process does. */
import type { Config } from "../config/config.ts";
import { start } from "../main.ts";
import type { MetricsOfProcess } from "../metrics/metrics.ts";
import type { Started, StartOptions, WorkerOptions } from "../service/common.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

const notify = (message: FromWorker) => void process.send?.(message);

function answerOf<Kind extends ToWorker["kind"]>(kind: Kind): Promise<Extract<ToWorker, { kind: Kind }>> {
  return new Promise((resolve) => {
    const take = (message: ToWorker) => {
      if (message.kind !== kind) return;
      process.off("message", take);
      resolve(message as Extract<ToWorker, { kind: Kind }>);
    };
    process.on("message", take);
  });
}

/** Starts the service as a worker. One that cannot start notifies the primary process and ends. */
export async function startWorker(config: Config, options: StartOptions) {
  let collecting: Promise<readonly MetricsOfProcess[]> | undefined;
  const worker: WorkerOptions = {
    announce: async (started: Started) => {
      const ready = answerOf("ready");
      notify({ kind: "started", started });
      await ready;
    },
    // Scrapes at the same time share a collection.
    collect: () => {
      collecting ??= (async () => {
        const collected = answerOf("collected");
        notify({ kind: "collect" });
        return (await collected).metrics;
      })().finally(() => {
        collecting = undefined;
      });
      return collecting;
    },
    onReport: (read) => {
      process.on("message", async ({ kind }: ToWorker) => {
        if (kind === "report") notify({ kind: "metrics", metrics: await read() });
      });
    },
  };
  const onFailure = (reason: string) => notify({ kind: "fatal", reason });
  try {
    return await start(config, { ...options, worker, onFailure });
  } catch (error) {
    notify({ kind: "failed", reason: (error as Error).message });
    process.exit(1);
  }
}
