/**
 * The bench of fairness: how long one modest key waits beside sixteen greedy ones, and how much memory the service takes meanwhile.
 * README.md says how to run it and what it showed.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { cpus, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startEmbeddedPostgres } from "../src/postgres/embedded.ts";
import { headers, type Question } from "./harness/cases.ts";
import { addressId, userId, zoneName } from "./harness/data.ts";
import type { Counts, Greed, GreedyJob, GreedyKey } from "./harness/greedy.ts";
import { askOnce, fill, forgetPeak, peakOf, startService } from "./harness/processes.ts";
import { row, writeReadme } from "./harness/summary.ts";

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

// biome-ignore lint/suspicious/noExplicitAny: the data of any operation
async function data(query: string, variables: Record<string, unknown>): Promise<any> {
  const { data, errors } = JSON.parse(
    await askOnce(port, { method: "POST", path: "/graphql", body: { query, variables } }),
  );
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

async function newKey(name: string, user?: number): Promise<string> {
  const input = { name, ...(user !== undefined && { userId: String(user) }) };
  const document = "mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key } }";
  return (await data(document, { input })).createApiKey.key;
}

async function newZone(zone: string, user: number): Promise<void> {
  const document = "mutation ($input: CreateDomainInput!) { createDomain(input: $input) { change { id } } }";
  await data(document, { input: { zone, userId: String(user) } });
}

/** What the modest key asks in turn, and how long its answers took, ms. */
class Modest {
  readonly times: Record<string, number[]> = {};
  refused = 0;
  #n = 0;
  readonly #key: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(key: string) {
    this.#key = key;
  }

  #questions(): readonly (readonly [string, Question])[] {
    const n = this.#n++;
    const graphql = (query: string, variables: unknown): Question => ({
      method: "POST",
      path: "/graphql",
      body: { query, variables },
    });
    const zone =
      "query ($zone: String!) { domain(by: { zone: $zone }) { id serial records(first: 20) { nodes { id owner type ttl rdata } } } }";
    const add =
      "mutation ($input: CreateRecordInput!) { createRecord(input: $input) { record { id } change { id serial } } }";
    return [
      ["read", graphql(zone, { zone: zoneName(7) })],
      ["read", { method: "GET", path: `/api/record/list/${addressId(7)}` }],
      ["read", { method: "GET", path: `/api/domain/list/zone/${zoneName(7)}` }],
      [
        "write",
        graphql(add, { input: { zone: "modest.example", owner: `m${n}`, type: "A", ttl: 300, rdata: "192.0.2.7" } }),
      ],
    ];
  }

  /** Asks every 25 ms until the time is up; the answers' times begin again. */
  async ask(forSeconds: number): Promise<void> {
    this.times.read = [];
    this.times.write = [];
    this.refused = 0;
    for (const end = performance.now() + forSeconds * 1000; performance.now() < end; ) {
      for (const [kind, question] of this.#questions()) {
        const start = performance.now();
        const status = await this.#one(question);
        this.times[kind]?.push(performance.now() - start);
        if (status >= 300) this.refused += 1;
        await sleep(25);
      }
    }
  }

  async #one({ method, path, body }: Question): Promise<number> {
    const asked = request({ agent: this.#agent, port, method, path, headers: { ...headers, "X-API-Key": this.#key } });
    asked.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(asked, "response");
    for await (const _chunk of response);
    return response.statusCode;
  }
}

const quantile = (figures: readonly number[], share: number) =>
  figures.toSorted((a, b) => a - b)[Math.min(figures.length - 1, Math.floor(figures.length * share))] ?? Number.NaN;

const rows = [
  row("", "reads, p50", "reads, p99", "writes, p50", "writes, p99", "refused", "memory"),
  row("---", ...Array<string>(6).fill("---:")),
];

async function measure(what: string, modest: Modest, pid: number, forSeconds: number): Promise<void> {
  forgetPeak(pid);
  await modest.ask(forSeconds);
  const { read = [], write = [] } = modest.times;
  const ms = (figures: readonly number[], share: number) => `${quantile(figures, share).toFixed(0)} ms`;
  const line = row(
    what,
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

async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "zonesmith-bench-"));
  chmodSync(folder, 0o755);
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres(folder, { log: () => {} });
  undo.push(() => postgres.stop());
  await fill(postgres.url, size);
  const service = await startService(postgres.url, [], undo);
  port = service.port;
  const modest = new Modest(await newKey("modest", userId(7)));
  await newZone("modest.example", userId(7));
  const keys: GreedyKey[] = [];
  for (let at = 0; at < 16; at += 1) {
    const greed = greeds[at % greeds.length] as Greed;
    const zone = `greedy${at}.example`;
    await newZone(zone, userId(50 + at));
    if (!greed.includes(values.greed)) continue;
    keys.push({ key: await newKey(`greedy ${at}`), address: `127.0.1.${at + 1}`, greed, zone });
  }
  await modest.ask(2);
  await measure("alone", modest, service.pid, 5);
  const greedy = fork(join(import.meta.dirname, "harness/greedy.js"));
  undo.push(() => greedy.kill());
  // Real greedy clients have processors of their own.
  setPriority(greedy.pid as number, 10);
  greedy.send({ port, keys, connections: 50, records: 20_000 } satisfies GreedyJob);
  await measure(`beside ${keys.length} greedy keys`, modest, service.pid, seconds);
  greedy.send("counts");
  const [counts] = (await once(greedy, "message")) as [Counts];
  const answered = Object.entries(counts)
    .toSorted()
    .map(([what, times]) => `${what}, ${times}`);
  greedy.kill();
  await measure("after them", modest, service.pid, 5);
  const machine = `Node ${process.versions.node}, everything on one machine, ${cpus().length} cores (${cpus()[0]?.model.trim()}).`;
  const text = `${machine}\n\n${rows.join("\n")}\n\nAnswers to the greedy keys: ${answered.join("; ")}.`;
  console.log(text);
  if (values.write) writeReadme(text, "fairness");
}

try {
  await run();
} finally {
  for (const each of undo.toReversed()) await each();
}
