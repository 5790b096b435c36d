/** The process of the greedy keys. Each key keeps a fixed number of requests in progress, and never pauses after an answer or a refusal. */
import { createConnection } from "node:net";
import { bytesOf } from "./client.ts";

export type Greed = "readers that stop reading" | "text searches" | "imports and writes of one zone" | "pages of zones";

export interface GreedyKey {
  readonly key: string;
  readonly address: string;
  readonly greed: Greed;
  readonly zone: string;
}

export interface GreedyJob {
  readonly port: number;
  readonly keys: readonly GreedyKey[];
  readonly connections: number;
  readonly records: number;
}

/** Answers so far, by kind of key and status; a connection that was cut off counts as status 0. */
export type Counts = Record<string, number>;

const counts: Counts = {};
const count = (greed: Greed, status: number) => {
  const name = `${greed}: ${status === 0 ? "cut" : status}`;
  counts[name] = (counts[name] ?? 0) + 1;
};

const headEnd = Buffer.from("\r\n\r\n");
const lastChunk = Buffer.from("0\r\n\r\n");

/** Sends the requests of `next` on one connection, and reconnects when it is cut off. */
function insist(port: number, greedy: GreedyKey, next: () => Buffer, reads: boolean): void {
  const { greed, address } = greedy;
  const socket = createConnection({ port, host: "127.0.0.1", localAddress: address }).setNoDelay();
  let head: Buffer = Buffer.alloc(0);
  let left = -1;
  const ask = () => {
    head = Buffer.alloc(0);
    left = -1;
    socket.write(next());
  };
  socket.on("connect", ask);
  socket.on("error", () => {});
  socket.on("close", () => {
    count(greed, 0);
    setTimeout(() => insist(port, greedy, next, reads), 10);
  });
  if (!reads) return void socket.pause();
  let chunked = false;
  socket.on("data", (data) => {
    if (left < 0) {
      head = Buffer.concat([head, data]);
      const end = head.indexOf(headEnd);
      if (end < 0) return;
      const text = head.toString("latin1", 0, end);
      count(greed, Number(text.slice(9, 12)));
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
      chunked = length === undefined;
      left = chunked ? 1 : Number(length) - (head.length - end - 4);
    } else if (!chunked) left -= data.length;
    if (chunked ? data.subarray(-lastChunk.length).equals(lastChunk) : left <= 0) ask();
  });
}

/** Imports a zone repeatedly, while thirty connections write to it. */
async function importAndWrite({ port, records }: GreedyJob, greedy: GreedyKey): Promise<void> {
  const { key, greed, zone } = greedy;
  let n = 0;
  const add = "mutation ($input: CreateRecordInput!) { createRecord(input: $input) { change { id } } }";
  const next = () =>
    bytesOf(
      {
        method: "POST",
        path: "/graphql",
        body: { query: add, variables: { input: { zone, owner: `w${n++}`, type: "A", ttl: 300, rdata: "192.0.2.9" } } },
      },
      key,
    );
  for (let at = 0; at < 30; at += 1) insist(port, greedy, next, true);
  for (let round = 0; ; round += 1) {
    const body = Array.from({ length: records }, (_, at) => `h${at} 300 A 192.0.2.${(at + round) % 250}\n`).join("");
    const response = await fetch(`http://127.0.0.1:${port}/api/domain/zonefile/${zone}?mode=merge`, {
      method: "POST",
      headers: { "X-API-Key": key, "Content-Type": "text/dns" },
      body,
    }).catch(() => undefined);
    await response?.text().catch(() => {});
    count(greed, response?.status ?? 0);
  }
}

const search = `{ records(first: 50, filter: { rdataContains: "nothing like it" }) { nodes { id } } }`;
const page = `query ($after: String) { domains(first: 50, after: $after) {
  nodes { id zone serial user { id email } records(first: 10) { nodes { id owner type ttl rdata } } } } }`;

process.on("message", (job: GreedyJob | "counts") => {
  if (job === "counts") return void process.send?.(counts);
  for (const greedy of job.keys) {
    const { key, greed } = greedy;
    if (greed === "imports and writes of one zone") void importAndWrite(job, greedy);
    else {
      const request = {
        "readers that stop reading": bytesOf({ method: "GET", path: "/api/record/list" }, key),
        "text searches": bytesOf({ method: "POST", path: "/graphql", body: { query: search } }, key),
        "pages of zones": bytesOf({ method: "POST", path: "/graphql", body: { query: page } }, key),
      }[greed];
      for (let at = 0; at < job.connections; at += 1)
        insist(job.port, greedy, () => request, greed !== "readers that stop reading");
    }
  }
});
process.on("disconnect", () => process.exit());
