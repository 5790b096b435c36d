/**
 * The bench of publication: how long a change takes to reach real name servers, and the name server of the service compared with Knot.
 * README.md says how to run it, and has the results.
 */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { freePort } from "../test/setup/basics/free-port.ts";
import { Responder } from "../test/setup/dns/responder.ts";
import { Follower } from "../test/setup/servers/follower.ts";
import { bind, knot, nsd, powerdns, type Server } from "../test/setup/servers/name-servers.ts";
import { headers } from "./harness/cases.ts";
import { Asker, transfer } from "./harness/dns-client.ts";
import { askGraphql, type Side, startPostgres, startService } from "./harness/processes.ts";
import { quantile } from "./harness/rounds.ts";
import { machineText, row, writeTable } from "./harness/summary.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    only: { type: "string", default: "" },
  },
});
const effort = values.quick
  ? { changes: 100, slowChanges: 5, seconds: 3, records: 10_000, rounds: 3 }
  : { changes: 500, slowChanges: 40, seconds: 15, records: 100_000, rounds: 5 };

// biome-ignore lint/suspicious/noExplicitAny: answers of any form
type Json = any;
const undo: (() => unknown)[] = [];
const rows: string[] = [];
const tell = (what: string, figure: string, beside = "") => {
  rows.push(row(what, figure, beside));
  console.error(`${what}: ${figure}${beside && `, ${beside}`}`);
};

let port = 0;
let service: Side;
let userId = "";
const dnsPort = await freePort();

const data = (query: string, variables?: Record<string, unknown>): Promise<Json> => askGraphql(port, query, variables);
const createDomain = (zone: string) =>
  data("mutation ($input: CreateDomainInput!) { createDomain(input: $input) { domain { id } } }", {
    input: { zone, userId },
  });
const createRecord = (zone: string, owner: string, fields = "record { id }"): Promise<Json> =>
  data(`mutation ($input: CreateRecordInput!) { createRecord(input: $input) { ${fields} } }`, {
    input: { zone, owner, type: "A", rdata: "192.0.2.1" },
  });
/** The median and the 99th percentile of some times. */
const tellTimes = (what: string, times: readonly number[]) =>
  tell(what, `${quantile(times, 0.5).toFixed(0)} ms`, `p99 ${quantile(times, 0.99).toFixed(0)} ms`);

/** Runs a part while a server follows the service, then stops the server. */
async function following(servers: readonly Server[], run: (...followers: Follower[]) => Promise<void>): Promise<void> {
  const followers = servers.map((server) => new Follower({ data, dnsPort, url: `http://127.0.0.1:${port}` }, server));
  try {
    for (const follower of followers) await follower.follow();
    await run(...followers);
  } finally {
    for (const follower of followers) {
      await follower.remove();
      await data("mutation ($input: DeleteSecondaryInput!) { deleteSecondary(input: $input) { __typename } }", {
        input: { by: { id: follower.secondaryId } },
      });
    }
  }
}

/** From the answer of the service to a change to the first answer of a server with it. */
async function commitToAnswer(server: Server, changes: number): Promise<void> {
  await following([server], async (follower) => {
    const zones = Array.from({ length: 40 }, (_, at) => `${server.stanza.toLowerCase()}${at}.example`);
    for (const zone of zones) await createDomain(zone);
    await follower.learn();
    const asker = new Asker(follower.port);
    const times: number[] = [];
    for (let n = -zones.length; n < changes; n += 1) {
      const [zone, owner] = [zones[(n + zones.length) % zones.length] as string, `a${n + zones.length}`];
      await createRecord(zone, owner);
      const ms = await asker.until(`${owner}.${zone}`);
      if (n >= 0) times.push(ms);
    }
    asker.close();
    tellTimes(`commit to answer, ${server.name}`, times);
  });
}

