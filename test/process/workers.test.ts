/** One service of two workers: both answer, one publishes, one that is killed is replaced, and a stop loses no request. */
import { execFileSync } from "node:child_process";
import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { freePort } from "../setup/basics/free-port.ts";
import { UpdateClient } from "../setup/dns/update-client.ts";
import { RunningService } from "../setup/process/running-service.ts";
import { servicesOfDatabase } from "../setup/process/service-process.ts";

const zone = "workers.example.com";
const services = servicesOfDatabase();
let service: RunningService;
let userId: string;
let metricsPort: number;

beforeAll(async () => {
  metricsPort = await freePort();
  service = await services.start({ WORKERS: "2", METRICS_PORT: String(metricsPort), LOG_LEVEL: "info" });
  userId = await service.domains(zone);
});

const workers = () =>
  execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(service.process.child.pid)], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("zonesmith.js serve"))
    .map((line) => Number(line.trim().split(" ")[0]));

const instances = async () =>
  (await service.data("{ instances { pid isLeader isAlive } }")).instances as { pid: number; isLeader: boolean }[];

async function sumOf(metric: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line.startsWith(metric));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

test("both workers answer, one leads, and it is announced once", async () => {
  await eventually(async () => {
    const listed = await instances();
    expect(listed.map(({ pid }) => pid).toSorted()).toEqual(workers().toSorted());
    expect(listed.filter(({ isLeader }) => isLeader)).toHaveLength(1);
  });
  const paths = Array.from({ length: 20 }, () => service.rest("GET", "/domain/list"));
  for (const answer of await Promise.all(paths)) expect(answer.status).toBe(200);
  const lines = service.process.output().stdout.split("\n");
  expect(lines.filter((line) => line.includes('"Zonesmith answers"'))).toHaveLength(1);
});

test("a scrape has the requests of both, and what is of the service once", async () => {
  const name = "zonesmith_http_requests_total";
  const before = await sumOf(name);
  await Promise.all(Array.from({ length: 30 }, () => service.rest("GET", "/domain/list")));
  await eventually(async () => expect(await sumOf(name)).toBe(before + 30));
  expect(await sumOf("zonesmith_database_up")).toBe(1);
  expect(await sumOf("zonesmith_leader")).toBe(1);
});

test("a worker that is killed is replaced, and the others go on", async () => {
  const killed = (await instances()).find(({ isLeader }) => isLeader)?.pid as number;
  process.kill(killed, "SIGKILL");
  await eventually(async () => {
    const now = workers();
    expect(now).toHaveLength(2);
    expect(now).not.toContain(killed);
    expect((await instances()).filter(({ pid }) => now.includes(pid))).toHaveLength(2);
  });
  expect(service.process.output().stdout).toContain("a worker ended; it is replaced after a pause");
});

test("updates over UDP and TCP are answered by whichever worker gets them", async () => {
  const key = await service.tsigKey({ name: "updates.example.com", userId });
  const client = new UpdateClient(() => service.dnsPort);
  await eventually(async () => expect((await client.update(zone, ["del b"], { key })).rcode).toBe("NOERROR"));
  const updates = Array.from({ length: 20 }, (_, at) =>
    client.update(zone, [`add u${at} 300 A 192.0.2.1`], { key, protocol: at % 2 ? "udp" : "tcp" }),
  );
  for (const answer of await Promise.all(updates)) expect(answer.rcode).toBe("NOERROR");
});

test("SIGTERM while writes run loses none, and ends all", async () => {
  const before = workers();
  const acknowledged: string[] = [];
  const others: unknown[] = [];
  let isStopping = false;
  const write = async (writer: number) => {
    for (let n = 0; !isStopping; n += 1) {
      const owner = `w${writer}-${n}`;
      const form = { zone, owner, rtype: "A", rdata: "192.0.2.1", ttl: 300 };
      const { status } = await service.rest("POST", "/record/add", { form });
      if (status === 201) acknowledged.push(owner);
      else others.push(status);
    }
  };
  const writers = Promise.all([0, 1, 2, 3].map(write));
  await eventually(() => acknowledged.length > 40);
  const ended = service.end();
  isStopping = true;
  await writers;
  expect([await ended, others, service.process.output().stderr]).toEqual([0, [], ""]);
  for (const pid of before) expect(() => process.kill(pid, 0)).toThrow();
  const stored = await services.sql<{ owner: string }>("select owner from zone_record where owner like 'w_-%'");
  expect(stored.map(({ owner }) => owner).toSorted()).toEqual(acknowledged.toSorted());
});

test("workers share the embedded PostgreSQL, which ends after them", async () => {
  const embedded = await RunningService.start({ WORKERS: "2" });
  await embedded.domains(zone);
  expect([await embedded.end(), embedded.process.output().stderr]).toEqual([0, ""]);
});
