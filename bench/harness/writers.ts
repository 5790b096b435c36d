/** The process of the writers: each adds records to its own zone with a pause after each answer, and measures how long it waited. */
import { createConnection } from "node:net";
import { bytesOf, readAnswer } from "./client.ts";

/** The first message to the process: one writer for each zone. */
export interface WritersJob {
  readonly port: number;
  readonly zones: readonly string[];
  readonly pauseMs: number;
}

/** The times of the answers, ms, and the refusals that asked to try again, since the last reading; and the records added so far. */
export interface WritersTimes {
  readonly times: readonly number[];
  readonly refused: number;
  readonly added: number;
}

const add = "mutation ($input: CreateRecordInput!) { createRecord(input: $input) { change { id } } }";
let times: number[] = [];
let refused = 0;
let added = 0;

function write({ port, pauseMs }: WritersJob, zone: string): void {
  const socket = createConnection(port, "127.0.0.1").setNoDelay();
  let n = 0;
  let since = 0;
  let received = Buffer.alloc(0);
  const ask = () => {
    const input = { zone, owner: `writer-${n++}`, type: "A", ttl: 300, rdata: "192.0.2.9" };
    const bytes = bytesOf({ method: "POST", path: "/graphql", body: { query: add, variables: { input } } });
    since = performance.now();
    socket.write(bytes);
  };
  socket.on("connect", () => setTimeout(ask, Math.random() * pauseMs));
  socket.on("data", (data) => {
    received = Buffer.concat([received, data]);
    const answer = readAnswer(received);
    if (!answer) return;
    times.push(performance.now() - since);
    if (answer.status === 200 && !received.includes('"errors"')) added += 1;
    else if (received.includes('"UNAVAILABLE"')) refused += 1;
    else throw new Error(`${zone}: ${received}`);
    received = Buffer.alloc(0);
    setTimeout(ask, pauseMs);
  });
}

process.on("message", (job: WritersJob | "times") => {
  if (job !== "times") for (const zone of job.zones) write(job, zone);
  else {
    process.send?.({ times, refused, added } satisfies WritersTimes);
    times = [];
    refused = 0;
  }
});
process.on("disconnect", () => process.exit());
