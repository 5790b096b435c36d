/**
 * The soak: writers, readers and four name servers for two hours, while something is restarted every ten minutes. README.md says how to run
 * it and what it measures; docs/performance.md has the result.
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { eventually } from "../test/setup/basics/eventually.ts";
import { freePort } from "../test/setup/basics/free-port.ts";
import { childrenOf, processOf, signal } from "../test/setup/basics/linux-processes.ts";
import { Follower } from "../test/setup/servers/follower.ts";
import { servers } from "../test/setup/servers/name-servers.ts";
import { headers } from "./harness/cases.ts";
import { editedZone, zoneName } from "./harness/data.ts";
import { Asker } from "./harness/dns-client.ts";
import { fill, residentOf, type Side, startPostgres, startService } from "./harness/processes.ts";
import { quantile } from "./harness/rounds.ts";
import { machineText, row, writeTable } from "./harness/summary.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "120" },
    restart: { type: "string", default: "10" },
    write: { type: "boolean", default: false },
  },
});
const [minutes, restartMinutes] = [Number(values.minutes), Number(values.restart)];
const size = { zones: 1000, records: 20_000 };
const [writers, readers, pauseMs] = [8, 4, 100];
/** Each writer has a zone of its own, and the probe the next one. */
const probedZone = editedZone(writers);
const probePauseMs = 1000;

// biome-ignore lint/suspicious/noExplicitAny: answers of any form
type Json = any;
const undo: (() => unknown)[] = [];
const dnsPort = await freePort();
let service: Side;
let isOver = false;

/** The service or its database was away, and the request is to be repeated. */
class Away extends Error {}

async function data(query: string, variables: Record<string, unknown> = {}): Promise<Json> {
  const body = JSON.stringify({ query, variables });
  const url = `http://127.0.0.1:${service.port}/graphql`;
  const [status, text] = await fetch(url, { method: "POST", headers, body }).then(
    async (response) => [response.status, await response.text()] as const,
    (error) => [503, String(error)] as const,
  );
  if (status === 503 || text.includes('"UNAVAILABLE"')) throw new Away(text);
  const answer = JSON.parse(text);
  if (answer.errors) throw new Error(text);
  return answer.data;
}

/** What was measured since the last row, times in ms. */
const begin = () => ({
  writes: [] as number[],
  reads: [] as number[],
  lags: servers.map((): number[] => []),
  away: 0,
});
let measured = begin();

/** Runs an operation repeatedly until the end, the same one again when the service was away. */
async function repeat(pause: number, operation: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; !isOver; await sleep(pause))
    try {
      await operation(n);
      n += 1;
    } catch (error) {
      if (!(error instanceof Away)) throw error;
      measured.away += 1;
    }
}

async function timed(times: number[], operation: Promise<Json>): Promise<Json> {
  const begun = performance.now();
  const result = await operation;
  times.push(performance.now() - begun);
  return result;
}

const change = `mutation ($input: ChangeRecordsInput!) { changeRecords(input: $input) { records { id } } }`;
const hostsOf =
  'query ($zone: String!) { records(first: 1000, filter: { zone: $zone, types: ["A"] }) { nodes { id rdata } } }';
const readHosts = async (zone: string): Promise<{ id: string; rdata: string }[]> =>
  (await data(hostsOf, { zone })).records.nodes;

/** Gives one host of a zone after the other a new address; returns the acknowledged addresses by id. */
async function write(zone: string): Promise<ReadonlyMap<string, string>> {
  const hosts = await readHosts(zone);
  const acknowledged = new Map(hosts.map(({ id, rdata }) => [id, rdata]));
  await repeat(pauseMs, async (n) => {
    const recordId = hosts[n % hosts.length]?.id as string;
    const rdata = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
    await timed(measured.writes, data(change, { input: { zone, update: [{ recordId, rdata }] } }));
    acknowledged.set(recordId, rdata);
  });
  return acknowledged;
}

const fields = "id zone serial user { id email } records(first: 10) { nodes { id owner type ttl rdata } }";
const questions: readonly ((n: number) => readonly [query: string, variables: Record<string, unknown>])[] = [
  (n) => [`query ($zone: String!) { domain(by: { zone: $zone }) { ${fields} } }`, { zone: zoneName(n % size.zones) }],
  () => [`{ domains(first: 50) { nodes { ${fields} publication { state } } } }`, {}],
  (n) => [`{ records(first: 100, filter: { rdataContains: "192.0.2.${n % 250}" }) { nodes { owner rdata } } }`, {}],
  () => [`{ domains(first: 50, filter: { state: LATE }) { nodes { zone } } }`, {}],
];
const read = (): Promise<void> =>
  repeat(pauseMs, (n) => timed(measured.reads, data(...(questions[n % questions.length] as (typeof questions)[0])(n))));

/** Adds a name to a zone once a second, removes the one before, and notes after how long each name server answers with the new one. */
async function probe(followers: readonly Follower[]): Promise<void> {
  const askers = followers.map(({ port }) => new Asker(port));
  let [count, earlier] = [0, [] as string[]];
  await repeat(probePauseMs, async () => {
    count += 1;
    const [owner, remove] = [`probe-${count}`, earlier];
    earlier = []; // It may have been removed when no answer comes.
    const add = [{ owner, type: "A", rdata: "192.0.2.1" }];
    const { changeRecords } = await data(change, { input: { zone: probedZone, add, remove } });
    earlier = changeRecords.records.map(({ id }: { id: string }) => id);
    const { lags } = measured;
    await Promise.all(
      askers.map(async (asker, at) => lags[at]?.push(await asker.until(`${owner}.${probedZone}`, 120_000))),
    );
  });
  for (const asker of askers) asker.close();
}

