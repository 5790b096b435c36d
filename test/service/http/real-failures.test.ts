/** Failures of the database that are brought about by the database, not raised by a trigger. */
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { nameOf, onServer, query } from "../../setup/database/database.ts";
import { RowLock } from "../../setup/service/row-lock.ts";
import { adminKey, testService } from "../../setup/service/service.ts";
import {
  expectAllUnavailable,
  expectUnavailable,
  expectUnavailableInGraphql,
  writers,
} from "../../setup/service/three-writers.ts";
import { updateZone } from "../../setup/service/update-zone.ts";

const service = testService();
// Before its zone is made: the test before has ended all connections.
beforeEach(() => eventually(async () => expect((await fetch(`${service.url}/readyz`)).status).toBe(200)));
const zone = updateZone(service);
/** A zone for each interface, since changes of one zone wait for each other in the service and not at the database. */
const zones = () => ({ rest: zone.name, graphql: `g${zone.name}`, update: `d${zone.name}` });
const write = writers(service, zone, zones);
const allZones = () => Object.values(zones());

/** Ends the service's connections; the ones it opens next have the database's settings of now. */
const reconnect = () =>
  service.sql(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and application_name like 'zonesmith%'`,
  );

/** The settings of the database while a test runs. */
async function set(settings: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await onServer(`alter database ${nameOf(service.databaseUrl)} set ${name} = '${value}'`);
  await reconnect();
}

let lock: RowLock | undefined;
beforeEach(async () => {
  for (const name of allZones().slice(1)) await service.domain(name, zone.userId);
});
afterEach(async () => {
  await lock?.release();
  lock = undefined;
  await service.sql("drop function if exists hold cascade");
  await onServer(`alter database ${nameOf(service.databaseUrl)} reset all`);
  await reconnect();
});

/** Holds all changes when they are about to be stored, until the test is over. */
const holdChanges = async (of: typeof service): Promise<RowLock> => (lock = await RowLock.ofChanges(of));
const writeAll = () => Promise.all([write.rest("a"), write.graphql("b"), write.update("c")]);

/** Holds a change by each interface. */
async function allWait() {
  const held = await holdChanges(service);
  const answers = writeAll();
  return { answers, waiters: await held.waiters(3) };
}

test("a statement that an administrator cancels is 503, and the connection is used further", async () => {
  const { answers, waiters } = await allWait();
  await service.sql("select pg_cancel_backend(pid) from unnest($1::int[]) pid", [waiters]);
  expectAllUnavailable(await answers, "the database took too long, or was made to cancel the statement", 5);
  const live = await service.sql<{ pid: number }>("select pid from pg_stat_activity where pid = any($1)", [waiters]);
  expect(live).toHaveLength(3);
});

test("a connection that is ended while a change waits is 503", async () => {
  const { answers, waiters } = await allWait();
  await service.sql("select pg_terminate_backend(pid) from unnest($1::int[]) pid", [waiters]);
  expectAllUnavailable(await answers, "the database cannot be reached", 2);
});

test("a lock that cannot be had in time is 503", async () => {
  lock = await RowLock.take(service.databaseUrl, ...allZones());
  expectAllUnavailable(await writeAll(), "another change holds a lock for too long", 2);
});

test("a change that cannot be serialized is run again; an import, which cannot be, is 503", async () => {
  await set({ default_transaction_isolation: "repeatable read" });
  await eventually(async () => expect((await fetch(`${service.url}/readyz`)).status).toBe(200));
  const [name, another] = allZones() as [string, string];
  lock = await RowLock.take(service.databaseUrl, name, another);
  await lock.run("update domain set user_id = user_id where zone = any($1)", [[name, another]]);
  const change = write.rest("a");
  const imported = service.rest("POST", `/domain/zonefile/${another}`, {
    body: "b 300 A 192.0.2.1\n",
    headers: { "Content-Type": "text/dns" },
  });
  await lock.waiters(2);
  await lock.release("commit");
  lock = undefined;
  expect((await change).status).toBe(201);
  expectUnavailable(await imported, "concurrent changes kept excluding each other", 1);
  expect((await zone.read()).records.filter((line) => / A /.test(line))).toEqual(["a 300 A 192.0.2.1"]);
});

test("a change that PostgreSQL picks as the victim of a deadlock is run again", async () => {
  await service.sql("create sequence attempt");
  // The change holds its zone's row, waits until the test waits for that row, and then wants what the test holds.
  await service.sql(`create function entangle() returns trigger language plpgsql as $$
    declare holder int;
    begin
      perform nextval('attempt'), set_config('deadlock_timeout', '10ms', true);
      loop
        select pid into holder from pg_locks where locktype = 'advisory' and objid = 7 and granted
          and database = (select oid from pg_database where datname = current_database());
        exit when holder is null or exists (select from pg_locks where pid = holder and not granted);
        perform pg_sleep(0.005);
      end loop;
      perform pg_advisory_xact_lock(7);
      return new;
    end $$`);
  await service.sql("create trigger entangle before insert on change for each row execute function entangle()");
  lock = await RowLock.take(service.databaseUrl, "no.example");
  await lock.run("select set_config('deadlock_timeout', '1h', true), pg_advisory_xact_lock(7)");
  const change = write.rest("a");
  await eventually(async () => expect(await service.sql("select from attempt where is_called")).toHaveLength(1));
  await lock.run("select from domain where zone = $1 for update", [zone.name]);
  await lock.release();
  lock = undefined;
  expect((await change).status).toBe(201);
  // The second run may pass the one that waits for the row, and be the victim too.
  expect(await service.sql("select last_value > 1 as again from attempt")).toEqual([{ again: true }]);
  await service.sql("drop function entangle cascade");
});

test("a database that became read-only is 503, and /readyz says why", async () => {
  await set({ default_transaction_read_only: "on" });
  const reason = "the database is read-only, as a standby is after a failover";
  // Each writer has a connection of its own, and meets the end of the one from before.
  await eventually(async () => expectAllUnavailable(await writeAll(), reason, 5));
  const ready = await fetch(`${service.url}/readyz`);
  const body = { status: "not ready", reason };
  expect([ready.status, ready.headers.get("retry-after"), await ready.json()]).toEqual([503, "5", body]);
});

/** A role that may have few connections: fifteen pipelined ones, one to follow the journal, and fewer than the pool's ten for the rest; PostgreSQL exempts superusers. */
const role = "zonesmith_test_limited";
const limited = testService({}, async (url) => {
  await query(url, `drop role if exists ${role}`);
  await query(url, `create role ${role} login password 'limited' connection limit 22`);
  await query(url, `grant ${(await query<{ me: string }>(url, "select current_user as me"))[0]?.me} to ${role}`);
  return url.replace(/\/\/[^@]*@/, `//${role}:limited@`);
});
const full = testService();

