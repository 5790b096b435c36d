import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { freePort } from "../../setup/basics/free-port.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { freshDatabase } from "../../setup/database/database.ts";
import { postmastersBelow } from "../../setup/process/embedded-postgres.ts";
import { type ServiceProcess, zonesmith } from "../../setup/process/process.ts";

const started: ServiceProcess[] = [];
afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill("SIGTERM");
    await ended();
  }
});

/** The folder of the tests that need no new one, whose first start takes longest, and the key that this start has, whichever it is. */
const folder = temporaryFolder();
const key = "administrator-key-of-the-kill-test-0";

async function serve(environment: Record<string, string>): Promise<ServiceProcess & { url: string }> {
  const service = zonesmith(["serve"], { HTTP_PORT: "0", LOG_LEVEL: "warn", ...environment });
  started.push(service);
  return { ...service, url: await service.answersAt() };
}

test.each(["SIGTERM", "SIGINT"] as const)("%s stops it cleanly, PostgreSQL too", async (signal) => {
  const { child, ended } = await serve({ DATA_DIR: folder, ADMIN_API_KEY: key });
  // A backend that was just forked is shown under the name of its parent for a moment.
  await eventually(() => expect(postmastersBelow(folder)).toHaveLength(1));
  child.kill(signal);
  expect(await ended()).toBe(0);
  expect(postmastersBelow(folder)).toEqual([]);
});

test("after kill -9 during writes the next start has every acknowledged record, a gap-free journal and one PostgreSQL", async () => {
  const settings = { DATA_DIR: folder, ADMIN_API_KEY: key, RATE_LIMIT_KEY: "0", RATE_LIMIT_ADDRESS: "0" };
  const first = await serve(settings);
  const call = (url: string, path: string, fields: Record<string, string>) =>
    fetch(`${url}/api${path}`, { method: "POST", headers: { "X-API-Key": key }, body: new URLSearchParams(fields) });
  const user = (await (await call(first.url, "/user/add", { email: "kill@example.com" })).json()) as { id: string };
  await call(first.url, "/domain/add", { user_id: user.id, zone: "kill.example.com" });

  const acknowledged: string[] = [];
  const writer = async (name: string) => {
    for (let at = 0; ; at += 1) {
      const owner = `${name}-${at}`;
      try {
        const response = await call(first.url, "/record/add", {
          zone: "kill.example.com",
          owner,
          rtype: "A",
          rdata: "192.0.2.1",
          ttl: "300",
        });
        if (response.status !== 201) throw new Error(await response.text());
        await response.arrayBuffer();
        acknowledged.push(owner);
      } catch (error) {
        if (first.child.signalCode !== null || first.child.killed) return;
        throw error;
      }
      if (acknowledged.length === 200) first.child.kill("SIGKILL");
    }
  };
  await Promise.all(["a", "b", "c", "d", "e", "f", "g", "h"].map(writer));
  await first.ended();
  expect(acknowledged.length).toBeGreaterThanOrEqual(200);

  const second = await serve(settings);
  expect(postmastersBelow(folder)).toHaveLength(1);
  const list = await fetch(`${second.url}/api/record/list?zone=kill.example.com&type=A`, {
    headers: { "X-API-Key": key },
  });
  const owners = new Set(((await list.json()) as { owner: string }[]).map(({ owner }) => owner));
  expect(acknowledged.filter((owner) => !owners.has(owner))).toEqual([]);
  const query =
    '{ domain(by: { zone: "kill.example.com" }) { serial changes(first: 1000, orderBy: OLDEST) { nodes { serial previousSerial } } } }';
  const response = await fetch(`${second.url}/graphql`, {
    method: "POST",
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify({ query }),
  });
  const { data } = (await response.json()) as {
    data: { domain: { serial: number; changes: { nodes: { serial: number; previousSerial: number | null }[] } } };
  };
  const { nodes } = data.domain.changes;
  expect(nodes.slice(1).map(({ previousSerial }) => previousSerial)).toEqual(
    nodes.slice(0, -1).map(({ serial }) => serial),
  );
  expect([nodes.length, nodes.at(-1)?.serial]).toEqual([owners.size + 1, data.domain.serial]);
});

test("a lost administrator key is replaced on the machine, while the service runs and while it does not", async () => {
  const service = await serve({ DATA_DIR: folder, ADMIN_API_KEY: key });
  const recover = async () => {
    const command = zonesmith(["keys", "recover"], { DATA_DIR: folder });
    expect([await command.ended(), command.output().stderr]).toEqual([0, ""]);
    return command.output().stdout.trim();
  };
  const status = async (url: string, key: string) =>
    (await fetch(`${url}/api/user/list`, { headers: { "X-API-Key": key } })).status;
  const running = await recover();
  expect(await status(service.url, running)).toBe(200);
  service.child.kill("SIGTERM");
  await service.ended();
  const stopped = await recover();
  const again = await serve({ DATA_DIR: folder });
  expect([
    await status(again.url, stopped),
    await status(again.url, running),
    await status(again.url, `${stopped}x`),
  ]).toEqual([200, 200, 401]);
});

const cannot: [string, () => Promise<Record<string, string>>, RegExp][] = [
  ["settings with invalid values", async () => ({ TTL_MIN: "x", LOG_LEVEL: "loud" }), /TTL_MIN: .*; LOG_LEVEL: .*/],
  [
    "an unreachable database",
    async () => ({ DATABASE_URL: `postgresql://x:y@127.0.0.1:${await freePort()}/z` }),
    /database cannot be reached .*DATABASE_URL/,
  ],
  [
    "a data folder that is a file",
    async () => {
      const file = join(temporaryFolder(), "file");
      writeFileSync(file, "");
      return { DATA_DIR: file };
    },
    /is not a folder: move that file away, or set DATA_DIR/,
  ],
];
test.each(cannot)(
  "%s stops the start with one line that names the cure, and exit code 1",
  async (_what, environment, line) => {
    const service = zonesmith(["serve"], { DATA_DIR: temporaryFolder(), LOG_LEVEL: "warn", ...(await environment()) });
    expect(await service.ended()).toBe(1);
    const { stderr } = service.output();
    expect(stderr).toMatch(line);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  },
);

test("a taken port stops the start with one line that names the cure", async () => {
  const taken = createServer();
  taken.listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as { port: number };
  const service = zonesmith(["serve"], {
    DATABASE_URL: await freshDatabase(),
    HTTP_PORT: String(port),
    LOG_LEVEL: "warn",
  });
  expect(await service.ended()).toBe(1);
  expect(service.output().stderr).toBe(
    `zonesmith: Port ${port} on 127.0.0.1 is in use; stop what listens there, or set HTTP_PORT to a free port.\n`,
  );
  taken.close();
});
