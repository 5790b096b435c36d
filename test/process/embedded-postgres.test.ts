/** The embedded PostgreSQL on real processes: its start, its service and its end, whoever or whatever ends it. */

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import {
  ask,
  end,
  isRoot,
  postmasterOf,
  postmastersBelow,
  stranger,
  testPostgresFolders,
  urlOf,
} from "../setup/process/embedded-postgres.ts";

const folders = testPostgresFolders();

/** The stop of a PostgreSQL that hangs; it goes on beside the other tests. */
let hungStop: Promise<void>;
beforeAll(async () => {
  const dataDir = folders.seeded();
  const postgres = await folders.start(dataDir);
  for (const postmaster of postmastersBelow(dataDir)) process.kill(postmaster, "SIGSTOP");
  hungStop = postgres.stop();
});

test("the first start makes a durable PostgreSQL 18 in the C locale, and later starts keep its data", async () => {
  const dataDir = join(folders.folder(), "not", "yet", "there");
  const first = await folders.start(dataDir);
  const settings = await ask(
    first.url,
    `select current_database() as name, current_setting('server_version_num')::int / 10000 as major,
            current_setting('fsync') as fsync, datcollate, pg_encoding_to_char(encoding) as encoding
     from pg_database where datname = current_database()`,
  );
  expect(settings).toEqual([{ name: "zonesmith", major: 18, fsync: "on", datcollate: "C", encoding: "UTF8" }]);
  await ask(first.url, "create table kept as select 7 as n");
  await first.stop();
  const later = await folders.start(dataDir, { settings: { max_connections: "17" } });
  expect(await ask(later.url, "select n, current_setting('max_connections') as most from kept")).toEqual([
    { n: 7, most: "17" },
  ]);
  await later.stop();
});

test("it listens on a socket in a private folder only, and asks for the generated password", async () => {
  const dataDir = folders.folder();
  const postgres = await folders.start(dataDir);
  const home = join(dataDir, "postgres");
  const modes = [home, join(home, "socket"), join(home, "cluster"), join(home, "cluster/password")];
  expect(modes.map((path) => fs.statSync(path).mode & 0o777)).toEqual([0o700, 0o700, 0o700, 0o600]);
  const rules = await ask(postgres.url, "select distinct auth_method from pg_hba_file_rules");
  expect(rules).toEqual([{ auth_method: "scram-sha-256" }]);
  expect(await ask(postgres.url, "select current_setting('listen_addresses') as at")).toEqual([{ at: "" }]);
  await expect(ask(postgres.url.replace(/:[0-9a-f]{48}@/, ":guess@"), "select 1")).rejects.toThrow(/password/);
  if (isRoot) {
    const socket = join(home, "socket/.s.PGSQL.5432");
    const seenBy = (uid: number) => spawnSync("test", ["-S", socket], { uid, gid: uid, cwd: "/" }).status === 0;
    expect([seenBy(0), seenBy(stranger), seenBy(65534)]).toEqual([true, false, false]);
  }
  await postgres.stop();
});

test("PostgreSQL goes down with a service killed by -9, and the next start finds what was committed", async () => {
  const dataDir = folders.seeded();
  const killed = folders.service(dataDir);
  await ask(urlOf(await killed.outcome), "create table kept as select 7 as n");
  killed.child.kill("SIGKILL");
  await eventually(() => postmastersBelow(dataDir).length === 0);
  const next = folders.service(dataDir);
  expect(await ask(urlOf(await next.outcome), "select n from kept")).toEqual([{ n: 7 }]);
  await end(next);
});

test("a first start killed by -9 on its way leaves nothing that hinders the next", async () => {
  const dataDir = folders.folder();
  const killed = folders.service(dataDir);
  await eventually(() => fs.existsSync(join(dataDir, "postgres/initdb/cluster/base")));
  killed.child.kill("SIGKILL");
  await killed.gone;
  const next = folders.service(dataDir);
  await ask(urlOf(await next.outcome), "select 1");
  await postmasterOf(dataDir);
  await end(next);
  expect(fs.readdirSync(join(dataDir, "postgres")).sort()).toEqual(["cluster", "lock"]);
});

