/**
 * A mistyped DATABASE_URL or DATA_DIR makes nothing: neither a folder, nor a table in a database of something else.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { MikroORM } from "@mikro-orm/postgresql";
import { expectOurDatabase } from "../../../src/service/expected-database.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { dropDatabase, emptyDatabase, freshDatabase, query } from "../../setup/database/database.ts";
import { zonesmith } from "../../setup/process/process.ts";

/** Runs a command to its end; returns its exit code and standard error. */
async function run(args: readonly string[], environment: Record<string, string>): Promise<[number | null, string]> {
  const command = zonesmith(args, { HTTP_PORT: "0", LOG_LEVEL: "silent", ...environment });
  return [await command.ended(), command.output().stderr];
}

const tablesOf = async (url: string) =>
  (await query(url, "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace")).map(
    ({ relname }) => relname,
  );

test.each([[["keys", "recover"]], [["serve", "--no-create"]]])(
  "zonesmith %j creates no folder where there is none",
  async (args) => {
    const folder = join(temporaryFolder(), "mistyped");
    expect(await run(args, { DATA_DIR: folder })).toEqual([
      1,
      expect.stringContaining(
        `zonesmith: ${folder} holds no data of Zonesmith, and nothing is created there: set DATA_DIR`,
      ),
    ]);
    expect(existsSync(folder)).toBe(false);
  },
);

test.each([[["keys", "recover"]], [["serve", "--no-create"]]])(
  "zonesmith %j creates no table in an empty database",
  async (args) => {
    const url = await emptyDatabase();
    expect(await run(args, { DATABASE_URL: url })).toEqual([
      1,
      expect.stringMatching(/^zonesmith: The database "\w+" is empty, .*check the name in DATABASE_URL/),
    ]);
    expect(await tablesOf(url)).toEqual([]);
    await dropDatabase(url);
  },
);

test("serve creates no table in a database of another program, also one that uses MikroORM", async () => {
  const url = await emptyDatabase();
  await query(url, "create table invoice (id int)");
  await query(url, "create table mikro_orm_migrations (name text)");
  await query(url, "insert into mikro_orm_migrations values ('Migration20200101')");
  expect(await run(["serve"], { DATABASE_URL: url })).toEqual([
    1,
    expect.stringMatching(/^zonesmith: The database "\w+" is not Zonesmith's: it has other tables \(invoice\)/),
  ]);
  expect((await tablesOf(url)).toSorted()).toEqual(["invoice", "mikro_orm_migrations"]);
  await dropDatabase(url);
});

test("keys recover does not migrate the database of an earlier version", async () => {
  const url = await freshDatabase();
  await query(url, "delete from mikro_orm_migrations where name <> '20261121000000-first-tables'");
  expect(await run(["keys", "recover"], { DATABASE_URL: url })).toEqual([
    1,
    expect.stringMatching(/is that of an earlier version; start this version once/),
  ]);
  await dropDatabase(url);
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

test("keys recover prints JSON when it is asked to, an error too", async () => {
  const folder = join(temporaryFolder(), "mistyped");
  const refused = zonesmith(["--json", "keys", "recover"], { DATA_DIR: folder });
  expect([await refused.ended(), JSON.parse(refused.output().stdout), refused.output().stderr]).toEqual([
    1,
    { status: "error", error: "FAILED", message: expect.stringContaining("holds no data of Zonesmith") },
    "",
  ]);
  const url = await freshDatabase();
  const issued = zonesmith(["keys", "recover", "--name", "spare", "--json"], { DATABASE_URL: url });
  expect(await issued.ended()).toBe(0);
  expect(JSON.parse(issued.output().stdout)).toEqual({ key: expect.stringMatching(/^zs_/), name: "spare" });
  await dropDatabase(url);
});
