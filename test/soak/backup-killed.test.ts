/**
 * A restore that is killed in the middle leaves the database empty, and a backup that is killed leaves no file of its name.
 */
import { existsSync } from "node:fs";
import { expect, test } from "@jest/globals";
import pg from "pg";
import { eventually } from "../setup/basics/eventually.ts";
import { contentOf, fillTables } from "../setup/database/any-rows.ts";
import { testBackups } from "../setup/database/backups.ts";
import { query } from "../setup/database/database.ts";
import { zonesmith } from "../setup/process/process.ts";

const backups = testBackups();

/** How many statements of a database wait for a lock. */
async function waiting(url: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    url,
    "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return row?.count ?? 0;
}

/** Runs something while a statement of its own holds this up; returns when it is over and everything else has ended. */
async function whileHeld(url: string, statement: string, run: () => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query(statement);
    await run();
  } finally {
    await holder.end();
  }
}

test("kill -9 in the middle of a restore leaves an empty database, into which it is restored again", async () => {
  const [source, target] = [await backups.fresh(), await backups.fresh()];
  await fillTables(source);
  const file = await backups.take(source);
  // Its rows are loaded after those of users and domains.
  await query(
    target,
    `create function hold() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(1); return new; end $$;
    create trigger hold before insert on zone_record for each row execute function hold()`,
  );
  await whileHeld(target, "select pg_advisory_xact_lock(1)", async () => {
    const restore = zonesmith(["restore", file, "--any-secret-key"], { DATABASE_URL: target });
    await eventually(async () => (await waiting(target)) === 1);
    restore.child.kill("SIGKILL");
    await restore.ended();
  });
  await eventually(async () => expect((await contentOf(target)).user).toEqual([]));
  const again = zonesmith(["restore", file, "--any-secret-key"], { DATABASE_URL: target });
  expect([await again.ended(), again.output().stderr]).toEqual([0, ""]);
  expect((await contentOf(target)).zone_record).toEqual((await contentOf(source)).zone_record);
});

test("kill -9 in the middle of a backup leaves no file of its name, or the one of before", async () => {
  const source = await backups.fresh();
  await fillTables(source);
  const file = backups.newFile();
  await whileHeld(source, "lock table zone_record in access exclusive mode", async () => {
    const backup = zonesmith(["backup", file], { DATABASE_URL: source });
    await eventually(async () => (await waiting(source)) === 1);
    backup.child.kill("SIGKILL");
    await backup.ended();
  });
  expect(existsSync(file)).toBe(false);
});
