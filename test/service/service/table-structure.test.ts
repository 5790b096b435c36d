/**
 * Tables that are not those of the version: the start says in one line what differs, doctor says it, and no backup is taken that could not
 * be restored.
 */
import { randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import { pino } from "pino";
import { readConfig } from "../../../src/config/config.ts";
import { reachDatabase } from "../../../src/doctor/database.ts";
import { openDatabase } from "../../../src/service/database/open-database.ts";
import { startDatabase } from "../../../src/service/database/start-database.ts";
import { takeBackup } from "../../../src/service/take-backup.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { Backups } from "../../setup/database/backups.ts";
import { emptyDatabase, query } from "../../setup/database/database.ts";
import { testService } from "../../setup/service/service.ts";

const backups = new Backups();
const service = testService({ LOG_LEVEL: "warn" });

/** The lines that a start on the database logs about its tables. */
async function saidAtStart(): Promise<string[]> {
  await service.pause();
  service.logged.length = 0;
  await service.run();
  return service.logged
    .map((line) => JSON.parse(line) as { readonly level: number; readonly msg: string })
    .filter(({ msg }) => msg.includes("the tables are not"))
    .map(({ level, msg }) => `${level} ${msg}`);
}

async function checked(): Promise<object[]> {
  await using resources = new AsyncDisposableStack();
  const { findings } = await reachDatabase(readConfig({ DATABASE_URL: service.databaseUrl }), resources);
  return findings.filter(({ check }) => check === "tables").map(({ fix: _, ...finding }) => finding);
}

const backup = () => backups.take(service.databaseUrl);
const sql = (statement: string) => query(service.databaseUrl, statement);

test("tables of this version are said to be, and an index more is nobody's matter", async () => {
  await sql("create index operators_own on zone_record (ttl)");
  expect(await saidAtStart()).toEqual([]);
  expect(await checked()).toEqual([{ check: "tables", level: "OK", finding: "those of this version" }]);
  await backup();
  await sql("drop index operators_own");
});

// What the migration of webhooks made before it was edited, and what else may be other.
test.each([
  [
    "alter table webhook drop column after_event_id",
    "alter table webhook add column after_event_id bigint not null",
    "webhook does not have the column after_event_id (bigint not null)",
  ],
  [
    "alter sequence outbox_event_id_seq minvalue 1 maxvalue 9223372036854775807",
    "alter sequence outbox_event_id_seq minvalue 1000000000000000 maxvalue 9007199254740991",
    "the sequence outbox_event_id_seq is from 1 to 9223372036854775807, not from 1000000000000000 to 9007199254740991",
  ],
  [
    "alter table instance alter column pid type bigint, alter column host drop not null",
    "alter table instance alter column pid type int, alter column host set not null",
    "the column instance.host is text, not text not null; the column instance.pid is bigint not null, not integer not null",
  ],
  ["create table operators_own (id int)", "drop table operators_own", "the table operators_own is not of this version"],
  [
    "alter table rrset_note rename to rrset_notes",
    "alter table rrset_notes rename to rrset_note",
    "the table rrset_note is missing; the table rrset_notes is not of this version",
  ],
])("after %s, which %s undoes, it is said what differs, and nothing is backed up", async (alter, undo, differences) => {
  await sql(alter);
  try {
    expect(await saidAtStart()).toEqual([
      `50 the tables are not those of this version: ${differences}; docs/upgrade.md says what to do`,
    ]);
    expect(await checked()).toEqual([{ check: "tables", level: "FAILURE", finding: `They differ: ${differences}.` }]);
    await expect(backup()).rejects.toThrow(
      `Nothing was written: the backup could not be restored, since the tables are not those of their version (${differences}).`,
    );
  } finally {
    await sql(undo);
  }
  await backup();
});

test("an index or a constraint that is missing is said, and keeps nobody from a backup", async () => {
  await sql("drop index webhook_delivery_webhook_id_index");
  await sql("alter table webhook drop constraint webhook_user_id_foreign");
  const differences =
    "webhook does not have the constraint webhook_user_id_foreign; webhook_delivery does not have the index webhook_delivery_webhook_id_index";
  expect(await saidAtStart()).toHaveLength(1);
  expect(await checked()).toEqual([{ check: "tables", level: "FAILURE", finding: `They differ: ${differences}.` }]);
  await backup();
});

/** A database as an earlier version made it. */
async function databaseOfBefore(): Promise<string> {
  const url = await emptyDatabase();
  const orm = await openDatabase({ url });
  await orm.migrator.up({ to: "20261123200000-webhooks" }).finally(() => orm.close(true));
  return url;
}

test("a database of an earlier version is backed up when its tables are those of that version", async () => {
  const url = await databaseOfBefore();
  await backups.take(url);
  await query(url, "alter table webhook drop column after_event_id");
  await expect(backups.take(url)).rejects.toThrow("webhook does not have the column after_event_id (bigint not null)");
  expect(await query(url, "select nspname from pg_namespace where nspname like 'zonesmith%'")).toEqual([]);
});

test("a migration that fails since the tables are not those of the earlier version says what differs", async () => {
  const url = await databaseOfBefore();
  await query(url, "alter table change_set rename column touched_at to altered_at");
  await using resources = new AsyncDisposableStack();
  const config = readConfig({ DATABASE_URL: url });
  await expect(startDatabase({ config, log: pino({ level: "silent" }), resources })).rejects.toThrow(
    /^The database could not be migrated, and is as it was \(column "touched_at" does not exist\): .*change_set has a column altered_at, which is not of this version; change_set does not have the column touched_at/,
  );
});

test("it serves where the look for zones with the example's names fails, and says so", async () => {
  await sql("alter table zone_record rename column rdata to other");
  try {
    await saidAtStart();
    const messages = () => service.logged.map((line) => JSON.parse(line).msg);
    await eventually(() => expect(messages()).toContain("could not look for zones with the example's names"));
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  } finally {
    await sql("alter table zone_record rename column other to rdata");
  }
});

test("what a role backs up that may make no schema is not compared where it is of an earlier version", async () => {
  const url = await databaseOfBefore();
  const role = `reader_${randomBytes(6).toString("hex")}`;
  await query(url, `create role ${role} login password 'reader'; grant pg_read_all_data to ${role}`);
  const config = readConfig({ DATABASE_URL: url.replace(/\/\/[^@]*@/, `//${role}:reader@`) });
  const take = () => takeBackup(config, backups.newFile(), () => {});
  try {
    expect(await take()).toMatchObject({ isCompared: false });
    await query(url, `alter role ${role} set default_transaction_read_only = on`);
    expect(await take()).toMatchObject({ isCompared: false });
  } finally {
    await query(url, `drop role ${role}`);
  }
});