/** From the answer of the service to a change to its NOTIFY at a socket of this process; then the same after kill -9. */
async function commitToNotify(changes: number, url: string): Promise<void> {
  const secondary = await new Responder().open();
  undo.push(() => secondary.close());
  const input = { name: "a socket", address: "127.0.0.1", port: secondary.port };
  await data("mutation ($input: CreateSecondaryInput!) { createSecondary(input: $input) { __typename } }", { input });
  const zones = Array.from({ length: 40 }, (_, at) => `notified${at}.example`);
  for (const zone of zones) await createDomain(zone);
  // A change before the comparison of the secondary may be left to the catalog, which this secondary does not follow.
  while (!secondary.queries.some(({ zone }) => zone === zones.at(-1))) await sleep(10);
  const notified = async (zone: string, owner: string): Promise<number> => {
    const { promise, resolve } = Promise.withResolvers<number>();
    secondary.onNotify = (of) => {
      if (of === zone) resolve(performance.now());
      return 0;
    };
    const { createRecord: created } = await createRecord(zone, owner, "change { serial }");
    const answered = performance.now();
    const notifiedAt = await promise;
    // A zone that is already served needs no NOTIFY.
    secondary.serials.set(zone, created.change.serial);
    return Math.max(0, notifiedAt - answered);
  };
  const times: number[] = [];
  for (let n = -zones.length; n < changes; n += 1) {
    const ms = await notified(zones[(n + zones.length) % zones.length] as string, `a${n + zones.length}`);
    if (n >= 0) times.push(ms);
  }
  tellTimes("commit to NOTIFY", times);
  const [leader, standby] = [service.pid, await startService(url, [], undo)];
  await createRecord(zones[0] as string, "last");
  process.kill(leader, "SIGKILL");
  port = standby.port;
  tell("another instance's NOTIFY after kill -9", `${(await notified(zones[1] as string, "first")).toFixed(0)} ms`);
}

/** From the commit of a change to the answer that says it is LIVE at Knot. */
async function commitToLive(changes: number): Promise<void> {
  await following([knot], async () => {
    const zones = Array.from({ length: 40 }, (_, at) => `live${at}.example`);
    for (const zone of zones) await createDomain(zone);
    const times: number[] = [];
    for (let n = -zones.length; n < changes; n += 1) {
      const begun = performance.now();
      const wait = "change { publication(waitMs: 60000) { state } }";
      await createRecord(zones[(n + zones.length) % zones.length] as string, `a${n + zones.length}`, wait);
      if (n >= 0) times.push(performance.now() - begun);
    }
    tellTimes("a change that waits until it is LIVE, Knot", times);
  });
}

/** Concurrent changes of eight zones while these servers follow. */
async function sustained(servers: readonly Server[], what: string): Promise<void> {
  await following(servers, async (...followers) => {
    const zones = Array.from({ length: 8 }, (_, at) => `sustained${at}-${servers.length}.example`);
    for (const zone of zones) await createDomain(zone);
    const end = performance.now() + effort.seconds * 1000;
    const counts = await Promise.all(
      zones.map(async (zone) => {
        let n = 0;
        for (; performance.now() < end; n += 1) await createRecord(zone, `a${n}`);
        return n;
      }),
    );
    const stopped = performance.now();
    for (const follower of followers) {
      const asker = new Asker(follower.port);
      for (const [at, zone] of zones.entries()) await asker.until(`a${(counts[at] as number) - 1}.${zone}`);
      asker.close();
    }
    const changes = counts.reduce((sum, each) => sum + each, 0);
    const lag = `all level ${(performance.now() - stopped).toFixed(0)} ms after the last`;
    tell(`changes, ${what} following`, `${(changes / effort.seconds).toFixed(0)} /s`, servers.length > 0 ? lag : "");
  });
}

/** Transfers and queries of one zone from the service and from Knot. */
async function besideKnot(): Promise<void> {
  await following([knot], async (follower) => {
    const zone = "large.example";
    await createDomain(zone);
    const lines = Array.from({ length: effort.records }, (_, at) => `h${at} 300 A 192.0.2.${at % 250}\n`);
    const url = `http://127.0.0.1:${port}/api/domain/zonefile/${zone}`;
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "Content-Type": "text/dns" },
      body: lines.join(""),
    });
    if (!response.ok) throw new Error(await response.text());
    const asker = new Asker(follower.port);
    const served = await asker.until(`h${effort.records - 1}.${zone}`);
    await createRecord(zone, "next");
    const next = `the next change ${(await asker.until(`next.${zone}`)).toFixed(0)} ms`;
    tell(`an import of ${effort.records} records to Knot's answer`, `${served.toFixed(0)} ms`, next);
    asker.close();
    await transfers(follower, zone);
    await queries(follower, zone);
  });
}