const tenZones = Array.from({ length: 10 }, (_, at) => `ten${at}.example.com`);

/** Writes owners with this prefix to the ten zones, each with one of these keys. */
const writeTen = (of: typeof service, prefix: string, keys: readonly string[]) =>
  tenZones.map((name, at) => {
    const form = { zone: name, owner: `${prefix}${at}`, rtype: "A", rdata: "192.0.2.1", ttl: 300 };
    return of.rest("POST", "/record/add", { form, key: keys[at % keys.length] as string });
  });

/** Writes to ten zones of a service whose changes are held, each with one of these keys, or the administrator's. */
async function tenWrites(of: typeof service, keys: readonly string[] = [adminKey]) {
  const owner = await of.user("owner@example.com");
  for (const name of tenZones) await of.domain(name, owner);
  const held = await holdChanges(of);
  return { held, answers: writeTen(of, "r", keys) };
}

test("connections that PostgreSQL refuses are 503, the others go through", async () => {
  const { held, answers } = await tenWrites(limited);
  expectUnavailable(await Promise.race(answers), "the database accepts no further connection", 5);
  await held.release();
  lock = undefined;
  const stored = (await Promise.all(answers)).filter(({ status }) => status === 201);
  expect(stored.length).toBeGreaterThan(0);
  expect(await limited.sql("select from zone_record where owner like 'r_'")).toHaveLength(stored.length);
});

test("a full pool says that it is full, by every interface", async () => {
  const keys: string[] = [];
  for (const name of ["one", "two", "three", "four", "five", "six"]) keys.push(await full.key({ name }));
  const { held, answers } = await tenWrites(full, keys.slice(0, 5));
  await held.waiters(10);
  const [rest, graphql, ready] = await Promise.all([
    full.rest("GET", "/user/list", { key: keys[5] as string }),
    full.graphql("{ users { nodes { id } } }", {}, keys[5]),
    fetch(`${full.url}/readyz`),
  ]);
  expectUnavailable(rest, "all database connections are busy", 2);
  expectUnavailableInGraphql(graphql, "all database connections are busy", 2);
  expect([ready.status, ready.headers.get("retry-after")]).toEqual([503, "2"]);
  await held.release();
  lock = undefined;
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 201));

  // Connections that are ended and statements that are cancelled give their places back: all ten are taken again.
  const ends = [
    ["ended", "pg_terminate_backend", 503],
    ["cancelled", "pg_cancel_backend", 503],
    ["last", "", 201],
  ] as const;
  for (const [name, end, status] of ends) {
    await eventually(async () => expect((await fetch(`${full.url}/readyz`)).status).toBe(200));
    lock = await RowLock.take(full.databaseUrl, "no.example");
    await lock.run("select pg_advisory_xact_lock(7)");
    const again = writeTen(full, name, keys.slice(0, 5));
    const pids = await lock.waiters(10);
    expect(pids).toHaveLength(10);
    if (end === "") {
      await lock.release();
      lock = undefined;
    } else await full.sql(`select ${end}(pid) from unnest($1::int[]) pid`, [pids]);
    expect((await Promise.all(again)).map((answer) => answer.status)).toEqual(again.map(() => status));
    await lock?.release();
    lock = undefined;
  }
});
