/**
 * The journal as its followers read it: no committed change is missing, however large a transaction is, however long it takes, and whatever
 * fails meanwhile.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import type { Pool, PoolClient } from "pg";
import { openReaders } from "../../../src/service/database/open-database.ts";
import { JournalTail, queryOf } from "../../../src/zone/journal-tail.ts";
import { freshDatabase, query } from "../../setup/database/database.ts";

let url = "";
let pool: Pool;
/** What the test began and did not end. */
const open = new Set<PoolClient>();
let writers: Pool;
/** The time on the tail's clock, ms. */
let now = 0;
/** The statements of the tail, how many holes each reads, and how many statements there are to be before one fails. */
const statements: string[] = [];
let holes: number[] = [];
let untilFailure = Number.POSITIVE_INFINITY;

beforeAll(async () => {
  url = await freshDatabase();
  pool = openReaders({ url, connections: 1 });
  writers = openReaders({ url, connections: 4 });
});

afterEach(async () => {
  for (const transaction of open) await end(transaction, "rollback");
  statements.length = 0;
  untilFailure = Number.POSITIVE_INFINITY;
});

afterAll(async () => {
  await Promise.all([pool.end(), writers.end()]);
});

const insert = `insert into change (domain_id, zone, kind, serial, actor, door, created_at)
  select n, 'z' || n || '.example', 'EDIT', 1, 'test', 'system', now() from generate_series($1::int, $2::int) n`;

/** Commits a change of each of these domains. */
const commit = (from: number, to = from) => query(url, insert, [from, to]);

/** Begins a transaction that changes these domains. */
async function begin(from: number, to = from): Promise<PoolClient> {
  const client = await writers.connect();
  open.add(client);
  await client.query("begin read write");
  await client.query(insert, [from, to]);
  return client;
}

async function end(client: PoolClient, how: "commit" | "rollback" = "commit"): Promise<void> {
  open.delete(client);
  await client.query(how);
  client.release();
}

function newTail(): JournalTail {
  const run = queryOf(pool);
  return new JournalTail(
    (text, values) => {
      statements.push(text);
      holes.push((values[2] as number[] | undefined)?.length ?? 0);
      untilFailure -= 1;
      if (untilFailure < 0) throw new Error("the database is gone");
      return run(text, values);
    },
    () => now,
  );
}

/** Lets so much time go by that the tail looks who has ended. */
const pass = () => {
  now += 1000;
};

const lastId = async () => (await query<{ id: string }>(url, "select max(id) as id from change"))[0]?.id;

test("a large transaction that is committed after a later change is found whole", async () => {
  const tail = newTail();
  const follower = await tail.follow();
  const before = tail.settled;
  const large = await begin(1, 6000);
  await commit(6001);
  expect((await follower.read())?.map(({ domainId }) => domainId)).toEqual([6001]);
  expect(tail.settled).toBe(before);
  await end(large);
  expect((await follower.read())?.length).toBe(6000);
  expect(tail.settled).toBe(Number(await lastId()));
});

test("a gap of an open transaction is awaited until the transaction ends, and other changes are handed out meanwhile", async () => {
  const tail = newTail();
  const follower = await tail.follow();
  const [committed, rolledBack] = [await begin(1), await begin(2)];
  const before = tail.settled;
  for (let at = 10; at < 20; at += 1) {
    await commit(at);
    expect((await follower.read())?.map(({ domainId }) => domainId)).toEqual([at]);
  }
  expect(tail.settled).toBe(before);
  await end(committed);
  expect((await follower.read())?.map(({ domainId }) => domainId)).toEqual([1]);
  expect(tail.settled).toBeGreaterThan(before);
  pass();
  await follower.read();
  await end(rolledBack, "rollback");
  pass();
  expect(await follower.read()).toEqual([]);
  expect(tail.settled).toBe(Number(await lastId()));
});

test("while transactions are open a read is one statement, and a second statement a few times a second", async () => {
  const tail = newTail();
  const follower = await tail.follow();
  const transactions = [await begin(1), await begin(2)];
  await commit(3);
  await follower.read();
  statements.length = 0;
  for (let ms = 0; ms < 1000; ms += 10) {
    now += 10;
    await follower.read();
  }
  expect(statements.length).toBeLessThanOrEqual(106);
  for (const transaction of transactions) await end(transaction);
  expect((await follower.read())?.length).toBe(2);
});

