/** Several servers, one of them the primary: connections lead to it, and leave a server that no longer is. */
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { Pool } from "pg";
import { databaseFailureOf } from "../../../src/database/sqlstate.ts";
import { openReaders } from "../../../src/service/database/open-database.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { FakePostgres } from "../../setup/basics/fake-postgres.ts";

let one: FakePostgres;
let two: FakePostgres;
let pool: Pool;

beforeEach(async () => {
  one = await new FakePostgres({ timeline: 1 }).open();
  two = await new FakePostgres("standby").open();
});
afterEach(async () => {
  await pool.end();
  // What watches the servers ends with the last connection.
  await eventually(() => one.connections + two.connections === 0);
  await one.close();
  await two.close();
});

/** A pool of connections to these servers. */
function open(...servers: readonly FakePostgres[]): void {
  pool = openReaders({ url: `postgresql://u:p@${servers.map(({ name }) => name).join(",")}/z`, connections: 3 });
}

/** The server that a statement of the pool reaches. */
const reached = async () => (await pool.query<{ name: string }>("select name")).rows[0]?.name;

const fails = async () => {
  const error = await reached().then(
    () => undefined,
    (reason: unknown) => reason as Error,
  );
  return { message: error?.message, reason: databaseFailureOf(error)?.reason };
};

test("the primary is used wherever it is in the list", async () => {
  open(two, one);
  expect(await Promise.all([reached(), reached(), reached()])).toEqual([one.name, one.name, one.name]);
  expect(two.opened).toEqual(["zonesmith-monitor"]);
});

test("a server that hangs delays nobody when another one is the primary", async () => {
  two.isSuspended = true;
  open(two, one);
  expect(await reached()).toBe(one.name);
});

test("when the primary ends, its successor is waited for", async () => {
  open(one, two);
  expect(await reached()).toBe(one.name);
  await one.close();
  const next = eventually(reached);
  two.role = { timeline: 2 };
  expect(await next).toBe(two.name);
});

test("connections to a server that hangs end when another one was promoted, with the statements on them", async () => {
  open(one, two);
  expect(await reached()).toBe(one.name);
  one.isSuspended = true;
  const hanging = reached();
  two.role = { timeline: 2 };
  await expect(hanging).rejects.toThrow("Connection terminated");
  expect(await eventually(reached)).toBe(two.name);
  one.isSuspended = false; // It still believes that it is the primary.
  expect(await reached()).toBe(two.name);
});

test("of several that believe they are the primary, the one that was promoted last is", async () => {
  two.role = { timeline: 2 };
  open(one, two);
  expect(await reached()).toBe(two.name);
});

test("behind one address, connections of an older timeline end, and none is opened to it", async () => {
  open(one);
  const held = await pool.connect();
  expect(await reached()).toBe(one.name);
  one.role = { timeline: 2 }; // The address has moved to another server; connections to the one before are still open.
  await eventually(async () => await expect(held.query("select name")).rejects.toThrow());
  held.release();
  expect(await eventually(reached)).toBe(one.name);
});

test("a standby behind the only address is not used", async () => {
  open(two);
  expect(await fails()).toEqual({
    message: `${two.name} is a standby`,
    reason: "the database is read-only, as a standby is after a failover",
  });
  two.role = { timeline: 1 };
  expect(await eventually(reached)).toBe(two.name);
});

test("without a primary a connection fails, and says what each server answers", async () => {
  one.role = "standby";
  open(one, two);
  const { message, reason } = await fails();
  expect(message).toMatch(
    /^No server of DATABASE_URL is the primary \(127.0.0.1:\d+ is a standby; 127.0.0.1:\d+ is a standby\)$/,
  );
  expect(reason).toBe("the database is read-only, as a standby is after a failover");
  one.role = "full";
  await eventually(async () => expect((await fails()).reason).toBe("the database accepts no further connection"));
  one.role = { timeline: 1 };
  expect(await eventually(reached)).toBe(one.name);
});
