/** Pipelined connections: answers in order, statements that fail beside others, connections that are lost, a server that hangs. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import pg from "pg";
import { ConnectionSupervisor, ownTransaction } from "../../../src/database/connection-supervisor.ts";
import { Pipeline } from "../../../src/database/pipeline.ts";
import type { Cells } from "../../../src/database/pipelined-statement.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { freshDatabase, query } from "../../setup/database/database.ts";
import { DatabaseProxy } from "../../setup/database/database-proxy.ts";

let direct = "";
let proxy: DatabaseProxy;
let supervisor: ConnectionSupervisor;
let pipeline: Pipeline;
let url = "";
beforeAll(async () => {
  direct = await freshDatabase();
});
beforeEach(async () => {
  proxy = new DatabaseProxy(direct);
  supervisor = new ConnectionSupervisor();
  url = await proxy.open();
  pipeline = new Pipeline({ url, supervisor, connections: 1, statementTimeoutMs: 500 });
  await pipeline.open();
});
afterEach(async () => {
  await pipeline.close();
  supervisor.close();
  await proxy.close();
});

const run = (text: string, values: Cells = [], on = pipeline) =>
  on.query(text, values) ?? Promise.reject(new Error("away"));
/** A statement that PostgreSQL works on until it is cancelled. */
const long = "select pg_sleep(60)::text";

/** The rows of each, or the code of its error. */
const outcomes = async (statements: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(statements)).map((each) => (each.status === "fulfilled" ? each.value : each.reason.code));

/** Expects that a connection is opened again. */
const expectBack = () => eventually(async () => expect(await run("select 1")).toEqual([["1"]]));

test("statements of one moment are answered in their order, with any text as value and cell", async () => {
  const texts = ["", "ü😀", 'it\'s "$1"', "x".repeat(100_000)];
  const answers = await Promise.all([
    ...texts.map((text) => run("select $1::text, null", [text])),
    run("select $1::int + $2", ["1", "41"]),
    run("select $1::text", [null]),
    run("select 1 where false"),
    run("select n from generate_series(1, 3) n"),
  ]);
  const expected: unknown[] = texts.map((text) => [[text, null]]);
  expect(answers).toEqual([...expected, [["42"]], [[null]], [], [["1"], ["2"], ["3"]]]);
});

test("a statement that fails leaves those beside it, and is prepared again", async () => {
  const divided = (by: string) => run("select 1 / $1::int", [by]);
  const all = [divided("1"), divided("0"), divided("1"), run("select nothing"), divided("-1")];
  expect(await outcomes(all)).toEqual([[["1"]], "22012", [["1"]], "42703", [["-1"]]]);
  expect(await Promise.all([divided("1"), run("select 2")])).toEqual([[["1"]], [["2"]]]);
});

test("it only reads", async () => {
  await expect(run("create table t (n int)")).rejects.toMatchObject({ code: "25006" });
  await expectBack();
});

test("a statement is cancelled after its time, and the connection is used further", async () => {
  const pid = await run("select pg_backend_pid()");
  await expect(run(long)).rejects.toMatchObject({ code: "57014" });
  expect(await run("select pg_backend_pid()")).toEqual(pid);
});

test("when a connection is terminated, all that is on it fails at once, and the next statements have another", async () => {
  const patient = new Pipeline({ url, supervisor, connections: 1, statementTimeoutMs: 60_000 });
  await patient.open();
  const runLong = (text: string) => run(text, [], patient);
  const [[pid]] = (await runLong("select pg_backend_pid()")) as [Cells];
  const settled = Promise.allSettled([runLong(long), runLong("select 1"), runLong("select 2")]);
  const active = "select from pg_stat_activity where pid = $1 and state = 'active'";
  await eventually(async () => expect(await query(direct, active, [pid])).toHaveLength(1));
  await query(direct, "select pg_terminate_backend($1, 5000)", [pid]);
  expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  await eventually(async () => expect(await runLong("select 1")).toEqual([["1"]]));
  await patient.close();
});

test("while nothing can be connected to, a statement finds no connection, and nothing waits", async () => {
  await proxy.close();
  await eventually(() => {
    const answer = pipeline.query("select 1", []);
    answer?.catch(() => {});
    return answer === undefined;
  });
  expect(pipeline.query("select 1", [])).toBeUndefined();
  proxy = new DatabaseProxy(direct);
  await proxy.open();
});

test("a server that hangs fails what waits for it", async () => {
  proxy.silence();
  await expect(run("select 1")).rejects.toThrow(/Connection terminated|Query read timeout/);
  expect(pipeline.query("select 1", [])).toBeUndefined();
});

test("it ends while statements are on it, which all settle", async () => {
  const settled = Promise.allSettled([run(long), run("select 1")]);
  await pipeline.close();
  expect((await settled)[0]?.status).toBe("rejected");
  expect(pipeline.query("select 1", [])).toBeUndefined();
});

describe("statements that write", () => {
  let writes: Pipeline;
  const runWrite = (text: string) => run(`${ownTransaction} ${text}`, [], writes);
  const insert = (email: string) => `insert into "user" (email) values ('${email}') returning email`;
  const stored = async () =>
    (await query<{ email: string }>(direct, 'select email from "user" order by id')).map(({ email }) => email);
  beforeEach(async () => {
    const limits = { connections: 1, statementTimeoutMs: 60_000, lockTimeoutMs: 100 };
    writes = new Pipeline({ url, supervisor, ...limits, writes: true });
    await writes.open();
  });
  afterEach(async () => {
    await query(direct, 'delete from "user"');
    await writes.close();
  });

  test("each is a transaction of its own", async () => {
    const all = [insert("a"), insert("a"), insert("b")].map(runWrite);
    expect(await outcomes(all)).toEqual([[["a"]], "23505", [["b"]]]);
    expect(await stored()).toEqual(["a", "b"]);
  });

  test("one that waits for a lock gives way to those behind it, and has written nothing", async () => {
    const holder = new pg.Client({ connectionString: direct });
    await holder.connect();
    await holder.query(`begin; ${insert("a")}`);
    expect(await outcomes([insert("a"), insert("b")].map(runWrite))).toEqual(["55P03", [["b"]]]);
    await holder.query("rollback");
    await holder.end();
    expect(await stored()).toEqual(["b"]);
  });

  test("when the connection is lost, what waits for an answer may be stored or not", async () => {
    await runWrite(insert("a"));
    const settled = outcomes([runWrite(long), runWrite(insert("b"))]);
    const sessions = "from pg_stat_activity where query like '/* own%pg_sleep%'";
    await eventually(async () =>
      expect(await query(direct, `select ${sessions} and state = 'active'`)).toHaveLength(1),
    );
    proxy.breakAll();
    expect(await settled).toEqual(["08007", "08007"]);
    await query(direct, `select pg_terminate_backend(pid, 5000) ${sessions}`);
    expect((await stored())[0]).toBe("a");
  });
});

test("the statement that was used longest ago is closed for a new one", async () => {
  for (let n = 0; n < 510; n += 1) await run(`select ${n}`);
  const [[count]] = (await run("select count(*) from pg_prepared_statements")) as [Cells];
  expect(Number(count)).toBe(500);
  expect(await run("select 0")).toEqual([["0"]]);
});