async function transfers(follower: Follower, zone: string): Promise<void> {
  const rates = { cold: [] as number[], warm: [] as number[], knots: [] as number[] };
  let slowest = 0;
  /** Runs a part while a query is sent every few milliseconds. */
  const watched = async <T>(run: () => Promise<T>): Promise<T> => {
    let isOver = false;
    const asker = new Asker(dnsPort);
    const watch = (async () => {
      for (; !isOver; await sleep(3)) {
        const asked = performance.now();
        await asker.ask(zone, "SOA", 10_000);
        slowest = Math.max(slowest, performance.now() - asked);
      }
    })();
    const result = await run();
    isOver = true;
    await watch;
    asker.close();
    return result;
  };
  const knots = new Asker(follower.port);
  for (let round = 0; round < effort.rounds; round += 1) {
    await createRecord(zone, `round${round}`);
    await knots.until(`round${round}.${zone}`);
    const records = effort.records + 7 + round; // its SOA twice, two NS, www, next and one of each round
    const rate = async (at: number) => records / (await transfer(at, zone, records, follower.key));
    rates.cold.push(await watched(() => rate(dnsPort)));
    rates.warm.push(await watched(() => rate(dnsPort)));
    rates.knots.push(await rate(follower.port));
  }
  knots.close();
  const knotsRate = quantile(rates.knots, 0.5);
  for (const [what, of] of [
    ["the first of a serial", rates.cold],
    ["the next ones", rates.warm],
  ] as const) {
    const ours = quantile(of, 0.5);
    const beside = `Knot ${knotsRate.toFixed(0)}; **${(ours / knotsRate).toFixed(2)}**`;
    tell(`AXFR of ${effort.records} records, ${what}`, `${ours.toFixed(0)} records/s`, beside);
  }
  tell("a query during those transfers", `${slowest.toFixed(0)} ms at most`);
}

async function queries(follower: Follower, zone: string): Promise<void> {
  const names = Array.from({ length: 10_000 }, (_, at) => `h${(at * 7919) % effort.records}.${zone} A\n`);
  const file = join(follower.folder, "queries");
  writeFileSync(file, names.join(""));
  const rate = async (at: number, ...until: string[]) => {
    const words = ["-s", "127.0.0.1", "-p", `${at}`, "-d", file, "-c", "8", ...until];
    const { stdout } = await promisify(execFile)("dnsperf", words);
    const [, lost = "?"] = /Queries lost:\s+(\d+)/.exec(stdout) ?? [];
    if (lost !== "0") console.error(`port ${at}: ${lost} queries were lost`);
    return Number(/Queries per second:\s+([\d.]+)/.exec(stdout)?.[1]);
  };
  const first = await rate(dnsPort, "-n", "1");
  const rates = { ours: [] as number[], knots: [] as number[] };
  const seconds = values.quick ? "1" : "3";
  for (let round = 0; round < effort.rounds; round += 1) {
    rates.ours.push(await rate(dnsPort, "-l", seconds));
    rates.knots.push(await rate(follower.port, "-l", seconds));
  }
  const knots = quantile(rates.knots, 0.5);
  for (const [what, ours] of [
    ["the first of each name", first],
    ["the next ones", quantile(rates.ours, 0.5)],
  ] as const)
    tell(`queries, ${what}`, `${ours.toFixed(0)} /s`, `Knot ${knots.toFixed(0)}; **${(ours / knots).toFixed(2)}**`);
}

try {
  const databaseUrl = await startPostgres(undo);
  service = await startService(databaseUrl, [], undo, dnsPort);
  port = service.port;
  const user = 'mutation { createUser(input: { email: "bench@example.com" }) { user { id } } }';
  userId = (await data(user)).createUser.user.id;
  const parts: readonly (readonly [name: string, run: () => Promise<void>])[] = [
    ...[knot, bind, nsd].map((server) => [server.name, () => commitToAnswer(server, effort.changes)] as const),
    [powerdns.name, () => commitToAnswer(powerdns, effort.slowChanges)],
    ["changes", () => sustained([], "nobody")],
    ["changes", () => sustained([knot, bind], "Knot and BIND")],
    ["beside Knot", () => besideKnot()],
    ["LIVE", () => commitToLive(effort.changes)],
    ["NOTIFY", () => commitToNotify(effort.changes, databaseUrl)],
  ];
  for (const [name, run] of parts) if (values.only === "" || values.only.split(",").includes(name)) await run();
  const machine = machineText();
  const text = [machine, "", row("", "median", ""), row("---", "---:", "---"), ...rows, ""].join("\n");
  console.log(text);
  if (values.write) writeTable(text, "publication");
} finally {
  for (const each of undo.toReversed()) await each();
}
