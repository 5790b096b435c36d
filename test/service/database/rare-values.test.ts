/** The last rows of a zone, actor, user or key are read by an index also when a few others have nearly all rows of the table. */
import { beforeAll, expect, test } from "@jest/globals";
import { freshDatabase, query } from "../../setup/database/database.ts";

let url = "";
beforeAll(async () => {
  url = await freshDatabase();
  await query(
    url,
    `insert into change (domain_id, zone, kind, serial, actor, door)
     select n % 9, n % 9 || '.example.', 'EDIT', n, 'user:' || n % 2, 'GRAPHQL' from generate_series(1, 20000) n`,
  );
  await query(
    url,
    `insert into audit_entry (user_id, key_id, door, operation) select n % 2, n % 3, 'GRAPHQL', 'change' from generate_series(1, 20000) n`,
  );
  await query(url, "analyze change");
  await query(url, "analyze audit_entry");
});

test.each([
  ["change", "domain_id", "domain_id_id"],
  ["change", "actor", "actor"],
  ["audit_entry", "user_id", "user_id"],
  ["audit_entry", "key_id", "key_id"],
])("the last %s by %s", async (table, column, index) => {
  const newest = `select * from ${table} where ${column} = $1 order by id desc limit 1`;
  const rows = await query<{ "QUERY PLAN": string }>(url, `explain (generic_plan) ${newest}`);
  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain(`Backward using ${table}_${index}_index`);
});

test("the last change of each zone, also of those before a time", async () => {
  const newest = "select id from change where domain_id = domain.id and created_at <= now() order by id desc limit 1";
  const rows = await query<{ "QUERY PLAN": string }>(url, `explain select (${newest}) from domain`);
  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("Backward using change_domain_id_id_index");
});
