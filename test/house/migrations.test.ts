import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { MikroORM } from "@mikro-orm/postgresql";
import { isMigrated, lockMigrations, migrate } from "../../src/service/database/migrate.ts";
import { openDatabase } from "../../src/service/database/open-database.ts";
import { emptyDatabase, freshDatabase, query } from "../setup/database/database.ts";

let orm: MikroORM;
let url: string;
beforeAll(async () => {
  url = await freshDatabase();
  orm = await openDatabase({ url });
});
afterAll(async () => {
  await orm.close(true);
});

test("entities and migrations agree; when they differ, write the printed statements into a new migration", async () => {
  expect(await orm.schema.getUpdateSchemaSQL({ wrap: false })).toBe("");
  // And the comparison sees a column that an entity does not have.
  await query(url, `alter table "user" add column surplus int`);
  expect(await orm.schema.getUpdateSchemaSQL({ wrap: false })).toContain("surplus");
  await query(url, `alter table "user" drop column surplus`);
});

test("services that start at once on an empty database migrate it once", async () => {
  const empty = await emptyDatabase();
  const orms = await Promise.all([1, 2, 3].map(() => openDatabase({ url: empty })));
  try {
    await Promise.all(orms.map(migrate));
    expect(await Promise.all(orms.map(isMigrated))).toEqual([true, true, true]);
    const run = await query<{ name: string }>(empty, "select name from mikro_orm_migrations order by name");
    expect(run).toEqual([...new Set(run.map(({ name }) => name))].map((name) => ({ name })));
    expect(run.length).toBeGreaterThan(1);
  } finally {
    await Promise.all(orms.map((each) => each.close(true)));
  }
});

test("a migration with which earlier versions may go on says so of itself, with a release", async () => {
  const wrong = `select c.name from compatible_migration c left join mikro_orm_migrations m on m.name = c.name
    where m.name is null or c.least_version !~ '^\\d+\\.\\d+\\.\\d+$'`;
  expect(await query(url, wrong)).toEqual([]);
  await query(url, "insert into compatible_migration values ('20990101000000-mistyped', '0.2.0')");
  await query(url, "insert into compatible_migration values ('20261121000000-first-tables', '0.2')");
  expect(await query(url, wrong)).toHaveLength(2);
});

test("a statement of a migration may take a day", async () => {
  const limits = await orm.em.fork().transactional(async (em) => {
    await lockMigrations(em);
    return em.execute(
      "select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock",
    );
  });
  expect(limits).toEqual([{ statement: "1d", lock: "0" }]);
});

test("ids run from 10^15 and stay below 2^53", async () => {
  const sequences = await query<{ min: string; max: string }>(
    url,
    "select min_value::text as min, max_value::text as max from pg_sequences where sequencename not like 'mikro%'",
  );
  expect(sequences).not.toEqual([]);
  for (const { min, max } of sequences)
    expect([min, max]).toEqual(["1000000000000000", String(Number.MAX_SAFE_INTEGER)]);
});
