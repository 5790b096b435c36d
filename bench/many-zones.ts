/**
 * The bench of change sets over many zones: a set changes the TTL of 100,000 records in 10,000 zones, zone by zone, and a set in mode ALL
 * changes 1,000 zones, while others write to these zones and to other zones. README.md has the results.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { editedZone, zoneName } from "./harness/data.ts";
import {
  askGraphql,
  cpuOf,
  fill,
  forgetPeak,
  peakOf,
  type Side,
  startPostgres,
  startService,
} from "./harness/processes.ts";
import { quantile } from "./harness/rounds.ts";
import { machineText, row, writeTable } from "./harness/summary.ts";
import type { WritersJob, WritersTimes } from "./harness/writers.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const zones = values.quick ? { each: 1500, all: 100 } : { each: 10_000, all: 1000 };
const aloneSeconds = values.quick ? 5 : 20;
const writers = 64;
const pauseMs = 1000;
/** The types of ten of the twelve records of a zone; the records of the writers have a shorter TTL. */
const types = ["NS", "MX", "A", "AAAA", "CNAME", "SRV"];
const recordsOfZone = 10;

const undo: (() => unknown)[] = [];
const loadOf = () => Number(readFileSync("/proc/loadavg", "utf8").split(" ")[0]);

const rows = [
  row("", "time", "writers, p50", "p99", "longest", "refused", "processor time", "memory", "load"),
  row("---", ...Array<string>(8).fill("---:")),
];

interface Scene {
  readonly service: Side;
  readonly client: pg.Client;
  times(): Promise<WritersTimes>;
}

/** Runs a step, and measures its time and its effect on the writers. */
async function measure<Result>(scene: Scene, what: string, run: () => Promise<Result>): Promise<Result> {
  await scene.times();
  const { pid } = scene.service;
  forgetPeak(pid);
  const [cpu, begun] = [cpuOf(pid), performance.now()];
  const result = await run();
  const took = performance.now() - begun;
  const { times, refused } = await scene.times();
  const line = row(
    what,
    `${(took / 1000).toFixed(1)} s`,
    ...[0.5, 0.99, 1].map((share) => (times.length > 0 ? `${quantile(times, share).toFixed(0)} ms` : "–")),
    times.length > 0 ? String(refused) : "–",
    `${((cpuOf(pid) - cpu) / 1000).toFixed(1)} s`,
    `${peakOf(pid).toFixed(0)} MB`,
    loadOf().toFixed(0),
  );
  console.error(line);
  rows.push(line);
  return result;
}

/** The one field of an operation. */
// biome-ignore lint/suspicious/noExplicitAny: the data of any operation
const data = async (port: number, query: string, variables: Record<string, unknown>): Promise<any> =>
  Object.values(await askGraphql(port, query, variables))[0];

const edit = `mutation ($input: EditRecordsInput!) { editRecords(input: $input) {
  matchedCount zoneCount changeSet { id mode } } }`;
const look = `query ($id: ID!) { changeSetPreview(id: $id) { fingerprint applicable changedZoneCount
  zones(first: 50) { nodes { zone rrsets(first: 50) { nodes { owner } } } } } }`;
const apply = "mutation ($input: ApplyChangeSetInput!) { applyChangeSet(input: $input) { changeSet { state } } }";
const stateOf = "query ($id: ID!) { changeSet(id: $id) { state } }";

/** Stages, previews and applies a set that changes the TTL of records in these zones. */
async function applySet(scene: Scene, what: string, filter: string, count: number, ttl: number): Promise<void> {
  const { port } = scene.service;
  const input = { filter: { zones: [filter], types, ttlMin: 301 }, set: { ttl } };
  const staged = await measure(scene, `${what}: staged`, () => data(port, edit, { input }));
  const { id, mode } = staged.changeSet;
  const seen = await measure(scene, `${what}: looked at`, () => data(port, look, { id }));
  const found = [staged.matchedCount, staged.zoneCount, seen.applicable, seen.changedZoneCount];
  if (String(found) !== String([count * recordsOfZone, count, true, count])) throw new Error(`${what}: ${found}`);
  await measure(scene, `${what}: applied, mode ${mode}`, async () => {
    const applying = { changeSetId: id, expectedFingerprint: seen.fingerprint, waitMs: 60_000 };
    let { state } = (await data(port, apply, { input: applying })).changeSet;
    for (; state === "APPLYING"; await sleep(100)) state = (await data(port, stateOf, { id })).state;
    if (state !== "APPLIED") throw new Error(`${what}: ${state}`);
  });
  const { rows: counted } = await scene.client.query<{ records: number; changes: number }>(
    `select (select count(*) from zone_record where ttl = $1)::int as records,
      (select count(*) from change where change_set_id = $2)::int as changes`,
    [ttl, id],
  );
  const stored = [counted[0]?.records, counted[0]?.changes];
  if (String(stored) !== String([count * recordsOfZone, count])) throw new Error(`${what}: ${stored} in the database`);
}

async function run(): Promise<void> {
  const url = await startPostgres(undo);
  await fill(url, { zones: zones.each, records: 1000 });
  const service = await startService(url, [], undo);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  undo.push(() => client.end());
  const process = fork(join(import.meta.dirname, "harness/writers.js"));
  undo.push(() => process.kill());
  const times = async () => {
    process.send("times");
    return ((await once(process, "message")) as [WritersTimes])[0];
  };
  const scene = { service, client, times };
  // Three quarters of the writers write to zones of the sets, spread evenly; the first set of all zones has as many of them.
  const inside = Array.from({ length: writers * 0.75 }, (_, n) => Math.floor((n * zones.all) / (writers * 0.75)));
  const spread = inside.map((n, at) => (at % 2 === 0 ? n : Math.floor((n * zones.each) / zones.all)));
  const written = [
    ...new Set(spread.map(zoneName)),
    ...Array.from({ length: writers * 0.25 }, (_, n) => editedZone(n)),
  ];
  const job: WritersJob = { port: service.port, zones: written, pauseMs };
  const few = `zone-${values.quick ? "000*" : "00*"}`;
  await applySet(scene, `${zones.all} zones, nobody writes`, few, zones.all, 601);
  await applySet(scene, `${zones.each} zones, nobody writes`, "zone-*", zones.each, 602);
  process.send(job);
  await sleep(2000);
  await measure(scene, "writers alone", () => sleep(aloneSeconds * 1000));
  await applySet(scene, `${zones.all} zones, ${written.length} writers`, few, zones.all, 603);
  await applySet(scene, `${zones.each} zones, ${written.length} writers`, "zone-*", zones.each, 604);
  await measure(scene, "writers alone, after them", () => sleep(aloneSeconds * 1000));
  const { added } = await times();
  const { rows: counted } = await client.query<{ count: number }>(
    "select count(*)::int from zone_record where owner like 'writer-%'",
  );
  // Some requests are still in progress.
  const stored = counted[0]?.count ?? 0;
  if (stored < added || stored > added + written.length)
    throw new Error(`${added} records were added, ${stored} are there`);
}

try {
  await run();
} finally {
  for (const each of undo.toReversed()) await each();
}
const machine = machineText();
const text = `${machine}\n\n${rows.join("\n")}`;
console.log(text);
if (values.write) writeTable(`${text}\n`, "many zones");
