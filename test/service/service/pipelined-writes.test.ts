/** Changes on pipelined connections: one that waits for a lock does not hold up those behind it, and is done once it has the lock. */
import { beforeAll, expect, test } from "@jest/globals";
import { RowLock } from "../../setup/service/row-lock.ts";
import { mutation, testService } from "../../setup/service/service.ts";

const service = testService();
const document = mutation("createRecord", "record { id } change { serial }");
const zones = Array.from({ length: 20 }, (_, at) => `z${at}.example.com`);
const [locked = "", ...free] = zones;

const add = (zone: string, owner: string) =>
  service.graphql(document, { input: { zone, owner, type: "A", rdata: "192.0.2.1" } });

/** How many records of an owner there are. */
const count = async (owner: string) =>
  (await service.sql<{ count: number }>("select count(*)::int from zone_record where owner = $1", [owner]))[0]?.count;

beforeAll(async () => {
  const userId = await service.user("owner@example.com");
  for (const zone of zones) await service.domain(zone, userId);
});

test("a change goes over them", async () => {
  await add(locked, "first");
  const sessions = await service.sql(
    `select from pg_stat_activity where datname = current_database() and application_name = 'zonesmith-writes'
       and query like '/* own transaction */%'`,
  );
  expect(sessions.length).toBeGreaterThan(0);
});

test("a change that waits for another process's lock holds up nobody, and is done after that", async () => {
  const lock = await RowLock.ofChanges(service, locked);
  const waiting = add(locked, "late");
  const answers = await Promise.all(free.map((zone) => add(zone, "beside")));
  expect(answers.map(({ body }) => body.errors)).toEqual(free.map(() => undefined));
  await lock.waiters(1);
  expect(await count("late")).toBe(0);
  await lock.release();
  expect((await waiting).body.errors).toBeUndefined();
  expect(await count("late")).toBe(1);
  await service.sql("drop function hold cascade");
});
