/** Several sets in mode EACH_ZONE at once: each has its turns, whatever the others do or wait for. */
import { expect, jest, test } from "@jest/globals";
import pg from "pg";
import { createUser } from "../../../src/account/user.ts";
import { textOf } from "../../setup/database/statement-text.ts";
import { RowLock } from "../../setup/service/row-lock.ts";
import { addingWeb, allApplied, testChangeSets } from "../../setup/zones/change-sets.ts";

const zones = testChangeSets();
const session = () => zones.session();

const zoneOf = (name: string, at: number) => `${name}${at}.example.net`;
/** Zones that are created, each in a transaction by itself. */
const creations = (name: string, count: number, userId = zones.userId) =>
  Array.from({ length: count }, (_, at) => ({ create: { zone: zoneOf(name, at + 1), userId } }));

test("a set that begins beside a large set ends before it", async () => {
  const author = await zones.keyOf();
  const names = await zones.zonesWithWeb(40);
  const [large, small] = [
    await zones.stageEach(author, names.slice(1).map(addingWeb)),
    await zones.stageEach(author, [addingWeb(names[0] as string)]),
  ];
  await zones.apply(large, author);
  const lock = await RowLock.take(zones.url, names[1] as string);
  const applying = zones.applyZones();
  await lock.waiters(1);
  await zones.apply(small, author);
  await lock.release();
  await applying;
  expect([await zones.resultOf(small), await zones.resultOf(large)]).toEqual([allApplied(1), allApplied(39)]);
  const last = async (zone: string) => (await zones.journal(zone)).at(-1)?.id as number;
  expect(await last(names[0] as string)).toBeLessThan(await last(names[39] as string));
});

test("a set that waits for a locked zone tries it once while another set continues", async () => {
  const author = await zones.keyOf();
  const [held = ""] = await zones.zonesWithWeb(1);
  const waiting = await zones.apply(await zones.stageEach(author, [addingWeb(held)]), author);
  const beside = await zones.apply(await zones.stageEach(author, creations("beside", 4)), author);
  const lock = await RowLock.take(zones.url, held);
  const query = jest.spyOn(pg.Client.prototype, "query");
  await zones.applyZones();
  const takes = query.mock.calls.filter(([sent]) => {
    const { text = "", values = [] } = sent as unknown as pg.QueryConfig;
    return text.includes("skip locked") && values.flat().includes(held);
  });
  query.mockRestore();
  await lock.release();
  expect([await zones.resultOf(beside), takes.length]).toEqual([allApplied(4), 1]);
  await zones.applyZones();
  expect(await zones.resultOf(waiting)).toEqual(allApplied(1));
});

test("users take turns: beside many sets of one user, the set of another user has every second turn", async () => {
  const { id } = await createUser(session(), "other@example.com");
  const [author, other] = [await zones.keyOf(), await zones.keyOf(id)];
  const many = ["one", "two", "three", "four"];
  for (const name of many) await zones.apply(await zones.stageEach(author, creations(name, 2)), author);
  await zones.apply(await zones.stageEach(other, creations("other", 2, id)), other);
  await zones.applyZones();
  const made = async (name: string) => (await zones.journal(name)).at(0)?.id as number;
  const order = await Promise.all(
    [...many, "other"].flatMap((name) => [1, 2].map(async (at) => [name, await made(zoneOf(name, at))] as const)),
  );
  const names = order.toSorted(([, one], [, two]) => one - two).map(([name]) => name);
  expect(names).toEqual(["one", "other", "two", "other", "three", "four", "one", "two", "three", "four"]);
});

test("all sets together use two connections", async () => {
  const author = await zones.keyOf();
  const sets = [];
  for (const zone of await zones.zonesWithWeb(6))
    sets.push(await zones.apply(await zones.stageEach(author, [addingWeb(zone)]), author));
  const query = jest.spyOn(pg.Client.prototype, "query");
  await zones.applyZones();
  const inTransaction = new Set<unknown>();
  const counts = query.mock.calls.map(([sent], at) => {
    const text = textOf(sent);
    if (/^(begin|start transaction)/.test(text)) inTransaction.add(query.mock.contexts[at]);
    if (/^(commit|rollback)$/.test(text)) inTransaction.delete(query.mock.contexts[at]);
    return inTransaction.size;
  });
  query.mockRestore();
  for (const set of sets) expect(await zones.resultOf(set)).toEqual(allApplied(1));
  expect(Math.max(...counts)).toBeLessThanOrEqual(2);
});

test("a run ends after a minute, when each set has had a turn, and the next run tries the waiting sets again", async () => {
  const author = await zones.keyOf();
  const sets = [];
  for (const name of ["minute", "second"])
    sets.push(await zones.apply(await zones.stageEach(author, creations(name, 3)), author));
  let passed = 0;
  const clock = jest.spyOn(performance, "now").mockImplementation(() => {
    passed += 60_000;
    return passed;
  });
  expect(await zones.applyZones()).toBe(true);
  clock.mockRestore();
  for (const set of sets) expect((await zones.resultOf(set)).slice(0, 2)).toEqual(["APPLYING", "APPLIED"]);
  await zones.applyZones();
  for (const set of sets) expect(await zones.resultOf(set)).toEqual(allApplied(3));
});
