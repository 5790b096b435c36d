/**
 * The container image, built from an empty folder by its Dockerfile's own steps and run as it is run there: as an ordinary user, on
 * files that nobody may write, with its environment and nothing else. Limitation: the isolation of a real engine is not tested.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { freePort } from "../setup/basics/free-port.ts";
import { temporaryFolder } from "../setup/basics/temporary-folder.ts";
import { dropDatabase, freshDatabase } from "../setup/database/database.ts";
import { build, type Image } from "../setup/package/dockerfile.ts";

const folder = temporaryFolder();
let image: Image;
beforeAll(async () => {
  image = await build("deploy/Dockerfile", resolve(import.meta.dirname, "../.."), folder, { COMMIT: "0123456789ab" });
  image.seal();
}, 600_000);
afterAll(() => {
  if (process.getuid?.() !== 0) execFileSync("chmod", ["-R", "u+w", folder]);
  rmSync(folder, { recursive: true, force: true });
});

/** Lets the image reach a database by TCP, as a container does; the test server may listen on a socket that only its owner may open. */
async function overTcp(databaseUrl: string): Promise<{ server: Server; url: string }> {
  const [, before = "", host = "", port = 5432, after = ""] =
    /^(.*@)([^/:]+)(?::(\d+))?(\/.*)$/.exec(databaseUrl) ?? [];
  const folder = decodeURIComponent(host);
  const server = createServer((client) => {
    const to = folder.startsWith("/") ? { path: `${folder}/.s.PGSQL.${port}` } : { host, port: Number(port) };
    const database = connect(to);
    for (const [from, into] of [
      [client, database],
      [database, client],
    ] as const) {
      from.on("error", () => into.destroy());
      from.pipe(into);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, url: `${before}127.0.0.1:${(server.address() as AddressInfo).port}${after}` };
}

test("serves as an ordinary user on a read-only file system; the health check follows its readiness", async () => {
  const databaseUrl = await freshDatabase();
  const database = await overTcp(databaseUrl);
  const ports = { HTTP_PORT: String(await freePort()), DNS_PORT: "0" };
  const healthy = () =>
    image.run(image.stage.healthcheck, ports).then(
      () => true,
      () => false,
    );
  expect(await healthy()).toBe(false);
  const service = await image.serve({ ...ports, DATABASE_URL: database.url });
  try {
    const response = await fetch(`${service.url}/readyz`);
    expect([response.status, await response.json()]).toEqual([200, { status: "ready" }]);
    expect(await healthy()).toBe(true);
  } finally {
    expect(await service.stop()).toBe(0);
  }
  expect(await healthy()).toBe(false);
  database.server.close();
  await dropDatabase(databaseUrl);
});

test("its commands are on the PATH, and --version names the commit it was built from", async () => {
  expect(await image.run(["zonesmith", "--version"])).toMatch(/^\d+\.\d+\.\d+ \(commit 0123456789ab\)\n$/);
});

test("holds what the service needs to run, and neither its tests nor its source", async () => {
  const files = (await image.run(["ls", "-A", "."])).split("\n").filter(Boolean);
  expect(files).toEqual(["LICENSE", "bin", "dist", "node_modules", "package.json", "schema.graphql"]);
  expect(await image.run(["ls", "-A", "dist"])).toBe("build-info.json\nconsole\ngraphiql\nreference\nsrc\n");
});
