/**
 * Change sets beside other writers of their zones. In mode ALL: sets of the same zones in any order, beside direct changes, imports, new
 * zones and deleted users. No deadlock occurs, and every operation succeeds or is refused with a reason. In mode EACH_ZONE: nobody waits
 * for the whole set, and no write is lost.
 */
import { expect, jest, test } from "@jest/globals";
import pg from "pg";
import { createUser } from "../../../src/account/user.ts";
import type { ZonePart } from "../../../src/changeset/stage/read-part.ts";
import { ChangeSetMode, ChangeSetState } from "../../../src/changeset/states.ts";
import { Refusal } from "../../../src/errors.ts";
import { sql } from "../../../src/sql/sql.ts";
import { createDomain, deleteUser } from "../../../src/zone/lifecycle/domain-lifecycle.ts";
import { importZone } from "../../../src/zone/master-file/import.ts";
import { Random } from "../../setup/basics/random.ts";
import { RowLock } from "../../setup/service/row-lock.ts";
import { adding, testChangeSets } from "../../setup/zones/change-sets.ts";

const zones = testChangeSets();
const rounds = Number(process.env.ROUNDS ?? 6);
const random = new Random(1);

/** The codes by which PostgreSQL refused statements. */
const codes: unknown[] = [];
const query = pg.Client.prototype.query as (...sent: unknown[]) => unknown;
const noting = function (this: pg.Client, ...sent: unknown[]) {
  const result = query.apply(this, sent);
  const refused = (result as Promise<unknown> | undefined)?.then?.bind(result);
  refused?.(undefined, ({ code }: { code?: string }) => codes.push(code));
  return result;
};
jest.spyOn(pg.Client.prototype, "query").mockImplementation(noting as typeof pg.Client.prototype.query);

let made = 0;
const record = () => {
  made += 1;
  return { owner: `r${made}`, type: "A", rdata: "192.0.2.1" };
};

function shuffled<Item>(items: readonly Item[]): Item[] {
  const keyed = items.map((item) => [random.next(), item] as const);
  return keyed.toSorted(([a], [b]) => a - b).map(([, item]) => item);
}

const applySet = async (parts: readonly ZonePart[]) => zones.apply(await zones.stage(parts));

test("sets and other writers of the same zones are never in a deadlock", async () => {
  await expect(sql`select 1 / 0`.run(zones.session())).rejects.toThrow();
  expect(codes).toEqual(["22012"]);
  const common = [await zones.zone(), await zones.zone(), await zones.zone(), await zones.zone()];
  const refused = new Map<string, number>();
  let done = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { id: userId } = await createUser(zones.session(), `user${round}@example.com`);
    const own = ["a", "b", "c"].map((label) => `${label}${round}.example.net`);
    for (const zone of own) await createDomain(zones.session(), userId, zone);
    const all = [...common, ...own];
    const parts = () => shuffled(all).map((zone) => ({ edit: { zone, add: [record()] } }));
    const acts = [
      ...Array.from({ length: 4 }, () => () => applySet(parts())),
      () => applySet([...shuffled(common).map((zone) => ({ edit: { zone, add: [record()] } })), ...newZones(userId)]),
      () => applySet([...newZones(userId), { delete: { zone: own[0] as string } }]),
      () => deleteUser(zones.session(), userId, { fate: "DELETE" }),
      ...shuffled(all).map((zone) => () => zones.change(zone, { add: [record()] })),
      ...shuffled(common).map((zone) => () => {
        const text = [`i${record().owner} 300 IN A 192.0.2.1\n`];
        return importZone(zones.session(), { zone, text, mode: "MERGE" });
      }),
    ];
    const results = await Promise.allSettled(shuffled(acts).map((act) => act()));
    for (const result of results) {
      if (result.status === "fulfilled") done += 1;
      else if (!(result.reason instanceof Refusal)) throw result.reason;
      else refused.set(result.reason.code, (refused.get(result.reason.code) ?? 0) + 1);
    }
  }
  expect(done).toBeGreaterThan(rounds * common.length);
  expect(new Set([...refused.keys(), "CHANGE_CONFLICT", "NOT_FOUND"])).toEqual(
    new Set(["CHANGE_CONFLICT", "NOT_FOUND"]),
  );
  expect(codes).not.toContain("40P01");
});

test("an application locks the user of a set before the set, in the same order as the deletion of a user", async () => {
  const { id: userId } = await createUser(zones.session(), "leaves@example.com");
  const set = await zones.stage(newZones(userId));
  expect(set.userId).toBe(userId);
  const deletion = await RowLock.take(zones.url);
  await deletion.run('select from "user" where id = $1 for update', [userId]);
  const applying = zones.apply(set);
  await deletion.waiters(1);
  await deletion.run("update change_set set user_id = null where id = $1", [set.id]);
  await deletion.release();
  await applying;
  expect(codes).not.toContain("40P01");
});

/** Parts of a set that create zones of a user. */
function newZones(userId: number): ZonePart[] {
  return [1, 2].map(() => {
    made += 1;
    return { create: { zone: `n${made}.example.org`, userId } };
  });
}

const [zoneCount, writerCount] = [200, 64];

test("64 writers beside a set over 200 zones get answers before the set has ended, and nothing is lost", async () => {
  const made = await Promise.all(Array.from({ length: zoneCount }, () => zones.zone("web A 192.0.2.1")));
  const names = made.toSorted();
  // Zones before it are changed in the same transaction.
  const held = names[zoneCount * 0.75] as string;
  const parts = names.map((zone) => adding(zone, "web A 192.0.2.2"));
  const set = await zones.stage(parts, { mode: ChangeSetMode.EACH_ZONE });
  await zones.apply(set);
  const lock = await RowLock.take(zones.url, held);
  const applying = zones.applyZones();
  await lock.waiters(1);
  // Before, in and behind the zones whose turn it is, but not in the one that the test holds.
  const others = names.filter((zone) => zone !== held);
  const writers = Array.from({ length: writerCount }, (_, n) => others[Math.floor((n * others.length) / writerCount)]);
  const write = (round: number) =>
    Promise.all(writers.map((zone) => zones.add(zone as string, `writer${round} A 192.0.2.3`)));
  await write(1);
  const left = async () => (await zones.outcomes(set)).filter((outcome) => !outcome.endsWith(" APPLIED")).length;
  expect((await zones.current(set)).state).toBe(ChangeSetState.APPLYING);
  expect(await left()).toBeGreaterThan(0);
  await lock.release();
  await Promise.all([applying, write(2)]);
  // A zone that was held for long is left for the next time.
  await zones.applyZones();
  expect((await zones.current(set)).state).toBe(ChangeSetState.APPLIED);
  expect(await left()).toBe(0);
  const lost: string[] = [];
  for (const zone of names) {
    const [journal, lines] = [await zones.journal(zone), await zones.lines(zone)];
    const wanted = writers.includes(zone) ? ["web", "web", "writer1", "writer2"] : ["web", "web"];
    const addresses = lines.filter((line) => line.includes(" A ")).map((line) => line.split(" ")[0]);
    // Each change begins where the one before it ended.
    const isChain = journal.every(({ previousSerial }, at) => previousSerial === (journal[at - 1]?.serial ?? null));
    const isOnce = journal.filter(({ added }) => added.some((line) => line.endsWith("192.0.2.2"))).length === 1;
    if (addresses.join() !== wanted.join() || !isChain || !isOnce) lost.push(`${zone}: ${lines.join("; ")}`);
  }
  expect(lost).toEqual([]);
});