test("a hole is kept until it was read after its transaction has ended, whatever fails between", async () => {
  const tail = newTail();
  const follower = await tail.follow();
  const transaction = await begin(1);
  await commit(2);
  await follower.read();
  pass();
  await follower.read();
  await end(transaction);
  pass();
  untilFailure = 1;
  await expect(follower.read()).rejects.toThrow("the database is gone");
  untilFailure = Number.POSITIVE_INFINITY;
  expect((await follower.read())?.map(({ domainId }) => domainId)).toEqual([1]);
});

test("too many holes are one: anything may have changed before its transactions were looked at, and as each of them ends", async () => {
  const tail = newTail();
  const follower = await tail.follow();
  const transaction = await begin(1);
  await query(url, insert.replace("'z' ||", "'z' || nextval('change_id_seq') ||"), [2, 5001]);
  expect((await follower.read())?.length).toBe(5000);
  holes = [];
  expect(await follower.read()).toBeUndefined();
  expect(holes).toEqual([0, 0]);
  expect(await follower.read()).toEqual([]);
  await end(transaction);
  expect(await follower.read()).toBeUndefined();
  expect(tail.settled).toBe(Number(await lastId()));
});

test("a transaction that only reads, such as a backup's, keeps nothing open", async () => {
  const tail = newTail();
  const follower = await tail.follow();
  const reader = await writers.connect();
  open.add(reader);
  await reader.query("begin isolation level repeatable read");
  await reader.query("select count(*) from change");
  await end(await begin(1), "rollback");
  await commit(2);
  expect((await follower.read())?.map(({ domainId }) => domainId)).toEqual([2]);
  pass();
  await follower.read();
  expect(tail.settled).toBe(Number(await lastId()));
});

test("a failure loses nothing of what was read before it", async () => {
  const tail = newTail();
  const follower = await tail.follow();
  await commit(1, 5001);
  untilFailure = 1;
  await expect(follower.read()).rejects.toThrow("the database is gone");
  untilFailure = Number.POSITIVE_INFINITY;
  expect((await follower.read())?.length).toBe(5001);
});

test("all that read at the same time share one statement, and each gets everything", async () => {
  const tail = newTail();
  const followers = await Promise.all([tail.follow(), tail.follow(), tail.follow()]);
  await commit(7);
  statements.length = 0;
  const found = await Promise.all(followers.map((follower) => follower.read()));
  expect(found.map((changes) => changes?.map(({ domainId }) => domainId))).toEqual([[7], [7], [7]]);
  expect(statements.length).toBe(1);
  expect(found[1]?.[0]).toBe(found[0]?.[0]);
});

test("of several changes of a zone the last is handed out, and whether any of them created it", async () => {
  const tail = newTail();
  const [follower, late] = [await tail.follow(), await tail.follow()];
  const read = async (by = follower) =>
    (await by.read())?.map(({ changeId, isMembership }) => [changeId, isMembership]);
  await query(url, insert.replace("'EDIT'", "'CREATE'"), [3, 3]);
  expect(await read()).toEqual([[Number(await lastId()), true]]);
  await commit(3);
  await commit(3);
  expect(await read()).toEqual([[Number(await lastId()), false]]);
  expect(await read(late)).toEqual([[Number(await lastId()), true]]);
});

test("where transactions were open at the beginning, anything may have changed as each of them ends", async () => {
  const [early, late] = [await begin(1), await begin(4)];
  const tail = newTail();
  const [follower, other] = [await tail.follow(), await tail.follow()];
  expect([await follower.read(), tail.settled]).toEqual([[], 0]);
  await commit(2);
  expect((await follower.read())?.map(({ domainId }) => domainId)).toEqual([2]);
  await end(early);
  expect(await follower.read()).toBeUndefined();
  expect(await other.read()).toBeUndefined();
  expect([await follower.read(), await other.read(), tail.settled]).toEqual([[], [], 0]);
  await end(late);
  expect(await follower.read()).toBeUndefined();
  expect(await other.read()).toBeUndefined();
  await commit(3);
  expect((await follower.read())?.map(({ domainId }) => domainId)).toEqual([3]);
  expect(tail.settled).toBe(Number(await lastId()));
});

test("where another history was restored, anything may have changed", async () => {
  const tail = newTail();
  const follower = await tail.follow();
  await commit(1);
  await follower.read();
  await query(url, "delete from change where id = (select max(id) from change)");
  expect(await follower.read()).toBeUndefined();
  await commit(2);
  expect((await follower.read())?.map(({ domainId }) => domainId)).toEqual([2]);
});
