/** Short reads go on by the pool while the pipeline is away, and see the error of a statement. */
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import type { Pool } from "pg";
import { ConnectionSupervisor } from "../../../src/database/connection-supervisor.ts";
import { Pipeline } from "../../../src/database/pipeline.ts";
import { pipelinedReads } from "../../../src/database/point-reads.ts";
import { openReaders } from "../../../src/service/database/open-database.ts";
import { recordHiddenFailures } from "../../../src/trace/hidden-failure.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { freshDatabase } from "../../setup/database/database.ts";
import { DatabaseProxy } from "../../setup/database/database-proxy.ts";

const supervisor = new ConnectionSupervisor();
let url = "";
let proxy: DatabaseProxy;
let pipeline: Pipeline;
let pool: Pool;
beforeAll(async () => {
  url = await freshDatabase();
  proxy = new DatabaseProxy(url);
  pipeline = new Pipeline({ url: await proxy.open(), supervisor, connections: 1, statementTimeoutMs: 2000 });
  await pipeline.open();
  pool = openReaders({ url, connections: 1 });
});
afterAll(async () => {
  await pipeline.close();
  await proxy.close();
  await pool.end();
  supervisor.close();
});

const whoText =
  "select $1::text, application_name, true, '\\x0aff'::bytea from pg_stat_activity where pid = pg_backend_pid()";
const by = async () => (await pipelinedReads(pipeline, pool).query(whoText, ["ü"]))[0];

test("cells are the same text from the pipeline and from the pool, which takes over when connections are lost", async () => {
  expect(await by()).toEqual(["ü", "zonesmith-reads", "t", "\\x0aff"]);
  const failed = jest.fn();
  recordHiddenFailures(failed);
  proxy.breakAll();
  expect(await by()).toEqual(["ü", "zonesmith-dns", "t", "\\x0aff"]);
  await eventually(async () => expect((await by())?.[1]).toBe("zonesmith-reads"));
  expect(failed.mock.calls).toEqual([["pipelined_read", expect.any(Error)]]);
  recordHiddenFailures(undefined);
});

test("an error of the statement is thrown", async () => {
  await expect(pipelinedReads(pipeline, pool).query("select 1 / $1::int", ["0"])).rejects.toThrow("by zero");
});
