/** A mistyped DATABASE_URL or DATA_DIR makes nothing: neither a folder, nor a table in a database of something else. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { MikroORM } from "@mikro-orm/postgresql";
import { expectOurDatabase } from "../../../src/service/database/expected-database.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { emptyDatabase, freshDatabase, query } from "../../setup/database/database.ts";
import { CommandLine } from "../../setup/process/command-line.ts";
import { zonesmith } from "../../setup/process/process.ts";

const cli = new CommandLine(() => ({ HTTP_PORT: "0", LOG_LEVEL: "silent" }));

const tablesOf = async (url: string) =>
  (await query(url, "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace")).map(
    ({ relname }) => relname,
  );

test.each(["keys recover", "serve --no-create", "backup none.tar.gz"])(
  "zonesmith %s creates no folder where there is none, and no table in an empty database",
  async (line) => {
    const folder = join(temporaryFolder(), "mistyped");
    const nothing = `${folder} holds no data of Zonesmith, and nothing is created there: set DATA_DIR`;
    await cli.shows(`$ ${line} => [1] zonesmith: ${nothing}`, {}, { DATA_DIR: folder });
    expect(existsSync(folder)).toBe(false);
    const url = await emptyDatabase();
    const advice = line.startsWith("backup") ? "" : " …check the name in DATABASE_URL";
    await cli.shows(`$ ${line} => [1] zonesmith: The database "<name>" is empty,${advice}`, {}, { DATABASE_URL: url });
    expect(await tablesOf(url)).toEqual([]);
  },
);

test("serve creates no table in a database of another program, also one that uses MikroORM", async () => {
  const url = await emptyDatabase();
  await query(url, "create table invoice (id int)");
  await query(url, "create table mikro_orm_migrations (name text)");
  await query(url, "insert into mikro_orm_migrations values ('Migration20200101')");
  const refusal = `zonesmith: The database "<name>" is not Zonesmith's: it has other tables (invoice)`;
  await cli.shows(`$ serve => [1] ${refusal}`, {}, { DATABASE_URL: url });
  expect((await tablesOf(url)).toSorted()).toEqual(["invoice", "mikro_orm_migrations"]);
});

test.each<[number, RegExp | undefined]>([
  [140012, /^The database runs PostgreSQL 14; Zonesmith needs 15 or later/],
  [150000, undefined],
  [180004, undefined],
])("PostgreSQL %i is refused or taken by its version", async (version, message) => {
  const execute = async (statement: string) =>
    statement.includes("server_version_num") ? [{ database: "zonesmith", version, has_migrations: false }] : [];
  const orm = { em: { getConnection: () => ({ execute }) } } as unknown as MikroORM;
  const checked = expectOurDatabase(orm, { mayCreate: true, mayMigrate: true });
  await (message ? expect(checked).rejects.toThrow(message) : expect(checked).resolves.toBeUndefined());
});

test("keys recover prints JSON when it is asked to, an error too, and migrates no database of an earlier version", async () => {
  const [code, refused, stderr] = await cli.run("--json keys recover", {
    DATA_DIR: join(temporaryFolder(), "mistyped"),
  });
  const message = expect.stringContaining("holds no data of Zonesmith");
  expect([code, stderr, JSON.parse(refused)]).toEqual([1, "", { status: "error", error: "FAILED", message }]);
  const url = await freshDatabase();
  const issued = await cli.printed("keys recover --name spare --json", { DATABASE_URL: url });
  expect(JSON.parse(issued)).toEqual({ key: expect.stringMatching(/^zs_/), name: "spare" });
  await query(url, "delete from mikro_orm_migrations where name <> '20261121000000-first-tables'");
  const earlier = "is that of an earlier version; start this version once";
  await cli.shows(`$ keys recover => [1] ${earlier}`, {}, { DATABASE_URL: url });
});

test("serve uses no database that a later version has migrated, and says so in one line", async () => {
  const url = await freshDatabase();
  await query(url, "insert into mikro_orm_migrations (name) values ('20990101000000-later')");
  const later = "zonesmith: The database is that of a later version: it has run 20990101000000-later, which this";
  await cli.shows(`$ serve => [1] ${later}`, {}, { DATABASE_URL: url });
});

test("a service whose database a later version migrates meanwhile says so, and stops as it would otherwise", async () => {
  const url = await freshDatabase();
  const folder = temporaryFolder();
  const service = zonesmith(["serve"], { DATABASE_URL: url, DATA_DIR: folder, HTTP_PORT: "0", LOG_LEVEL: "silent" });
  await service.answersAt();
  await query(url, "insert into mikro_orm_migrations (name) values ('20990101000000-later')");
  expect([await service.ended(), service.output().stderr]).toEqual([
    1,
    expect.stringMatching(
      /^zonesmith: The database is that of a later version: it has run 20990101000000-later, .*\n$/,
    ),
  ]);
  expect(existsSync(join(folder, "service.json"))).toBe(false);
  expect(await query(url, "select pid from instance")).toEqual([]);
});
