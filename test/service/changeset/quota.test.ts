/**
 * Change sets and the quotas of users: the preview shows which quotas a set would exceed, for all zones together in mode ALL, zone by zone
 * in mode EACH_ZONE, and the application has the same result.
 */
import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import { createApiKey } from "../../../src/account/api-key.ts";
import { createUser } from "../../../src/account/user.ts";
import { applyChangeSet } from "../../../src/changeset/apply/apply.ts";
import type { ChangeSetRow } from "../../../src/changeset/change-set.ts";
import type { ZonePart } from "../../../src/changeset/stage/read-part.ts";
import { ChangeSetMode } from "../../../src/changeset/states.ts";
import { createDomain, deleteDomain } from "../../../src/zone/lifecycle/domain-lifecycle.ts";
import { usageOfUsers } from "../../../src/zone/quota/usage.ts";
import * as sets from "../../setup/zones/change-sets.ts";
import { drift, limit } from "../../setup/zones/quota.ts";
import { administrator as anyAdministrator, refusalOf } from "../../setup/zones/session.ts";

const zones = sets.testChangeSets();
let administrator = anyAdministrator;
const session = () => zones.session(administrator);
let userId = 0;
let made = 0;

beforeAll(async () => {
  // What is applied zone by zone is applied by the right of its key.
  const { apiKey } = await createApiKey(session(), { name: "k" });
  administrator = { ...administrator, keyId: apiKey.id };
});

beforeEach(async () => {
  made += 1;
  userId = (await createUser(session(), `user${made}@example.com`)).id;
});

const nameOf = (name: string) => `${name}.u${made}.example`;
const create = async (name: string) => (await createDomain(session(), userId, nameOf(name))).domain.zone;
const adding = (zone: string, count: number) =>
  sets.adding(zone, ...Array.from({ length: count }, (_, at) => `h${at} A 192.0.2.1`));
const creating = (name: string): ZonePart => ({ create: { zone: nameOf(name), userId } });
const setOf = (mode: ChangeSetMode, ...parts: ZonePart[]) => zones.stage(parts, { mode }, administrator);
const outcomes = async (set: ChangeSetRow) =>
  (await zones.outcomes(set)).map((outcome) => outcome.replace(/\.u\d+\.example/, ""));

/** What the preview of a set has against each of its zones. */
async function seen(set: ChangeSetRow) {
  const preview = await zones.preview(set, administrator);
  const refusals = preview.zones.map(({ staged, refusals }) =>
    [staged.zone.replace(/\..*/, ""), ...refusals.map(({ code }) => code)].join(" "),
  );
  return { ...preview, refusals };
}

test("of mode ALL counts as a whole: it is refused as a whole, and its deletions make room for its additions", async () => {
  const [a, b] = [await create("a"), await create("b")];
  await limit(zones, { domains: 2, records: 10 }, userId);
  const set = await setOf(ChangeSetMode.ALL, adding(a, 1), adding(b, 2));
  const { refusals, applicable, fingerprint } = await seen(set);
  expect([applicable, refusals]).toEqual([false, ["a QUOTA_EXCEEDED", "b"]]);
  const { code, message } = await refusalOf(applyChangeSet(session(), set.id, fingerprint));
  expect([code, message]).toEqual([
    "QUOTA_EXCEEDED",
    expect.stringContaining(
      `${a}: The quota of user${made}@example.com is 10 records in all; 8 are used, and this would make it 11.`,
    ),
  ]);
  const exchange = await setOf(ChangeSetMode.ALL, creating("c"), { delete: { zone: b } }, adding(a, 2));
  expect((await seen(exchange)).applicable).toBe(true);
  expect((await zones.apply(exchange, administrator)).state).toBe("APPLIED");
  expect(await usageOfUsers(session(), [userId])).toEqual([{ domains: 2, records: 10, changes: 5 }]);
  const more = await setOf(ChangeSetMode.ALL, creating("d"));
  expect((await seen(more)).refusals).toEqual(["d QUOTA_EXCEEDED QUOTA_EXCEEDED"]);
  expect(await drift(zones)).toEqual([]);
});

test("of mode ALL is refused as a whole when another change uses the quota between its check and its commit", async () => {
  const a = await create("a");
  await limit(zones, { changesPerDay: 2 }, userId);
  const set = await setOf(ChangeSetMode.ALL, adding(a, 1), creating("b"), creating("c"));
  expect((await seen(set)).refusals).toEqual(["a QUOTA_EXCEEDED", "b", "c"]);
  await limit(zones, { changesPerDay: 4 }, userId);
  const { fingerprint, applicable } = await zones.preview(set, administrator);
  expect(applicable).toBe(true);
  await limit(zones, { changesPerDay: 3 }, userId);
  await refusalOf(applyChangeSet(session(), set.id, fingerprint));
  expect(await outcomes(set)).toEqual(["a", "b", "c"]);
  expect(await usageOfUsers(session(), [userId])).toMatchObject([{ domains: 1, changes: 1 }]);
});

test("of mode EACH_ZONE counts zone by zone: those that fit are changed, the others are refused", async () => {
  const [a, b, c] = [await create("a"), await create("b"), await create("c")];
  await limit(zones, { records: 14 }, userId);
  const set = await setOf(ChangeSetMode.EACH_ZONE, adding(a, 1), adding(b, 2), adding(c, 1), creating("d"));
  const { refusals, applicable } = await seen(set);
  expect([applicable, refusals]).toEqual([true, ["a", "b QUOTA_EXCEEDED", "c", "d QUOTA_EXCEEDED"]]);
  await zones.apply(set, administrator);
  await zones.applyZones();
  const exceeded = "REFUSED QUOTA_EXCEEDED";
  expect(await outcomes(set)).toEqual(["a APPLIED", `b ${exceeded}`, "c APPLIED", `d ${exceeded}`]);
  expect(await usageOfUsers(session(), [userId])).toMatchObject([{ domains: 3, records: 14 }]);
  expect(await drift(zones)).toEqual([]);
});

test("brings a deleted domain back within the quota, and not beyond it", async () => {
  const [a, b] = [await create("a"), await create("b")];
  await limit(zones, { domains: 2 }, userId);
  const [deleted] = await zones.sql<{ id: number }>("select id::float8 as id from domain where zone = $1", [a]);
  await deleteDomain(session(), a);
  const back = { restore: { zone: a, id: deleted?.id as number, userId } };
  const set = await setOf(ChangeSetMode.ALL, back, creating("c"));
  expect((await seen(set)).refusals).toEqual(["a QUOTA_EXCEEDED", "c"]);
  const fitting = await setOf(ChangeSetMode.ALL, back, adding(b, 1));
  await zones.apply(fitting, administrator);
  expect(await usageOfUsers(session(), [userId])).toMatchObject([{ domains: 2, records: 9 }]);
  expect(await drift(zones)).toEqual([]);
});
