/**
 * The bench of greedy connections: how long a change takes until Knot serves it, and whether others get answers over TCP, beside 2,000
 * connections that send queries and never read. README.md says how to run it, and has the results.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { freePort } from "../test/setup/basics/free-port.ts";
import { queryOf, TcpClient } from "../test/setup/dns/dns-client.ts";
import { Follower } from "../test/setup/servers/follower.ts";
import { knot } from "../test/setup/servers/name-servers.ts";
import { Asker } from "./harness/dns-client.ts";
import type { GreedyCounts } from "./harness/greedy-connections.ts";
import { askGraphql, forgetPeak, peakOf, type Side, startPostgres, startService } from "./harness/processes.ts";
import { quantile } from "./harness/rounds.ts";
import { machineText, row, writeTable } from "./harness/summary.ts";

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, write: { type: "boolean", default: false } },
});
const effort = values.quick ? { connections: 500, changes: 40 } : { connections: 2000, changes: 200 };
const zoneCount = 20;
/** The address of a modest client. */
const modestAddress = "127.0.200.1";

const undo: (() => unknown)[] = [];
const dnsPort = await freePort();
const rows = [
  row("", "commit to Knot's answer", "TCP queries answered", "median", "our memory", "the system's for TCP"),
  row("---", ...Array<string>(5).fill("---:")),
];
let service: Side;

const data = (query: string, variables?: Record<string, unknown>) => askGraphql(service.port, query, variables);
const createRecord = (zone: string, owner: string, type = "A", rdata = "192.0.2.1") =>
  data("mutation ($input: CreateRecordInput!) { createRecord(input: $input) { record { id } } }", {
    input: { zone, owner, type, rdata },
  });
const zoneName = (at: number) => `tcp${at % zoneCount}.example`;

/** The addresses of the greedy connections: fifty hosts in five networks. */
const greedyAddresses = (count: number) =>
  Array.from({ length: count }, (_, at) => `127.0.${1 + (at % 5)}.${1 + (Math.floor(at / 5) % 10)}`);

/** The octets that the system holds for all TCP connections. */
const socketMemory = () => Number(/^TCP:.* mem (\d+)$/m.exec(readFileSync("/proc/net/sockstat", "utf8"))?.[1]) * 4096;

/** Sends queries, each over a new TCP connection, until the changes are over; returns the times of the answers, ms. */
class ModestClient {
  readonly times: number[] = [];
  asked = 0;
  isOver = false;

  async run(): Promise<void> {
    for (; !this.isOver; await sleep(20)) {
      this.asked += 1;
      const begun = performance.now();
      const client = await TcpClient.open(dnsPort, modestAddress).catch(() => undefined);
      client?.send(queryOf(`${zoneName(0)}.`, "SOA"));
      const answers = (await client?.take(1).catch(() => [])) ?? [];
      client?.socket.destroy();
      if (answers.length === 1) this.times.push(performance.now() - begun);
    }
  }
}

let owners = 0;

/** Adds records, each after Knot serves the previous record. */
async function measure(what: string, follower: Follower): Promise<void> {
  forgetPeak(service.pid);
  const asker = new Asker(follower.port);
  const modest = new ModestClient();
  const running = modest.run();
  const times: number[] = [];
  let memory = 0;
  for (let n = 0; n < effort.changes; n += 1) {
    const [zone, owner] = [zoneName(n), `a${owners++}`];
    await createRecord(zone, owner);
    times.push(await asker.until(`${owner}.${zone}`));
    memory = Math.max(memory, socketMemory());
  }
  modest.isOver = true;
  await running;
  asker.close();
  const ms = (figures: readonly number[], share: number) => `${quantile(figures, share).toFixed(0)} ms`;
  const line = row(
    what,
    `${ms(times, 0.5)}, p99 ${ms(times, 0.99)}`,
    `${modest.times.length} of ${modest.asked}`,
    `${ms(modest.times, 0.5)}, p99 ${ms(modest.times, 0.99)}`,
    `${peakOf(service.pid).toFixed(0)} MB`,
    `${(memory / 2 ** 20).toFixed(0)} MB`,
  );
  console.error(line);
  rows.push(line);
}

async function attack(): Promise<ChildProcess> {
  const greedy = fork(join(import.meta.dirname, "harness/greedy-connections.js"));
  undo.push(() => greedy.kill());
  const question = Buffer.from(queryOf(`large.${zoneName(0)}.`, "TXT")).toString("base64");
  const addresses = greedyAddresses(effort.connections);
  greedy.send({ port: dnsPort, addresses, question, nextQuestionMs: 500, reconnectMs: 1000 });
  while ((await countsOf(greedy)).opened < effort.connections) await sleep(100);
  return greedy;
}

async function countsOf(greedy: ChildProcess): Promise<GreedyCounts> {
  greedy.send("counts");
  const [counts] = (await once(greedy, "message")) as [GreedyCounts];
  return counts;
}

async function run(): Promise<void> {
  const databaseUrl = await startPostgres(undo);
  service = await startService(databaseUrl, [], undo, dnsPort);
  const user = 'mutation { createUser(input: { email: "bench@example.com" }) { user { id } } }';
  const userId = (await data(user)).createUser.user.id;
  const follower = new Follower({ data, dnsPort, url: `http://127.0.0.1:${service.port}` }, knot);
  await follower.follow();
  undo.push(() => follower.remove());
  const createDomain = "mutation ($input: CreateDomainInput!) { createDomain(input: $input) { domain { id } } }";
  for (let at = 0; at < zoneCount; at += 1) await data(createDomain, { input: { zone: zoneName(at), userId } });
  for (let at = 0; at < 20; at += 1)
    await createRecord(zoneName(0), "large", "TXT", `"${at}" ${`"${"x".repeat(200)}" `.repeat(3)}`);
  const asker = new Asker(follower.port);
  for (let at = 0; at < zoneCount; at += 1) {
    await createRecord(zoneName(at), "first");
    await asker.until(`first.${zoneName(at)}`);
  }
  asker.close();
  await measure("alone", follower);
  const greedy = await attack();
  const before = await countsOf(greedy);
  const begun = performance.now();
  await measure(`beside ${effort.connections} greedy connections`, follower);
  const seconds = (performance.now() - begun) / 1000;
  const { opened, cut } = await countsOf(greedy);
  greedy.kill();
  const perSecond = (count: number) => (count / seconds).toFixed(0);
  await measure("after them", follower);
  const machine = machineText();
  const flood = `The greedy were cut off and came again ${perSecond(opened - before.opened)} times a second (${cut} cut off in all).`;
  const text = `${machine}\n\n${rows.join("\n")}\n\n${flood}\n`;
  console.log(text);
  if (values.write) writeTable(text, "tcp");
}

try {
  await run();
} finally {
  for (const each of undo.toReversed()) await each();
}
