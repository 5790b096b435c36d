/**
 * The commands of docs/upgrade.md, in their order and as they are written there, on a PostgreSQL with the database of 0.1: only its address, the
 * folders of the package and what systemd and npm do are put in. The earlier version of the way back is the present one.
 */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect } from "@jest/globals";
import { blocksOf, root } from "../../setup/basics/documents.ts";
import { freePort } from "../../setup/basics/free-port.ts";
import { testWith } from "../../setup/basics/programs.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { contentOf } from "../../setup/database/any-rows.ts";
import { query } from "../../setup/database/database.ts";
import { RunningService } from "../../setup/process/running-service.ts";
import { binariesFolder, DebianPostgres } from "../../setup/servers/debian-postgres.ts";
import { readRecorded } from "./questions.ts";

const test = testWith("pg_dump", "pg_restore");
const recorded = readRecorded(join(import.meta.dirname, "0.1"));
const key = recorded.setup.apiKeys.administrator as string;
const postgres = new DebianPostgres();
let service: RunningService | undefined;
afterAll(async () => {
  await service?.end();
  await postgres.stop();
});

/** The lines of the blocks of a section, those within its lists apart. */
function commandsOf(section: string): { readonly lines: readonly string[]; readonly inLists: readonly string[] } {
  const blocks = blocksOf("docs/upgrade.md", "sh").filter(({ heading }) => heading === section);
  const linesOf = (isInList: boolean) =>
    blocks.filter(({ inList }) => inList === isInList).flatMap(({ text }) => text.trimEnd().split("\n"));
  return { lines: linesOf(false), inLists: linesOf(true) };
}

const folder = temporaryFolder();
const dataFolder = join(folder, "data");
const environmentFile = join(folder, "environment");
let settings: Record<string, string> = {};
/** The lines that what comes later needs again, each in a shell of its own. */
const kept: string[] = [];

/** Does what a line says; returns what it prints. */
async function type(line: string): Promise<string> {
  if (line === "systemctl stop zonesmith") {
    await service?.end();
    service = undefined;
    return "";
  }
  if (line === "systemctl start zonesmith") {
    service = await RunningService.start({ ...settings, DATA_DIR: dataFolder }, key);
    return "";
  }
  if (/^npm install --global --prefix \/opt\/zonesmith zonesmith-(\d+\.\d+\.\d+|EARLIER)\.tgz$/.test(line)) return "";
  const [, url] = /^export DATABASE_URL=(\S+)$/.exec(line) ?? [];
  if (url !== undefined) settings = { ...settings, DATABASE_URL: await emptyDatabase(new URL(url).pathname.slice(1)) };
  const typed = line
    .replace("/etc/zonesmith/environment", environmentFile)
    .replace("/var/lib/zonesmith", dataFolder)
    .replace("/opt/zonesmith/bin", join(root, "bin"))
    .replace(url ?? "no url", settings.DATABASE_URL as string);
  if (/^(set -a;|export )/.test(line)) {
    kept.push(typed);
    return "";
  }
  const env = { PATH: `${binariesFolder()}:${process.env.PATH}`, HOME: "/nowhere", ZONESMITH_API_KEY: key };
  const script = [...kept, typed].join("\n");
  const ended = promisify(execFile)("bash", ["--norc", "-euc", script], { cwd: folder, env, encoding: "utf8" });
  // The secondaries of the database are away, which doctor says as a failure.
  const { stdout, stderr } = await (line === "zonesmith doctor" ? ended.catch((error) => error) : ended);
  return stdout + stderr;
}

/** Creates an empty database on the server of the test; returns its URL. */
async function emptyDatabase(name: string): Promise<string> {
  await query(postgres.url, `create database ${name}`);
  return postgres.url.replace(/zonesmith$/, name);
}

/** The rows of all tables, without the values of sequences. */
const rowsOf = async (url: string) =>
  Object.fromEntries(Object.entries(await contentOf(url)).filter(([name]) => !name.endsWith("_seq")));

const records = `select r.id, d.zone, r.owner, r.type, r.ttl, r.rdata from zone_record r join domain d on d.id = r.domain_id
  where d.user_id is not null and r.type <> 'SOA' order by r.id`;

test("the commands of an upgrade, and of the way back, do what the document says, from the database of 0.1", async () => {
  await postgres.start();
  await query(postgres.url, recorded.dump);
  const before = await rowsOf(postgres.url);
  const ports = { HTTP_PORT: String(await freePort()), DNS_PORT: String(await freePort()) };
  settings = { ...recorded.setup.settings, ...ports, DATABASE_URL: postgres.url };
  const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`);
  writeFileSync(environmentFile, lines.join(""));

  const upgrade = commandsOf("One instance");
  expect([upgrade.lines.length, upgrade.inLists.length]).toEqual([8, 1]);
  const printed = new Map<string, string>();
  for (const line of upgrade.lines) {
    // The second copy is taken where the service is stopped.
    if (line.startsWith("systemctl start")) for (const each of upgrade.inLists) await type(each);
    printed.set(line, await type(line));
  }
  expect(printed.get("zonesmith backup before-upgrade.tar.gz")).toContain(" rows in ");
  expect(printed.get("zonesmith doctor")).toMatch(/OK +migrations: all \d+ have run\n/);
  expect(printed.get("zonesmith doctor")).toMatch(/OK +tables: those of this version\n/);
  expect(printed.get("zonesmith status")).toContain("zones");
  const upgraded = await query(postgres.url, records);
  expect(upgraded.length).toBeGreaterThan(100);

  const back = commandsOf("The way back");
  expect([back.lines.length, back.lines.at(-1)]).toEqual([
    6,
    'pg_restore --no-owner --single-transaction -d "$DATABASE_URL" before-upgrade.dump',
  ]);
  // Not the file of the upgrade.
  expect(back.lines.filter((line) => line.startsWith("npm install"))).toEqual([expect.stringContaining("EARLIER")]);
  for (const line of back.lines.slice(0, -1)) await type(line);
  expect(await query(settings.DATABASE_URL as string, records)).toEqual(upgraded);
  await type("systemctl stop zonesmith");
  await type("export DATABASE_URL=postgresql://zonesmith@127.0.0.1/zonesmith_of_before");
  await type(back.lines.at(-1) as string);
  expect(await rowsOf(settings.DATABASE_URL as string)).toEqual(before);
});
