/**
 * The bench of fairness: how long one modest key waits beside sixteen greedy keys, and the memory of the service meanwhile. README.md says
 * how to run it, and has the results.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { setPriority } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { headers, type Question } from "./harness/cases.ts";
import { addressId, userId, zoneName } from "./harness/data.ts";
import type { Counts, Greed, GreedyJob, GreedyKey } from "./harness/greedy.ts";
import { askGraphql, fill, forgetPeak, peakOf, startFloor, startPostgres, startService } from "./harness/processes.ts";
import { quantile } from "./harness/rounds.ts";
import { machineText, row, writeTable } from "./harness/summary.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    greed: { type: "string", default: "" },
    seconds: { type: "string" },
  },
});
const size = values.quick ? { zones: 500, records: 20_000 } : { zones: 2000, records: 100_000 };
const seconds = Number(values.seconds ?? (values.quick ? 10 : 40));
const greeds: readonly Greed[] = [
  "readers that stop reading",
  "text searches",
  "imports and writes of one zone",
  "pages of zones",
];

const undo: (() => unknown)[] = [];
let port = 0;

const data = (query: string, variables: Record<string, unknown>) => askGraphql(port, query, variables);

async function newKey(name: string, user?: number): Promise<string> {
  const input = { name, ...(user !== undefined && { userId: String(user) }) };
  const document = "mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key } }";
  return (await data(document, { input })).createApiKey.key;
}

async function newZone(zone: string, user: number): Promise<void> {
  const document = "mutation ($input: CreateDomainInput!) { createDomain(input: $input) { change { id } } }";
  await data(document, { input: { zone, userId: String(user) } });
}

/** Request `n`: three reads and a write in turn. */
type Questions = (n: number) => readonly Question[];

const get = (path: string): Question => ({ method: "GET", path });
const post = (path: string, body: unknown): Question => ({ method: "POST", path, body });
const newRecord = (zone: string, n: number) => ({ zone, owner: `m${n}`, type: "A", ttl: 300, rdata: "192.0.2.7" });

const zoneQuery =
  "query ($zone: String!) { domain(by: { zone: $zone }) { id serial records(first: 20) { nodes { id owner type ttl rdata } } } }";
const addRecord =
  "mutation ($input: CreateRecordInput!) { createRecord(input: $input) { record { id } change { id serial } } }";

const ofService: Questions = (n) => [
  post("/graphql", { query: zoneQuery, variables: { zone: zoneName(7) } }),
  get(`/api/record/list/${addressId(7)}`),
  get(`/api/domain/list/zone/${zoneName(7)}`),
  post("/graphql", { query: addRecord, variables: { input: newRecord("modest.example", n) } }),
];

/**
 * The same requests to the floor, a bare node:http with one prepared statement for each: the limit of this machine beside the greedy keys.
 */
const ofFloor: Questions = (n) => [
  get(`/bare/zone/${zoneName(7)}`),
  get(`/rest/record/${addressId(7)}`),
  get(`/rest/zone/${zoneName(7)}`),
  post("/bare/add", newRecord("floor.example", n)),
];

/** A client that sends these requests in turn, and the times of its answers, ms. */
class Modest {
  readonly times: Record<"read" | "write", number[]> = { read: [], write: [] };
  refused = 0;
  #n = 0;
  readonly #port: number;
  readonly #key: string;
  readonly #questions: Questions;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(port: number, key: string, questions: Questions) {
    this.#port = port;
    this.#key = key;
    this.#questions = questions;
  }

  /** Sends a request every 25 ms until the time is over; clears the times first. */
  async ask(forSeconds: number): Promise<void> {
    this.times.read.length = 0;
    this.times.write.length = 0;
    this.refused = 0;
    for (const end = performance.now() + forSeconds * 1000; performance.now() < end; ) {
      for (const [at, question] of this.#questions(this.#n++).entries()) {
        const start = performance.now();
        const status = await this.#one(question);
        this.times[at < 3 ? "read" : "write"].push(performance.now() - start);
        if (status >= 300) this.refused += 1;
        await sleep(25);
      }
    }
  }

  async #one({ method, path, body }: Question): Promise<number> {
    const asked = request({
      agent: this.#agent,
      port: this.#port,
      method,
      path,
      headers: { ...headers, "X-API-Key": this.#key },
    });
    asked.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(asked, "response");
    for await (const _chunk of response);
    return response.statusCode;
  }
}

const rows = [
  row("", "reads, p50", "reads, p99", "writes, p50", "writes, p99", "refused", "memory"),
  row("---", ...Array<string>(6).fill("---:")),
];

/** The clients, and the process that answers. */
interface Measured {
  readonly modest: Modest;
  readonly pid: number;
}

async function measure(what: string, service: Measured, floor: Measured, forSeconds: number): Promise<void> {
  forgetPeak(service.pid);
  forgetPeak(floor.pid);
  await Promise.all([service.modest.ask(forSeconds), floor.modest.ask(forSeconds)]);
  for (const [name, { modest, pid }] of [[what, service] as const, [`the floor, ${what}`, floor] as const]) {
    const { read, write } = modest.times;
    const ms = (figures: readonly number[], share: number) => `${quantile(figures, share).toFixed(0)} ms`;
    const line = row(
      name,
      ms(read, 0.5),
      `**${ms(read, 0.99)}**`,
      ms(write, 0.5),
      `**${ms(write, 0.99)}**`,
      String(modest.refused),
      `${peakOf(pid).toFixed(0)} MB`,
    );
    console.error(line);
    rows.push(line);
  }
}

async function run(): Promise<void> {
  const databaseUrl = await startPostgres(undo);
  await fill(databaseUrl, size);
  const service = await startService(databaseUrl, [], undo);
  port = service.port;
  const bare = await startFloor(databaseUrl, undo);
  const modest = { pid: service.pid, modest: new Modest(port, await newKey("modest", userId(7)), ofService) };
  const floor = { pid: bare.pid, modest: new Modest(bare.port, "", ofFloor) };
  for (const zone of ["modest.example", "floor.example"]) await newZone(zone, userId(7));
  const keys: GreedyKey[] = [];
  for (let at = 0; at < 16; at += 1) {
    const greed = greeds[at % greeds.length] as Greed;
    const zone = `greedy${at}.example`;
    await newZone(zone, userId(50 + at));
    if (!greed.includes(values.greed)) continue;
    keys.push({ key: await newKey(`greedy ${at}`), address: `127.0.1.${at + 1}`, greed, zone });
  }
  await Promise.all([modest.modest.ask(2), floor.modest.ask(2)]);
  await measure("alone", modest, floor, 5);
  const greedy = fork(join(import.meta.dirname, "harness/greedy.js"));
  undo.push(() => greedy.kill());
  // In production, greedy clients have their own processors.
  setPriority(greedy.pid as number, 10);
  greedy.send({ port, keys, connections: 50, records: 20_000 } satisfies GreedyJob);
  await measure(`beside ${keys.length} greedy keys`, modest, floor, seconds);
  greedy.send("counts");
  const [counts] = (await once(greedy, "message")) as [Counts];
  const answered = Object.entries(counts)
    .toSorted()
    .map(([what, times]) => `${what}, ${times}`);
  greedy.kill();
  await measure("after them", modest, floor, 5);
  const machine = machineText();
  const text = `${machine}\n\n${rows.join("\n")}\n\nAnswers to the greedy keys: ${answered.join("; ")}.`;
  console.log(text);
  if (values.write) writeTable(text, "fairness");
}

try {
  await run();
} finally {
  for (const each of undo.toReversed()) await each();
}