async function restartService(name: NodeJS.Signals): Promise<void> {
  signal(service.pid, name);
  await eventually(() => !signal(service.pid, 0));
  service = await startService(url, [], undo, dnsPort);
}

/** The memory of PostgreSQL in MB, in which pages that its processes share count once. */
function memoryOf(postmaster: number): number {
  const ofProcess = (pid: number) => {
    try {
      return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]);
    } catch {
      return 0; // It has ended meanwhile.
    }
  };
  return [postmaster, ...childrenOf(postmaster)].reduce((sum, pid) => sum + ofProcess(pid), 0) / 1024;
}

const times = (of: number[]) =>
  of.length === 0 ? "–" : `${quantile(of, 0.5).toFixed(0)} / ${quantile(of, 0.99).toFixed(0)}`;
const rows = [
  row(
    ...["minute", "writes/s, ms", "reads/s, ms", "repeated", ...servers.map(({ name }) => `${name}, ms`)],
    ...["service, MB", "PostgreSQL, MB", "database, MB", "then restarted"],
  ),
  row(...Array<string>(servers.length + 8).fill("---:")),
];
async function tell(minute: number, seconds: number, restarted: string): Promise<void> {
  const { writes, reads, lags, away } = measured;
  measured = begin();
  const rate = (of: number[]) => (of.length === 0 ? "–" : `${(of.length / seconds).toFixed(0)}, ${times(of)}`);
  const { postmaster, mb } = await readPostgres();
  const memory = [residentOf(service.pid), memoryOf(postmaster), mb].map((each) => each.toFixed(0));
  const line = row(`${minute}`, rate(writes), rate(reads), `${away}`, ...lags.map(times), ...memory, restarted);
  rows.push(line);
  console.error(line);
}

/** The process id of the postmaster, which changes when it is restarted, and the size of the database, MB. */
async function readPostgres(): Promise<{ postmaster: number; mb: number }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const size = "pg_database_size(current_database()) / 1048576.0";
    const { rows } = await client.query(`select pg_backend_pid() as pid, ${size} as mb`);
    return { postmaster: processOf(rows[0].pid)?.parent ?? 0, mb: Number(rows[0].mb) };
  } finally {
    await client.end();
  }
}

let url = "";
try {
  url = await startPostgres(undo);
  await fill(url, size);
  service = await startService(url, [], undo, dnsPort);
  const followers = servers.map((server) => new Follower({ data, dnsPort, url: "" }, server));
  undo.push(() => Promise.all(followers.map((follower) => follower.remove())));
  for (const follower of followers) await follower.follow();
  const level = async () => {
    const { nodes } = (await data("{ secondaries { nodes { joinedAt behind(first: 1) { totalCount } } } }"))
      .secondaries;
    return nodes.every(({ joinedAt, behind }: Json) => joinedAt !== null && behind.totalCount === 0);
  };
  await eventually(level);
  const restarts: (readonly [what: string, restart: () => Promise<unknown>])[] = [
    ["service, SIGTERM", () => restartService("SIGTERM")],
    ...followers.map((follower) => {
      const restart = () => follower.stop().then(() => follower.start());
      return [follower.server.name, restart] as const;
    }),
    ["PostgreSQL", async () => void signal((await readPostgres()).postmaster, "SIGINT")],
    ["service, SIGKILL", () => restartService("SIGKILL")],
  ];
  await sleep(10_000);
  await tell(0, 10, "");
  const zones = Array.from({ length: writers }, (_, n) => editedZone(n));
  const begun = performance.now();
  const load = Promise.all([
    Promise.all(zones.map(write)),
    probe(followers),
    ...Array.from({ length: readers }, () => read()),
  ]);
  for (let n = 0, minute = restartMinutes; minute <= minutes; minute += restartMinutes, n += 1) {
    await Promise.race([load, sleep(begun + minute * 60_000 - performance.now())]);
    const [what, restart] = restarts[n % restarts.length] as (typeof restarts)[0];
    const isLast = minute + restartMinutes > minutes;
    await tell(minute, restartMinutes * 60, isLast ? "" : what);
    if (!isLast) await restart();
  }
  isOver = true;
  const [acknowledged] = await load;
  for (const [at, zone] of zones.entries()) {
    const stored = new Map((await readHosts(zone)).map(({ id, rdata }) => [id, rdata]));
    for (const [id, rdata] of acknowledged[at] ?? [])
      if (stored.get(id) !== rdata) throw new Error(`${zone}: record ${id} is ${stored.get(id)}, not ${rdata}`);
  }
  await eventually(level);
  measured = begin();
  await sleep(60_000);
  await tell(minutes + 1, 60, "");
  const about = `${machineText()} ${minutes} minutes, a restart after every ${restartMinutes === 1 ? "one" : restartMinutes}.`;
  const text = [about, "", ...rows, ""].join("\n");
  console.log(text);
  if (values.write) writeTable(text, "soak", "docs/performance.md");
} finally {
  for (const each of undo.toReversed()) await each();
}
