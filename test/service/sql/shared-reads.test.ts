/**
 * Reads on shared connections: the rows are those of the pool, which takes over when a connection is lost, when a statement takes long,
 * for what writes. Short reads return text, and go on by their own pool.
 */
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import type { MikroORM, PostgreSqlConnection } from "@mikro-orm/postgresql";
import type { Pool } from "pg";
import { ConnectionSupervisor } from "../../../src/database/connection-supervisor.ts";
import { Pipeline } from "../../../src/database/pipeline.ts";
import { pipelinedReads } from "../../../src/database/point-reads.ts";
import { listRows } from "../../../src/lists/list-statement.ts";
import { openDatabase, openReaders, type TypedPool } from "../../../src/service/database/open-database.ts";
import { SharedReads } from "../../../src/sql/shared-reads.ts";
import { type Carrier, type Sql, sql } from "../../../src/sql/sql.ts";
import { recordHiddenFailures } from "../../../src/trace/hidden-failure.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { freshDatabase } from "../../setup/database/database.ts";
import { DatabaseProxy } from "../../setup/database/database-proxy.ts";

const supervisor = new ConnectionSupervisor();
let url = "";
let proxy: DatabaseProxy;
let reads: Pipeline;
let lists: Pipeline;
let orm: MikroORM;
let pool: Pool;
let shared: Carrier;
beforeAll(async () => {
  url = await freshDatabase();
  proxy = new DatabaseProxy(url);
  const options = {
    url: await proxy.open(),
    supervisor,
    connections: 1,
    statementTimeoutMs: 1000,
    planning: "auto",
  } as const;
  reads = new Pipeline(options);
  lists = new Pipeline(options);
  await Promise.all([reads.open(), lists.open()]);
  orm = await openDatabase({ url, listTimeoutMs: 5000 });
  pool = openReaders({ url, connections: 1 });
  const { types } = ((await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient()) as TypedPool).options;
  shared = { em: orm.em.fork(), reads: new SharedReads({ reads, lists }, (type) => types.getTypeParser(type), orm.em) };
});
afterAll(async () => {
  recordHiddenFailures(undefined);
  await Promise.all([reads.close(), lists.close(), proxy.close(), orm.close(true), pool.end()]);
  supervisor.close();
});

const rows = <Row>(query: Sql<Row>) => query.run(shared);
const isShared = "application_name = 'zonesmith-reads' as shared from pg_stat_activity where pid = pg_backend_pid()";
const who = sql<{ shared: boolean }>`select ${sql.raw(isShared)}`;

/** Values of each kind that statements have, as both read and return them. */
const values = sql`select ${"ü"}::text as text, ${7}::bigint as big, ${[1, 2]}::bigint[] as ids, ${["a,b", null]}::text[] as texts, ${true}::bool as yes,
  ${new Date(7)}::timestamptz as at, ${null}::text as nothing, ${Buffer.from("0aff", "hex")}::bytea as bytes, ${JSON.stringify({ a: 1 })}::jsonb as json`;

test("rows are the same as those of the pool", async () => {
  expect(await rows(who)).toEqual([{ shared: true }]);
  expect(await rows(values)).toEqual(await values.run({ em: shared.em }));
  expect(await rows(values)).toEqual(await values.run({ em: shared.em }));
});

test("what writes, and a search for a text, is not shared", async () => {
  await orm.em.execute("create table written (n int)");
  expect(await rows(sql`insert into written values (${1}) returning n`)).toEqual([{ n: 1 }]);
  expect(await rows(sql`with changed as (update written set n = 2 returning n) select n from changed`)).toEqual([
    { n: 2 },
  ]);
  expect(await rows(sql`select n from written for update`)).toEqual([{ n: 2 }]);
  expect(await rows(who)).toEqual([{ shared: true }]);
  expect(await rows(sql`select ${sql.raw(isShared)} and ${"a"} like 'a'`)).toEqual([{ shared: false }]);
});

test("a list that takes longer than others may wait is read on the pool, which refuses it by its limit", async () => {
  expect(await listRows(shared, sql`select pg_sleep(1.5), ${sql.raw(isShared)}`)).toMatchObject([{ shared: false }]);
  await expect(listRows(shared, sql`select pg_sleep(30)`)).rejects.toMatchObject({ code: "QUERY_TOO_COMPLEX" });
  expect(await rows(who)).toEqual([{ shared: true }]);
});

test("an error of the statement is thrown", async () => {
  await expect(rows(sql`select 1 / ${0}::int`)).rejects.toThrow("by zero");
  await expect(pipelinedReads(reads, pool).query("select 1 / $1::int", ["0"])).rejects.toThrow("by zero");
});

test("the pool takes over when a connection is lost", async () => {
  const failed = jest.fn();
  recordHiddenFailures(failed);
  proxy.breakAll();
  expect(await rows(who)).toEqual([{ shared: false }]);
  await eventually(async () => expect(await rows(who)).toEqual([{ shared: true }]));
  expect(failed.mock.calls).toEqual([["pipelined_read", expect.any(Error)]]);
});

const whoText =
  "select $1::text, application_name, true, '\\x0aff'::bytea from pg_stat_activity where pid = pg_backend_pid()";
const cells = async () => (await pipelinedReads(reads, pool).query(whoText, ["ü"]))[0];

test("the cells of short reads are the same text from the pipeline and from the pool, which takes over when connections are lost", async () => {
  expect(await cells()).toEqual(["ü", "zonesmith-reads", "t", "\\x0aff"]);
  const failed = jest.fn();
  recordHiddenFailures(failed);
  proxy.breakAll();
  expect(await cells()).toEqual(["ü", "zonesmith-dns", "t", "\\x0aff"]);
  await eventually(async () => expect((await cells())?.[1]).toBe("zonesmith-reads"));
  expect(failed.mock.calls).toEqual([["pipelined_read", expect.any(Error)]]);
});
