/** What is restored is what was there: every row of every table, whichever tables there are, and the ids that are given next. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, expect, test } from "@jest/globals";
import { checkBackup } from "../../src/backup/read-backup.ts";
import { migrate } from "../../src/service/database/migrate.ts";
import { openDatabase } from "../../src/service/database/open-database.ts";
import { temporaryFolder } from "../setup/basics/temporary-folder.ts";
import { contentOf, fillTables, tableNames } from "../setup/database/any-rows.ts";
import { Backups } from "../setup/database/backups.ts";
import { emptyDatabase, freshDatabase, query } from "../setup/database/database.ts";
import { run } from "../setup/process/command.ts";

const backups = new Backups();
let source: string;
let file: string;
beforeAll(async () => {
  source = await freshDatabase();
  await fillTables(source);
  await query(source, "update webhook set enabled = false");
  file = await backups.take(source);
});

test("a backup has every table of the schema, and here each has rows", async () => {
  const { tables } = await checkBackup(file, () => {});
  expect(tables.map(({ name }) => name).toSorted()).toEqual((await tableNames(source)).toSorted());
  expect(tables.filter(({ rows }) => rows === 0)).toEqual([]);
});

test("all rows, and the next ids, are those of the database that was backed up", async () => {
  const target = await emptyDatabase();
  await backups.restore(file, target);
  const migrations = "select name from mikro_orm_migrations order by id";
  expect(await query(target, migrations)).toEqual(await query(source, migrations));
  expect(await contentOf(target)).toEqual(await contentOf(source));
});

test("webhooks are switched off, so that a copy sends nothing to the receivers of the original", async () => {
  const [origin, target] = [await freshDatabase(), await emptyDatabase()];
  await fillTables(origin);
  await query(origin, "update webhook set enabled = true, disabled_reason = null");
  await backups.restore(await backups.take(origin), target);
  expect(await query(target, "select distinct enabled, disabled_reason as reason from webhook")).toEqual([
    { enabled: false, reason: expect.stringContaining("It was restored from a backup") },
  ]);
});

test("a database that has the tables and no rows is filled too", async () => {
  const [origin, target] = [await emptyDatabase(), await freshDatabase()];
  await backups.restore(file, origin);
  await backups.restore(file, target);
  expect(await contentOf(target)).toEqual(await contentOf(origin));
});

test("tables that are longer than a file of the archive are whole", async () => {
  const [long, target] = [await freshDatabase(), await emptyDatabase()];
  const statement = `insert into "user" (email) select repeat(md5(n::text), 40) || n from generate_series(1, 3000) n`;
  await query(long, statement);
  const whole = await backups.take(long);
  expect(gunzipSync(readFileSync(whole)).includes("data/user/000003")).toBe(true);
  await backups.restore(whole, target);
  expect(await contentOf(target)).toEqual(await contentOf(long));
});

test("a role that may only read takes the same backup", async () => {
  const role = `reader_${randomBytes(6).toString("hex")}`;
  await query(source, `create role ${role} login password 'reader'; grant pg_read_all_data to ${role}`);
  try {
    const taken = await backups.take(source.replace(/\/\/[^@]*@/, `//${role}:reader@`));
    const { tables } = await checkBackup(taken, () => {});
    expect(tables).toEqual((await checkBackup(file, () => {})).tables);
  } finally {
    await query(source, `drop role ${role}`);
  }
});

test("it is an archive that tar reads and sha256sum checks", async () => {
  const folder = temporaryFolder();
  await run("tar", ["-xzf", file, "-C", folder]);
  expect(await run("sha256sum", ["-c", "manifest.sha256"], { cwd: folder })).toBe("manifest.json: OK\n");
  const { tables } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  const [user] = tables.filter(({ name }: { name: string }) => name === "user");
  const sum = await run("sh", ["-c", "cat data/user/* | sha256sum"], { cwd: folder });
  expect(sum).toBe(`${user.sha256}  -\n`);
});

test("a backup of version 0.1 is restored and becomes what its database becomes", async () => {
  const [old, target] = [await emptyDatabase(), await emptyDatabase()];
  await query(old, readFileSync(join(import.meta.dirname, "../package/upgrade/0.1/dump.sql"), "utf8"));
  const taken = await backups.take(old);
  const orm = await openDatabase({ url: old });
  try {
    await migrate(orm);
  } finally {
    await orm.close(true);
  }
  await backups.restore(taken, target);
  expect(await contentOf(target)).toEqual(await contentOf(old));
});
