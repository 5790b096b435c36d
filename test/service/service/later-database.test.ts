/**
 * A database that a later version has migrated: an earlier one serves it only where the database says that it may, and ends when it is
 * migrated meanwhile; what it may not use, it says in one line.
 */
import { beforeEach, expect, test } from "@jest/globals";
import { readConfig } from "../../../src/config/config.ts";
import { reachDatabase } from "../../../src/doctor/database.ts";
import { recoverKey } from "../../../src/service/recover-key.ts";
import { buildInfo } from "../../../src/version.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { Backups } from "../../setup/database/backups.ts";
import { query } from "../../setup/database/database.ts";
import { testService } from "../../setup/service/service.ts";

const backups = new Backups();
const service = testService({ LOG_LEVEL: "warn" });
beforeEach(async () => {
  await sql("delete from mikro_orm_migrations where name like '2099%'");
  await sql("delete from compatible_migration where name like '2099%'");
  service.logged.length = 0;
});

const sql = (statement: string) => query(service.databaseUrl, statement);
const migrateLater = (name: string) => sql(`insert into mikro_orm_migrations (name) values ('${name}')`);
const allow = (name: string, version: string) =>
  sql(`insert into compatible_migration values ('${name}', '${version}')`);

/** The line of the log that speaks of a later version. */
const saidOfLater = () =>
  service.logged.map((line) => JSON.parse(line).msg as string).filter((msg) => msg.includes("a later version"));

async function checked(): Promise<string[]> {
  await using resources = new AsyncDisposableStack();
  const { findings } = await reachDatabase(readConfig({ DATABASE_URL: service.databaseUrl }), resources);
  return findings
    .filter(({ check }) => check === "migrations" || check === "tables")
    .map(({ check, level, finding }) => `${level} ${check}: ${finding}`);
}

const ready = async () => {
  const response = await fetch(`${service.url}/readyz`);
  return [response.status, ((await response.json()) as { reason?: string }).reason];
};

const refusal = (names: string) =>
  new RegExp(
    `^The database is that of a later version: it has run ${names}, which this version, .+, does not know. Start the later version, on every machine; docs/upgrade.md says what else there is.$`,
  );

test("nothing starts on a database that a later version has migrated, and nothing is read from it by a command", async () => {
  await service.pause();
  await migrateLater("20990101000000-later");
  await migrateLater("20990102000000-last");
  await allow("20990101000000-later", "0.0.1");
  const names = "20990102000000-last";
  await expect(service.run()).rejects.toThrow(refusal(names));
  const config = readConfig({ DATABASE_URL: service.databaseUrl });
  await expect(recoverKey(config, "spare")).rejects.toThrow(refusal(names));
  await expect(backups.take(service.databaseUrl)).rejects.toThrow(refusal(names));
  expect(await checked()).toEqual([
    expect.stringMatching(`^FAILURE migrations: The database is that of a later version: it has run ${names}`),
  ]);
});

const { version } = buildInfo();
const nextVersion = version.replace(/\d+$/, (patch) => String(Number(patch) + 1));

test.each(["99.0.0", nextVersion, "0.2", "any"])(
  "nor where the least version is %s, and this one is below it",
  async (least) => {
    await service.pause();
    await migrateLater("20990101000000-later");
    await allow("20990101000000-later", least);
    await expect(service.run()).rejects.toThrow(refusal("20990101000000-later"));
  },
);

test("where the database says for each that this version may go on, it does, and says so once", async () => {
  await service.pause();
  for (const name of ["20990101000000-later", "20990102000000-last"]) {
    await migrateLater(name);
    await allow(name, version);
  }
  await sql("create table later (id int)");
  await service.run();
  const said =
    /^the database is that of a later version: it has run 20990101000000-later, 20990102000000-last, which this version, .+, does not know, but may go on with it/;
  await eventually(() => expect(saidOfLater()).toEqual([expect.stringMatching(said)]));
  expect(await ready()).toEqual([200, undefined]);
  expect(service.logged.filter((line) => line.includes("the tables are not"))).toEqual([]);
  expect(await checked()).toEqual([
    expect.stringMatching(
      "WARNING migrations: The database is that of a later version: it has run 20990101000000-later",
    ),
  ]);
  await expect(backups.take(service.databaseUrl)).rejects.toThrow("by the later version");
  await sql("drop table later");
});

test("an instance that runs when another migrates its database is no longer ready, and ends with that line", async () => {
  await service.resume();
  expect(await ready()).toEqual([200, undefined]);
  await migrateLater("20990101000000-later");
  expect(await ready()).toEqual([503, "the database is that of a later version"]);
  await eventually(() => expect(service.failures).toEqual([expect.stringMatching(refusal("20990101000000-later"))]));
});