test("without setpriv it says so, and the next start stops the PostgreSQL left behind", async () => {
  const dataDir = folders.seeded();
  const bin = folders.folder();
  for (const name of ["test", "flock", "unshare"]) fs.symlinkSync(`/usr/bin/${name}`, join(bin, name));
  const killed = folders.service(dataDir, { env: { PATH: bin } });
  await ask(urlOf(await killed.outcome), "create table kept as select 7 as n");
  expect(killed.log.join("\n")).toMatch(/setpriv \(util-linux\) is missing/);
  killed.child.kill("SIGKILL");
  await killed.gone;
  const orphan = await postmasterOf(dataDir);
  const next = folders.service(dataDir);
  expect(await ask(urlOf(await next.outcome), "select n from kept")).toEqual([{ n: 7 }]);
  expect(next.log.join("\n")).toMatch(`Stopping the PostgreSQL that an earlier run left`);
  expect(await postmasterOf(dataDir)).not.toBe(orphan);
  await end(next);
});

test("stop ends a PostgreSQL that is just being started again, and it stays ended", async () => {
  const dataDir = folders.seeded();
  const postgres = await folders.start(dataDir, { restartDelaysMs: [60_000] });
  process.kill(await postmasterOf(dataDir), "SIGKILL");
  await eventually(() => postmastersBelow(dataDir).length === 0);
  await postgres.stop();
  expect(postmastersBelow(dataDir)).toEqual([]);
  await (await folders.start(dataDir)).stop();
});

test("a PostgreSQL that is suspended, with its backends, is stopped cleanly", async () => {
  const dataDir = folders.seeded();
  const postgres = await folders.start(dataDir);
  const client = ask(postgres.url, "select pg_sleep(600)").catch(() => "ended");
  const sleeping = "select pid from pg_stat_activity where wait_event = 'PgSleep'";
  const [backend] = await eventually(async () => {
    const rows = (await ask(postgres.url, sleeping)) as { pid: number }[];
    expect(rows).toHaveLength(1);
    return rows;
  });
  for (const pid of [backend?.pid as number, ...postmastersBelow(dataDir)]) process.kill(pid, "SIGSTOP");
  await postgres.stop();
  expect(await client).toBe("ended");
  expect(postmastersBelow(dataDir)).toEqual([]);
  const control = fs.readFileSync(join(dataDir, "postgres/cluster/postmaster.pid"), { encoding: "utf8", flag: "a+" });
  expect(control).toBe("");
  await (await folders.start(dataDir)).stop();
});

test("a stale process id does not hinder the next start", async () => {
  const dataDir = folders.seeded();
  const postgres = await folders.start(dataDir, { restartDelaysMs: [] });
  process.kill(await postmasterOf(dataDir), "SIGKILL");
  await new Promise<string>((resolve) => postgres.onExit(resolve));
  await postgres.stop();
  const pidFile = join(dataDir, "postgres/cluster/postmaster.pid");
  const text = fs.readFileSync(pidFile, "utf8").replace(/^\d+/, String(process.pid)); // the id went to someone else
  fs.writeFileSync(pidFile, text);
  const next = await folders.start(dataDir);
  await ask(next.url, "select 1");
  await next.stop();
});

test("stop ends running queries, may be called twice, reports no death and frees the folder", async () => {
  const dataDir = folders.seeded();
  const postgres = await folders.start(dataDir);
  const reports: string[] = [];
  postgres.onExit((lastLines) => reports.push(lastLines));
  const busy = ask(postgres.url, "select pg_sleep(600)").catch((error: Error) => error.message);
  const sleeping = "select from pg_stat_activity where wait_event = 'PgSleep'";
  await eventually(async () => (await ask(postgres.url, sleeping)).length > 0);
  await Promise.all([postgres.stop(), postgres.stop()]);
  expect(await busy).toMatch(/terminat|shutting down/);
  expect(postmastersBelow(dataDir)).toEqual([]);
  expect(reports).toEqual([]);
  await (await folders.start(dataDir)).stop();
});

test("a path too long for a socket gets a short private folder for it", async () => {
  const dataDir = join(folders.folder(), "x".repeat(60), "y".repeat(60));
  const postgres = await folders.start(dataDir);
  const socketDir = decodeURIComponent(new URL(postgres.url).hostname);
  expect(socketDir.length).toBeLessThan(90);
  expect(fs.statSync(socketDir).mode & 0o777).toBe(0o700);
  await ask(postgres.url, "select 1");
  await postgres.stop();
  expect(fs.existsSync(socketDir)).toBe(false);
});

test("stop comes to its end even when PostgreSQL does not answer", async () => {
  await hungStop;
});
