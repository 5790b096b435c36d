/** A restore that is killed in the middle leaves the database empty, and a backup that is killed leaves no file of its name. */
import { existsSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { contentOf, fillTables } from "../setup/database/any-rows.ts";
import { Backups } from "../setup/database/backups.ts";
import { freshDatabase, query } from "../setup/database/database.ts";
import { zonesmith } from "../setup/process/process.ts";
import { RowLock } from "../setup/service/row-lock.ts";

const backups = new Backups();

/** Kills a command while a statement of the test's own holds it up. */
async function killHeld(url: string, statement: string, words: readonly string[]): Promise<void> {
  const lock = await RowLock.take(url);
  await lock.run(statement);
  const command = zonesmith(words, { DATABASE_URL: url });
  await lock.waiters(1);
  command.child.kill("SIGKILL");
  await command.ended();
  await lock.release();
}

test("kill -9 in the middle of a restore leaves an empty database, into which it is restored again", async () => {
  const [source, target] = [await freshDatabase(), await freshDatabase()];
  await fillTables(source);
  const file = await backups.take(source);
  // Its rows are loaded after those of users and domains.
  await query(
    target,
    `create function hold() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(1); return new; end $$;
    create trigger hold before insert on zone_record for each row execute function hold()`,
  );
  await killHeld(target, "select pg_advisory_xact_lock(1)", ["restore", file, "--any-secret-key"]);
  await eventually(async () => expect((await contentOf(target)).user).toEqual([]));
  const again = zonesmith(["restore", file, "--any-secret-key"], { DATABASE_URL: target });
  expect([await again.ended(), again.output().stderr]).toEqual([0, ""]);
  expect((await contentOf(target)).zone_record).toEqual((await contentOf(source)).zone_record);
});

test("kill -9 in the middle of a backup leaves no file of its name", async () => {
  const source = await freshDatabase();
  await fillTables(source);
  const file = backups.newFile();
  await killHeld(source, "lock table zone_record in access exclusive mode", ["backup", file]);
  expect(existsSync(file)).toBe(false);
});
