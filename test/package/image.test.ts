/**
 * The container image, built from an empty folder by its Dockerfile's own steps and run as it is run there: as an ordinary user, on
 * files that nobody may write, with its environment and nothing else. Limitation: the isolation of a real engine is not tested.
 */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { freePort } from "../setup/basics/free-port.ts";
import { temporaryFolder } from "../setup/basics/temporary-folder.ts";
import { freshDatabase } from "../setup/database/database.ts";
import { DatabaseProxy } from "../setup/database/database-proxy.ts";
import { build, type Image } from "../setup/package/dockerfile.ts";

const folder = temporaryFolder();
let image: Image;
beforeAll(async () => {
  image = await build("deploy/Dockerfile", resolve(import.meta.dirname, "../.."), folder, { COMMIT: "0123456789ab" });
  image.seal();
}, 600_000);
afterAll(() => {
  // Root alone removes files of folders that nobody may write.
  if (process.getuid?.() !== 0) execFileSync("chmod", ["-R", "u+w", folder]);
});

test("serves as an ordinary user on a read-only file system; the health check follows its readiness", async () => {
  const databaseUrl = await freshDatabase();
  // By TCP, as a container does; the test server may listen on a socket that only its owner may open.
  const database = new DatabaseProxy(databaseUrl);
  const ports = { HTTP_PORT: String(await freePort()), DNS_PORT: "0" };
  const healthy = () =>
    image.run(image.stage.healthcheck, ports).then(
      () => true,
      () => false,
    );
  expect(await healthy()).toBe(false);
  const service = await image.serve({ ...ports, DATABASE_URL: await database.open() });
  try {
    const response = await fetch(`${service.url}/readyz`);
    expect([response.status, await response.json()]).toEqual([200, { status: "ready" }]);
    expect(await healthy()).toBe(true);
  } finally {
    expect(await service.stop()).toBe(0);
  }
  expect(await healthy()).toBe(false);
  await database.close();
});

test("its commands are on the PATH, and --version names the commit it was built from", async () => {
  expect(await image.run(["zonesmith", "--version"])).toMatch(/^\d+\.\d+\.\d+ \(commit 0123456789ab\)\n$/);
});

test("holds what the service needs to run, and neither its tests nor its source", async () => {
  const files = (await image.run(["ls", "-A", "."])).split("\n").filter(Boolean);
  expect(files).toEqual(["LICENSE", "bin", "dist", "node_modules", "package.json", "schema.graphql"]);
  expect(await image.run(["ls", "-A", "dist"])).toBe("build-info.json\nconsole\ngraphiql\nreference\nsrc\n");
});
