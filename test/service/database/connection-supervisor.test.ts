/** A pool of one connection, which is lost at every place in a transaction: the next statement finds a connection all the same. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from "@jest/globals";
import { IsolationLevel, type MikroORM } from "@mikro-orm/postgresql";
import pg from "pg";
import { ownTransaction } from "../../../src/database/connection-supervisor.ts";
import { openDatabase, openReaders } from "../../../src/service/database/open-database.ts";
import { sql } from "../../../src/sql/sql.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { freshDatabase, query } from "../../setup/database/database.ts";
import { DatabaseProxy, type Interruption } from "../../setup/database/database-proxy.ts";
import { textOf } from "../../setup/database/statement-text.ts";

let direct = "";
let url = "";
let proxy: DatabaseProxy;
let orm: MikroORM;
beforeAll(async () => {
  direct = await freshDatabase();
  proxy = new DatabaseProxy(direct);
  url = await proxy.open();
});
beforeEach(async () => {
  orm = await openDatabase({ url, connections: 1 });
});
afterEach(() => orm.close(true));
afterAll(async () => {
  await proxy.close();
});

/** A statement of an entity manager, on the connection that its transaction has. */
const run = (em: MikroORM["em"], statement: string) => sql.raw(statement).run({ em });

const write = "insert into \"user\" (email) values ('lost@example.com')";

/** Expects that the only connection of the pool can be had again. */
const expectAlive = () =>
  eventually(async () => expect(await run(orm.em.fork(), "select 1 as one")).toEqual([{ one: 1 }]));

/** Expects the same, and that nothing of the transaction is left. */
async function expectFree(): Promise<void> {
  await expectAlive();
  const open = `select from pg_stat_activity where datname = current_database() and application_name like 'zonesmith%'
    and xact_start is not null`;
  await eventually(async () => expect(await query(direct, open)).toEqual([]));
  expect(await query(direct, "select from \"user\" where email = 'lost@example.com'")).toEqual([]);
}

const terminateAll = () =>
  query(
    direct,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and application_name like 'zonesmith%'`,
  );

const interrupted: [statement: string, by: Interruption][] = [
  ["begin", "break before"],
  ["begin", "break after"],
  ["begin", "cancel"],
  [write, "break before"],
  [write, "break after"],
  ["commit", "break before"],
];
test.each(interrupted)("a transaction whose %s ends by %s gives its place back", async (statement, by) => {
  await run(orm.em.fork(), "select 1"); // so that there is a connection to be lost
  proxy.interrupt(statement, by);
  const transaction = orm.em.fork().transactional(async (em) => {
    await run(em, write);
  });
  await expect(transaction).rejects.toThrow();
  await expectFree();
});

test.each<[by: Interruption, code: string]>([
  ["break before", "08007"],
  ["cancel", "57014"],
])("a statement that is its own transaction and ends by %s fails by %s and gives its place back", async (by, code) => {
  const statement = `${ownTransaction} ${write}`;
  await run(orm.em.fork(), "select 1");
  proxy.interrupt(statement, by);
  await expect(run(orm.em.fork(), statement)).rejects.toMatchObject({ code });
  await expectAlive();
  await query(direct, "delete from \"user\" where email = 'lost@example.com'");
});

test.each(["break before", "break after", "cancel"] as const)(
  "a transaction that fails, and whose rollback ends by %s, fails by its own error and gives its place back",
  async (by) => {
    const transaction = orm.em.fork().transactional(async (em) => {
      await run(em, write);
      proxy.interrupt("rollback", by);
      throw new Error("a rule of ours");
    });
    await expect(transaction).rejects.toThrow("a rule of ours");
    await expectFree();
  },
);

test("a connection that is lost between two statements of a transaction gives its place back", async () => {
  const lost = orm.em.fork().transactional(async (em) => {
    await run(em, write);
    await terminateAll();
    await run(em, "select 1");
  });
  await expect(lost).rejects.toThrow();
  await expectFree();
  const lostAndRefused = orm.em.fork().transactional(async (em) => {
    await run(em, write);
    await terminateAll();
    throw new Error("a rule of ours");
  });
  await expect(lostAndRefused).rejects.toThrow("a rule of ours");
  await expectFree();
});

test("a savepoint on a connection that is lost ends with its transaction", async () => {
  const lost = orm.em.fork().transactional((outer) =>
    outer.transactional(async (inner) => {
      await run(inner, write);
      proxy.breakAll();
      await run(inner, "select 1");
    }),
  );
  await expect(lost).rejects.toThrow();
  await expectFree();
});

test("a snapshot that begin and rollback frame ends on a lost connection without an error of its own", async () => {
  const em = orm.em.fork();
  await em.begin({ isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true });
  await run(em, "select 1");
  await terminateAll();
  await em.rollback();
  await expectFree();
});

test("statements that were prepared by name work on the connection that takes the place of a lost one", async () => {
  const named = () => sql<{ n: number }>`select ${1}::int + n as n from (values (1)) v (n)`;
  const ask = async () => await named().run({ em: orm.em.fork() });
  expect(await ask()).toEqual([{ n: 2 }]);
  await terminateAll();
  await eventually(async () => expect(await ask()).toEqual([{ n: 2 }]));
  expect(await ask()).toEqual([{ n: 2 }]);
});

test("a connection of the name server that is lost while it is held ends no process, and is replaced", async () => {
  const readers = openReaders({ url, connections: 1 });
  const client = await readers.connect();
  await client.query("begin");
  await terminateAll();
  await expect(client.query("select 1")).rejects.toThrow();
  client.release();
  expect((await readers.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await readers.end();
});

test("what DATABASE_URL says of a session holds for the ORM and the name server, beside what the service needs", async () => {
  const named = `${direct}${direct.includes("?") ? "&" : "?"}application_name=zonesmith-here&options=-c%20work_mem%3D8MB%20-c%20TimeZone%3DAsia/Tokyo`;
  const settings = `current_setting('application_name') as name, current_setting('work_mem') as memory,
    current_setting('TimeZone') as zone, current_setting('client_min_messages') as notices, current_setting('jit') as jit`;
  const expected = { name: "zonesmith-here", memory: "8MB", zone: "UTC", notices: "warning", jit: "off" };
  const readers = openReaders({ url: named, connections: 1 });
  expect((await readers.query(`select ${settings}`)).rows).toEqual([expected]);
  await readers.end();
  const other = await openDatabase({ url: named, connections: 1 });
  expect(await run(other.em.fork(), `select ${settings}`)).toEqual([expected]);
  await other.close(true);
});

test("statements of a transaction with a limit of its own are waited for as long, and no others", async () => {
  const sent = jest.spyOn(pg.Client.prototype, "query");
  // What the monitor of the primary asks meanwhile is of no transaction.
  const patience = () =>
    sent.mock.calls
      .filter(([statement]) => /^select (\d|\$1::int)$/.test(textOf(statement)))
      .map(([statement]) => (statement as { query_timeout?: number }).query_timeout);
  await orm.em.fork().transactional(async (em) => {
    await run(em, "select 1");
    await run(em, "set local statement_timeout = 120000");
    await run(em, "select 2");
    await sql`select ${3}::int`.run({ em });
  });
  await run(orm.em.fork(), "select 4");
  expect(patience()).toEqual([undefined, 125_000, 125_000, undefined]);
});
