/** The number of statements of a change. PostgreSQL plans them once: their plans do not depend on the size of a change. */
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import pg from "pg";
import { createUser } from "../../../../src/account/user.ts";
import { byIndexSettings } from "../../../../src/database/point-reads.ts";
import { changeZone } from "../../../../src/zone/edit/change-zone.ts";
import { createDomain } from "../../../../src/zone/lifecycle/domain-lifecycle.ts";
import { textOf } from "../../../setup/database/statement-text.ts";
import { limit } from "../../../setup/zones/quota.ts";
import { actorOf, fieldsOf, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();
const originalQuery = pg.Client.prototype.query;
const query = jest.spyOn(pg.Client.prototype, "query");
beforeEach(() => void query.mockClear());
afterEach(() => void query.mockClear());

/** The statements that were sent since the last time, by what they do. */
function statements(): string[] {
  const texts = query.mock.calls.map(([sent]) => textOf(sent).trim());
  query.mockClear();
  return texts.map((text) => (text.startsWith("/* own transaction */") ? "write" : (text.split(/\s/)[0] as string)));
}

const twoStatements = ["select", "write"];

test("a change that adds, edits and removes is two statements without a transaction", async () => {
  const zone = await zones.zone("old A 192.0.2.1", "kept.deep MX 10 mail");
  const [old, kept] = [await zones.idOf(zone, "old", "A"), await zones.idOf(zone, "kept.deep", "MX")];
  statements();
  await zones.change(zone, { add: [fieldsOf("a.new A 192.0.2.1")] }, { expectedSerial: 2026112102 });
  expect(statements()).toEqual(twoStatements);
  await changeZone(zones.session(actorOf(zones.userId)), zone, { remove: [old], update: [{ id: kept, ttl: 300 }] });
  expect(statements().filter((statement) => statement === "write")).toHaveLength(1);
  await zones.change(zone, { update: [{ id: kept, rdata: "20 mail" }] });
  expect(statements().at(-1)).toBe("write");
  const address = await zones.idOf(zone, "a.new", "A");
  statements();
  await zones.change(zone, { update: [{ id: address, rdata: "192.0.2.2" }] });
  expect(statements()).toEqual(twoStatements);
});

test("a domain of an administrator is created by one statement, under a former name by two more; a domain of a user in a transaction", async () => {
  const { change } = await zones.create("created.example.com");
  expect(statements()).toEqual(["write"]);
  await zones.remove("created.example.com");
  statements();
  const again = await zones.create("created.example.com");
  const noticed = "select";
  expect(statements()).toEqual(["write", ...twoStatements, noticed]);
  expect(again.change.serial).toBe(change.serial + 1);
  await createDomain(zones.session(actorOf(zones.userId)), zones.userId, "created.example.net");
  expect(statements()).toEqual(expect.arrayContaining(["begin", "commit"]));
});

test("a change of a user with a quota takes a transaction, which raises the figures last; the quota of another user costs nothing", async () => {
  const zone = await zones.zone();
  const { id: other } = await createUser(zones.session(), "limited@example.com");
  await limit(zones, { records: 100 }, other);
  statements();
  await zones.add(zone, "a A 192.0.2.1");
  expect(statements()).toEqual(twoStatements);
  await limit(zones, { records: 100 });
  statements();
  await zones.add(zone, "b A 192.0.2.1");
  expect(statements()).toEqual(["select", "begin", "select", "select", "with", "with", "commit"]);
  await limit(zones, { records: "default" });
});

test("a refusal is judged by one statement, and by a lock where it took more", async () => {
  const zone = await zones.zone("a A 192.0.2.1");
  statements();
  await expect(zones.add(zone, "a CNAME b")).rejects.toThrow("beside");
  expect(statements()).toEqual(["select"]);
  const preconditions = [{ owner: "elsewhere" }];
  await expect(zones.change(zone, { add: [fieldsOf("b A 192.0.2.1")] }, { preconditions })).rejects.toMatchObject({
    code: "NAME_NOT_IN_USE",
  });
  expect(statements()).toContain("begin");
});

test("a zone that changes between both statements is read again, and is locked after some attempts", async () => {
  const zone = await zones.zone();
  const { id: other } = await createUser(zones.session(), "other@example.com");
  const send = query.getMockImplementation() ?? originalQuery;
  // Each time the domain has gone to the other of two users when the change is to be stored; its serial stays.
  query.mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const run = () => Reflect.apply(send, this, args);
    if (!(args[0] as pg.QueryConfig).text?.startsWith("/* own transaction */")) return run();
    return zones
      .sql("update domain set user_id = $1::bigint + $2 - user_id where zone = $3", [other, zones.userId, zone])
      .then(run);
  } as never);
  statements();
  const { change } = await zones.add(zone, "a A 192.0.2.1");
  query.mockImplementation(send as never);
  const done = statements().filter((statement) => statement !== "update");
  expect(done.slice(0, 7)).toEqual([...twoStatements, ...twoStatements, ...twoStatements, "begin"]);
  expect(done.at(-1)).toBe("commit");
  expect((await zones.journal(zone)).map(({ serial }) => serial)).toEqual([2026112101, change?.serial]);
});

test("PostgreSQL plans both statements once, whatever their lists hold", async () => {
  const zone = await zones.zone();
  for (let n = 1; n <= 12; n += 1) {
    await zones.add(zone, ...Array.from({ length: n }, (_, at) => `host-${n}-${at} A 192.0.2.1`));
  }
  const plans = await zones
    .session()
    .em.getConnection()
    .execute<{ generic: string }[]>(
      `select generic_plans as generic from pg_prepared_statements
        where statement like '/* own transaction */%' or statement like '%json_agg(json_build_array(%'`,
    );
  expect(plans.filter(({ generic }) => Number(generic) > 0).length).toBeGreaterThan(1);
});

test("a record that is changed is found by its id, since its zone may be large, although most are small", async () => {
  for (let n = 0; n < 20; n++) await zones.zone("a A 192.0.2.1");
  const zone = await zones.zone("kept A 192.0.2.1", "removed A 192.0.2.1");
  const [kept, removed] = [await zones.idOf(zone, "kept", "A"), await zones.idOf(zone, "removed", "A")];
  statements();
  await zones.change(zone, { update: [{ id: kept, rdata: "192.0.2.2" }], remove: [removed] });
  const [text] = query.mock.calls.flatMap(([sent]) => (sent as unknown as pg.QueryConfig).text ?? []).slice(-1);
  await zones.sql("analyze");
  const client = new pg.Client({ connectionString: zones.url, options: byIndexSettings });
  await client.connect();
  const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain (generic_plan, costs off) ${text}`);
  await client.end();
  const indexes = rows.flatMap((row) => /Scan using (zone_record_\w+)/.exec(row["QUERY PLAN"])?.[1] ?? []);
  expect(new Set(indexes)).toEqual(new Set(["zone_record_pkey"]));
});
