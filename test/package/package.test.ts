/** The package as `npm pack` makes it: what is in it, and that it runs after a global installation, on either database, also that of 0.1. */
import { cpSync, symlinkSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { startEmbeddedPostgres } from "../../src/postgres/embedded.ts";
import { eventually } from "../setup/basics/eventually.ts";
import { temporaryFolder } from "../setup/basics/temporary-folder.ts";
import { freshDatabase, query } from "../setup/database/database.ts";
import { run, type Serving, serve, shellEnvironment } from "../setup/process/command.ts";
import type { Json } from "../setup/service/client.ts";
import { readRecorded } from "./upgrade/questions.ts";

const root = resolve(import.meta.dirname, "../..");
const folder = temporaryFolder();
const key = "administrator-key-of-the-package-test";
let files: string[] = [];
let zonesmith = "";

/** Packs a copy of the checkout, so that the build of other tests is not touched, and installs it into a prefix of its own. */
beforeAll(async () => {
  const copy = join(folder, "checkout");
  const left = new Set([".git", "coverage", "data", "dist", "node_modules"]);
  cpSync(root, copy, { recursive: true, filter: (path) => !left.has(basename(path)) });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const env = { ...shellEnvironment(), COMMIT: "0123456789ab" };
  await run("npm", ["pack", "--pack-destination", folder], { cwd: copy, env });
  const [tarball = ""] = (await run("ls", [folder])).split("\n").filter((name) => name.endsWith(".tgz"));
  const listed = await run("tar", ["-tzf", join(folder, tarball)]);
  files = [...listed.matchAll(/^package\/(.+)$/gm)].map(([, path]) => path as string);
  const prefix = join(folder, "prefix");
  await run("npm", ["install", "--global", "--prefix", prefix, "--no-audit", "--no-fund", join(folder, tarball)]);
  zonesmith = join(prefix, "bin/zonesmith");
}, 600_000);

function start(environment: Record<string, string>): Promise<Serving> {
  const settings = { HTTP_PORT: "0", DNS_PORT: "0", LOG_LEVEL: "info", ADMIN_API_KEY: key, ...environment };
  return serve(zonesmith, ["serve"], { cwd: folder, env: { PATH: shellEnvironment().PATH, ...settings } });
}

test("holds the built service and console, its schema its licence, and what runs beside it, and no test, bench or source file", () => {
  const outside = files.filter((path) => !/^dist\/(src|console|reference|graphiql)\//.test(path));
  expect(outside.toSorted()).toEqual([
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "deploy/after-install.sh",
    "deploy/grafana/zonesmith.json",
    "deploy/prometheus/zonesmith.rules.test.yml",
    "deploy/prometheus/zonesmith.rules.yml",
    "deploy/zonesmith.service",
    "dist/build-info.json",
    "package.json",
    "schema.graphql",
  ]);
  expect(files.filter((path) => path.startsWith("dist/src/") && !/\.js(\.map)?$/.test(path))).toEqual([]);
  expect(files).toContain("dist/src/migrations/20261121000000-first-tables.js");
  expect(files).toContain("dist/console/index.html");
  expect(files).toContain("dist/reference/index.html");
  expect(files.filter((path) => path.startsWith("dist/console/") && /\.(map|tsx?)$/.test(path))).toEqual([]);
});

test("is installed without the packages that the console is built from and what is never loaded, in less than 250 MB", async () => {
  const modules = join(folder, "prefix/lib/node_modules/zonesmith/node_modules");
  const installed = (await run("ls", [modules])).split("\n");
  expect(installed).toContain("express");
  const ofBuild = /^(react|react-dom|vite|graphiql|swagger-ui-dist|@tanstack|@scarf|@graphql-codegen)$/;
  expect(installed.filter((name) => ofBuild.test(name))).toEqual([]);
  expect(Number.parseInt(await run("du", ["-sm", join(folder, "prefix")]), 10)).toBeLessThan(250);
});

test("--version prints the version and the commit that was packed", async () => {
  expect(await run(zonesmith, ["--version"])).toMatch(/^\d+\.\d+\.\d+ \(commit 0123456789ab\)\n$/);
});

test("serves on a PostgreSQL of the operator; the stack of an error names files of the source", async () => {
  const databaseUrl = await freshDatabase();
  const service = await start({ DATABASE_URL: databaseUrl });
  try {
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    await query(databaseUrl, 'alter table "user" rename to gone');
    const response = await fetch(`${service.url}/api/user/list`, { headers: { "X-API-Key": key } });
    expect(response.status).toBe(500);
    const frame = /node_modules\/zonesmith\/src\/[\w/-]+\.ts:\d+:\d+/;
    await eventually(async () => expect(service.output()).toMatch(frame));
  } finally {
    expect(await service.stop()).toBe(0);
  }
});

test("serves the data folder of 0.1 on the embedded PostgreSQL, which was installed with it", async () => {
  const { dump, setup, answers } = readRecorded(join(import.meta.dirname, "upgrade/0.1"));
  const dataDir = temporaryFolder();
  const postgres = await startEmbeddedPostgres(dataDir);
  await query(postgres.url, dump);
  await postgres.stop();
  const service = await start({ ...setup.settings, DATA_DIR: dataDir });
  try {
    const headers = { "X-API-Key": setup.apiKeys.administrator as string };
    const domains = (await (await fetch(`${service.url}/api/domain/list`, { headers })).json()) as Json[];
    const before = answers.find((each) => "rest" in each && each.rest.path === "/domain/list")?.answer.body;
    const zonesOf = (list: readonly Json[]) => list.map(({ zone }) => zone);
    expect(zonesOf(domains)).toEqual(zonesOf(before));
  } finally {
    expect(await service.stop()).toBe(0);
  }
});
