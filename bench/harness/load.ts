/** The process that sends requests: it runs one job after the other, and returns the number of answers and the time. */
import { cases, type PeerCursors, type SideName } from "./cases.ts";
import { bytesOf, converse, isDone } from "./client.ts";
import type { Size } from "./data.ts";
import { questionOf, shapes } from "./shapes.ts";

/** A job: the requests, the server, the number of connections and the duration. */
export interface Job {
  readonly port: number;
  readonly case: string;
  readonly shape: string;
  readonly side: SideName;
  readonly size: Size;
  readonly cursors: PeerCursors;
  readonly connections: number;
  readonly seconds: number;
  /** The number of the first request. */
  readonly from: number;
}

/** The result of a job; `median` is the median time of an answer. */
export interface Outcome {
  readonly answers: number;
  readonly seconds: number;
  readonly median: number;
  /** The CPU time of this process, ms. */
  readonly cpu: number;
  /** The bytes of the body of every answer; they differ only when the case varies. */
  readonly bytes: number;
}

async function run(job: Job): Promise<Outcome> {
  const asked = cases.find(({ name }) => name === job.case);
  const shape = shapes.find(({ name }) => name === job.shape);
  if (!asked || !shape) throw new Error(`There is no case ${job.case}, or no shape ${job.shape}.`);
  const times: number[] = [];
  let n = job.from;
  let bytes: number | undefined;
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  const end = start + job.seconds * 1000;
  const connection = () => {
    let since = 0;
    const next = () => {
      since = performance.now();
      return since < end ? bytesOf(questionOf(asked, shape, job.side, n++, job.size, job.cursors)) : undefined;
    };
    return converse(job.port, next, (answer) => {
      times.push(performance.now() - since);
      bytes ??= answer.bytes;
      if (!isDone(answer.status) || (answer.bytes !== bytes && !asked.varies))
        throw new Error(
          `${job.side}, ${job.case}, ${job.shape}: status ${answer.status}, ${answer.bytes} bytes, not ${bytes}`,
        );
    });
  };
  await Promise.all(Array.from({ length: job.connections }, connection));
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  times.sort((a, b) => a - b);
  const median = times[times.length >> 1] ?? 0;
  return { answers: times.length, seconds, median, cpu: (user + system) / 1000, bytes: bytes ?? 0 };
}

process.on("message", (job: Job) => {
  run(job).then(
    (outcome) => process.send?.({ outcome }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.on("disconnect", () => process.exit());
