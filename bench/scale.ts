/**
 * The bench of scale: a service with a very large number of zones, and a fresh Knot that follows a large number through the catalog.
 * README.md says how to run it and what it measures, and has the results.
 */
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { freePort } from "../test/setup/basics/free-port.ts";
import { Follower } from "../test/setup/servers/follower.ts";
import { knot } from "../test/setup/servers/name-servers.ts";
import { Asker } from "./harness/dns-client.ts";
import { makeZones } from "./harness/many-zones.ts";
import {
  askGraphql,
  cpuBetween,
  cpuOf,
  cpuOfConnections,
  fill,
  peakOf,
  residentOf,
  startPostgres,
  startService,
} from "./harness/processes.ts";
import { quantile } from "./harness/rounds.ts";
import {
  measureCatalog,
  measurePeace,
  measureRequests,
  standInSecondaries,
  untilInCatalog,
} from "./harness/standing.ts";
import { row, writeTable } from "./harness/summary.ts";

const { values } = parseArgs({
  options: {
    zones: { type: "string", default: "1000000" },
    peace: { type: "string", default: "300" },
    following: { type: "string", default: "200000" },
    write: { type: "boolean", default: false },
    profile: { type: "string" },
  },
});
const [zones, peaceSeconds] = [Number(values.zones), Number(values.peace)];
const following = Number(values.following);
const flags = values.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${values.profile}`];
const undo: (() => unknown)[] = [];
const rows: string[] = [];
const tell = (what: string, figure: string) => {
  rows.push(row(what, figure));
  console.error(`${what}: ${figure}`);
};

/** Creates zones in a database of its own, and starts a service on it. */
async function start(count: number) {
  const url = await startPostgres(undo);
  const postgres = await fill(url, { zones: 0, records: 1000 });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  undo.push(() => client.end());
  await makeZones(client, 0, count);
  const [dnsPort, begun] = [await freePort(), performance.now()];
  const service = await startService(url, flags, undo, dnsPort);
  const startSeconds = (performance.now() - begun) / 1000;
  const data = (query: string, variables?: Record<string, unknown>) => askGraphql(service.port, query, variables);
  return { postgres, client, service, dnsPort, data, startSeconds };
}

/** A service with all zones: requests of clients, verification, peace. */
async function stand(): Promise<void> {
  const started = await start(zones);
  const standing = { ...started, tell, undo };
  tell("zones", String(zones));
  tell("start of the service", `${started.startSeconds.toFixed(1)} s`);
  tell("memory of the service after it", `${residentOf(started.service.pid).toFixed(0)} MB`);
  await measureRequests(standing, zones);
  await standInSecondaries(standing);
  await untilInCatalog(standing, zones);
  await measurePeace(standing, peaceSeconds);
  await measureCatalog(standing, started.dnsPort);
}

/** A fresh Knot follows zones; then a second one follows them, while zones change that the first has. */
async function follow(): Promise<void> {
  const { postgres, client, service, dnsPort, data } = await start(following);
  const count = async (query: string, values: unknown[] = []) =>
    (await client.query<{ n: number }>(query, values)).rows[0]?.n ?? 0;
  const all = await count("select count(*)::int as n from domain where user_id is not null");
  const fresh = async (name: string) => {
    const follower = new Follower({ data, dnsPort, url: `http://127.0.0.1:${service.port}` }, { ...knot, name });
    undo.push(() => follower.remove());
    await follower.follow();
    return follower;
  };
  /** Waits until a follower has all zones, or for a time. */
  const untilLevel = async ({ secondaryId }: Follower, withinMs = Number.POSITIVE_INFINITY) => {
    const [query, begun] = ["proven_serial is not null and secondary_id = $1", performance.now()];
    for (let at = begun, there = 0; there < all && performance.now() - begun < withinMs; await sleep(100)) {
      there = await count(`select count(*)::int as n from sighting where ${query}`, [secondaryId]);
      if (performance.now() < at) continue;
      console.error(`${((at - begun) / 1000).toFixed(0)} s: ${there} of ${all}`);
      at += 5000;
    }
  };
  /** Changes a zone repeatedly, each time after a follower has the change, until `over` settles; tells how long that takes. */
  const changing = async (zone: string, what: string, { port }: Follower, over: Promise<void>) => {
    const asker = new Asker(port);
    const times: number[] = [];
    let isOver = false;
    const ended = over.finally(() => {
      isOver = true;
    });
    for (let n = 0; !isOver; await sleep(250)) {
      if ((await asker.ask(zone, "SOA", 100)) === 0) continue;
      await data("mutation ($input: CreateRecordInput!) { createRecord(input: $input) { record { id } } }", {
        input: { zone, owner: `w${n}`, type: "A", rdata: "192.0.2.1" },
      });
      times.push(await asker.until(`w${n}.${zone}`, 300_000));
      n += 1;
    }
    await ended;
    asker.close();
    const [median, p99] = [quantile(times, 0.5).toFixed(0), quantile(times, 0.99).toFixed(0)];
    tell(what, `${median} ms, p99 ${p99} ms (${times.length})`);
  };
  const [cpu, ofPostgres, begun] = [cpuOf(service.pid), cpuOfConnections(postgres), performance.now()];
  const first = await fresh("Knot");
  const level = untilLevel(first).then(async () => {
    const seconds = (performance.now() - begun) / 1000;
    const ms = (total: number) => `${(total / all).toFixed(2)} ms`;
    tell("a fresh Knot", `${all} zones in ${seconds.toFixed(0)} s, ${(all / seconds).toFixed(0)} zones/s`);
    tell("processor time of the service for a zone", ms(cpuOf(service.pid) - cpu));
    tell("processor time of PostgreSQL for a zone", ms(cpuBetween(ofPostgres, cpuOfConnections(postgres))));
    const updates = "select n_tup_upd::int as n from pg_stat_user_tables where relname = 'secondary'";
    tell("updates of the row of the secondary", String(await count(updates)));
  });
  await changing("edited-00.example", "commit to its answer of a change meanwhile", first, level);
  const second = await fresh("second Knot");
  const what = "commit to the answer of a Knot that has all zones, while a second one follows";
  await changing("edited-01.example", what, first, untilLevel(second, 60_000));
  tell("memory of the service at the peak", `${peakOf(service.pid).toFixed(0)} MB`);
}

for (const part of [...(zones > 0 ? [stand] : []), ...(following > 0 ? [follow] : [])])
  try {
    await part();
  } finally {
    for (const each of undo.splice(0).toReversed()) await each();
  }
const load = readFileSync("/proc/loadavg", "utf8").split(" ")[0];
const machine = `Node ${process.versions.node}, everything on one machine, ${cpus().length} cores (${cpus()[0]?.model.trim()}), load ${load}.`;
const text = [machine, "", row("", ""), row("---", "---:"), ...rows].join("\n");
console.log(text);
if (values.write) writeTable(`${text}\n`, "scale");
