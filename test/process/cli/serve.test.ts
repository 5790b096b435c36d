/** The service as a process: how it ends and starts again, and what stops its start. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { freePort } from "../../setup/basics/free-port.ts";
import { processOf } from "../../setup/basics/linux-processes.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { CommandLine } from "../../setup/process/command-line.ts";
import { postmasterOf, postmastersBelow } from "../../setup/process/embedded-postgres.ts";
import { builtCommand, zonesmith } from "../../setup/process/process.ts";
import { RunningService } from "../../setup/process/running-service.ts";
import type { Json } from "../../setup/service/service.ts";

/** The folder of the tests that need no new one, whose first start takes longest. */
const folder = temporaryFolder();
const settings = { DATA_DIR: folder, LOG_LEVEL: "warn" };
const started: RunningService[] = [];
afterEach(async () => {
  for (const service of started.splice(0)) await service.end();
});

async function serve(more: Record<string, string> = {}): Promise<RunningService> {
  const service = await RunningService.start({ ...settings, ...more });
  started.push(service);
  return service;
}

const announced = () => JSON.parse(readFileSync(join(folder, "service.json"), "utf8")) as { pid: number; url: string };

test("SIGINT stops it cleanly, PostgreSQL too", async () => {
  const service = await serve();
  // A backend that was just forked is shown under the name of its parent for a moment.
  await postmasterOf(folder);
  expect([await service.end("SIGINT"), postmastersBelow(folder)]).toEqual([0, []]);
});

test("after kill -9 during writes the next start has every acknowledged record, a gap-free journal and one PostgreSQL", async () => {
  const first = await serve();
  const zone = "kill.example.com";
  await first.domains(zone);
  const acknowledged: string[] = [];
  const writer = async (name: string) => {
    for (let at = 0; ; at += 1) {
      const owner = `${name}-${at}`;
      try {
        const form = { zone, owner, rtype: "A", rdata: "192.0.2.1", ttl: 300 };
        const { status, text } = await first.rest("POST", "/record/add", { form });
        if (status !== 201) throw new Error(text);
        acknowledged.push(owner);
      } catch (error) {
        if (first.process.child.signalCode !== null || first.process.child.killed) return;
        throw error;
      }
      if (acknowledged.length === 200) first.process.child.kill("SIGKILL");
    }
  };
  await Promise.all(["a", "b", "c", "d", "e", "f", "g", "h"].map(writer));
  await first.process.ended();
  expect(acknowledged.length).toBeGreaterThanOrEqual(200);

  const second = await serve();
  await postmasterOf(folder);
  const journal = "changes(first: 1000, orderBy: CREATED) { nodes { serial previousSerial } }";
  const records = 'records(first: 1000, filter: { types: ["A"] }) { nodes { owner } }';
  const data = await second.data(`{ ${records} domain(by: { zone: "${zone}" }) { serial ${journal} } }`);
  const owners = new Set(data.records.nodes.map(({ owner }: Json) => owner));
  expect(acknowledged.filter((owner) => !owners.has(owner))).toEqual([]);
  const { serial, changes } = data.domain;
  const serials = changes.nodes.map((change: Json) => change.serial);
  expect(changes.nodes.map(({ previousSerial }: Json) => previousSerial)).toEqual([null, ...serials.slice(0, -1)]);
  expect([serials.length, serials.at(-1)]).toEqual([owners.size + 1, serial]);
});

test("a lost administrator key is replaced on the machine, while the service runs and while it does not", async () => {
  const status = async (service: RunningService, key: string) =>
    (await service.rest("GET", "/user/list", { key })).status;
  const recover = async () => {
    const [code, stdout, stderr] = await new CommandLine().run("keys recover", { DATA_DIR: folder });
    expect([code, stderr]).toEqual([0, ""]);
    return stdout.trim();
  };
  const service = await serve();
  const running = await recover();
  expect(await status(service, running)).toBe(200);
  await service.end();
  const stopped = await recover();
  const again = await serve();
  const statuses = [stopped, running, `${stopped}x`].map((key) => status(again, key));
  expect(await Promise.all(statuses)).toEqual([200, 200, 401]);
});

/** Lets the Node that the test starts say that it is older than the service needs. */
const nodeOf = (version: string) => `if (process.ppid === ${process.pid})
  Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;

const preloaded = (code: string) => ({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` });

test.each<[string, Record<string, string>]>([
  ["a Node that is new enough", {}],
  ["an older Node", preloaded(nodeOf("20.19.0"))],
  ["a Node 23 that cannot take them in its place", preloaded(nodeOf("23.10.0"))],
])(
  "started by %s it has the flags that keep its memory small, and kill -9 of what was started ends it",
  async (_by, more) => {
    const started = zonesmith(["serve"], { ...settings, HTTP_PORT: "0", ...more });
    const { pid } = await eventually(async () => {
      const service = announced();
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
      return service;
    });
    try {
      expect(pid === started.child.pid).toBe(!("NODE_OPTIONS" in more));
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      expect(words).toEqual(expect.arrayContaining(["--max-semi-space-size=16", "--heap-growing-percent=50"]));
    } finally {
      started.child.kill("SIGKILL");
      await eventually(() => expect([processOf(pid), postmastersBelow(folder)]).toEqual([undefined, []])).catch(
        (error) => {
          process.kill(pid, "SIGKILL");
          throw error;
        },
      );
    }
  },
);

test("a program that started it with a channel of its own, as process managers do, may close that", async () => {
  const execArgv = ["--max-semi-space-size=16", "--heap-growing-percent=50"];
  const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...settings, HTTP_PORT: "0", DNS_PORT: "0" };
  const child = fork(builtCommand, ["serve"], { execArgv, env, silent: true });
  const ended = once(child, "exit");
  try {
    const { url } = await eventually(() => {
      const service = announced();
      expect(service.pid).toBe(child.pid);
      return service;
    });
    child.disconnect();
    // A service that is stopped answers that it is not ready, or not at all.
    for (let times = 0; times < 20; times += 1) expect((await fetch(`${url}/readyz`)).status).toBe(200);
  } finally {
    child.kill("SIGINT");
    await ended;
  }
});

test.each<[string, () => Promise<Record<string, string>>, RegExp]>([
  ["settings with invalid values", async () => ({ TTL_MIN: "x", LOG_LEVEL: "loud" }), /TTL_MIN: .*; LOG_LEVEL: .*/],
  [
    "an unreachable database",
    async () => ({ DATABASE_URL: `postgresql://x:y@127.0.0.1:${await freePort()}/z` }),
    /database cannot be reached .*DATABASE_URL/,
  ],
  [
    "a data folder that is a file",
    async () => ({ DATA_DIR: process.execPath }),
    /is not a folder: move that file away, or set DATA_DIR/,
  ],
])("%s stops the start with one line that names the cure, and exit code 1", async (_what, environment, line) => {
  const given = { DATA_DIR: temporaryFolder(), LOG_LEVEL: "warn", ...(await environment()) };
  const [code, , stderr] = await new CommandLine().run("serve", given);
  expect([code, stderr.trim().split("\n")]).toEqual([1, [expect.stringMatching(line)]]);
});
