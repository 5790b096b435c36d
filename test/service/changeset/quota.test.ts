/**
 * Change sets beside the quotas of users: what a set would exceed is in its preview, together in mode ALL, zone by zone in mode EACH_ZONE,
 * and it is applied so.
 */
import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import { pino } from "pino";
import { createApiKey } from "../../../src/account/api-key.ts";
import { createUser } from "../../../src/account/user.ts";
import { applyChangeSet } from "../../../src/changeset/apply.ts";
import { type ChangeSetRow, changeSetById } from "../../../src/changeset/change-set.ts";
import { zonesOfSet } from "../../../src/changeset/contents.ts";
import { applyZones } from "../../../src/changeset/each-zone.ts";
import { previewChangeSet } from "../../../src/changeset/preview.ts";
import { createChangeSet } from "../../../src/changeset/stage.ts";
import { ChangeSetMode } from "../../../src/changeset/states.ts";
import type { ZonePart } from "../../../src/changeset/zone-part.ts";
import type { Actor } from "../../../src/session/authorization.ts";
import { createDomain, deleteDomain } from "../../../src/zone/edit/lifecycle.ts";
import { usageOfUsers } from "../../../src/zone/user-usage.ts";
import { drift, limit } from "../../setup/zones/quota.ts";
import { fieldsOf, refusalOf, testZones } from "../../setup/zones/session.ts";

const zones = testZones();
let administrator: Actor = { role: "administrator", userId: null, readOnly: false, name: "admin" };
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
const adding = (zone: string, count: number): ZonePart => ({
  zone,
  edits: { add: Array.from({ length: count }, (_, at) => fieldsOf(`h${at} A 192.0.2.1`)) },
});
const creating = (name: string): ZonePart => ({ zone: nameOf(name), create: { userId } });
const setOf = (mode: ChangeSetMode, ...parts: ZonePart[]) =>
  createChangeSet(session(), { title: "t", mode, zones: parts });

/** What the preview of a set has against each of its zones. */
async function seen(set: ChangeSetRow) {
  const preview = await previewChangeSet(session(), await changeSetById(session(), set.id));
  const refusals = preview.zones.map(({ staged, refusals }) => [
    staged.zone.replace(/\..*/, ""),
    ...refusals.map(({ code }) => code),
  ]);
  return { ...preview, refusals };
}

async function outcomes(set: ChangeSetRow) {
  const { rows } = await zonesOfSet(session(), set.id, undefined, {});
  return rows.map(({ zone, outcome, reasons }) =>
    [zone.replace(/\..*/, ""), outcome, ...(reasons ?? []).map(({ code }) => code)].join(" "),
  );
}

async function applyEach(set: ChangeSetRow) {
  await applyChangeSet(session(), set.id, (await seen(set)).fingerprint, { timeoutMs: 0 });
  await applyZones({ ...zones.session(), door: "system" }, pino({ level: "silent" }));
  return outcomes(set);
}

test("of mode ALL counts as a whole: it is refused as a whole, and may delete what makes room", async () => {
  const [a, b] = [await create("a"), await create("b")];
  await limit(zones, { domains: 2, records: 10 }, userId);
  const set = await setOf(ChangeSetMode.ALL, adding(a, 1), adding(b, 2));
  const { refusals, applicable, fingerprint } = await seen(set);
  expect([applicable, refusals]).toEqual([false, [["a", "QUOTA_EXCEEDED"], ["b"]]]);
  const { code, message } = await refusalOf(applyChangeSet(session(), set.id, fingerprint));
  expect([code, message]).toEqual([
    "QUOTA_EXCEEDED",
    expect.stringContaining(
      `${a}: The quota of user${made}@example.com is 10 records in all; 8 are used, and this would make it 11.`,
    ),
  ]);
  const exchange = await setOf(ChangeSetMode.ALL, creating("c"), { zone: b, delete: true }, adding(a, 2));
  const before = await seen(exchange);
  expect(before.applicable).toBe(true);
  expect((await applyChangeSet(session(), exchange.id, before.fingerprint)).state).toBe("APPLIED");
  expect(await usageOfUsers(session(), [userId])).toEqual([{ domains: 2, records: 10, changes: 5 }]);
  const more = await setOf(ChangeSetMode.ALL, creating("d"));
  expect((await seen(more)).refusals).toEqual([["d", "QUOTA_EXCEEDED", "QUOTA_EXCEEDED"]]);
  expect(await drift(zones)).toEqual([]);
});

test("of mode ALL that is overtaken between its look and its commit is refused as a whole", async () => {
  const a = await create("a");
  await limit(zones, { changesPerDay: 2 }, userId);
  const set = await setOf(ChangeSetMode.ALL, adding(a, 1), creating("b"), creating("c"));
  expect((await seen(set)).refusals.flat()).toEqual(["a", "QUOTA_EXCEEDED", "b", "c"]);
  await limit(zones, { changesPerDay: 4 }, userId);
  const { fingerprint, applicable } = await seen(set);
  expect(applicable).toBe(true);
  await limit(zones, { changesPerDay: 3 }, userId);
  await refusalOf(applyChangeSet(session(), set.id, fingerprint));
  expect(await outcomes(set)).toEqual(["a ", "b ", "c "]);
  expect(await usageOfUsers(session(), [userId])).toMatchObject([{ domains: 1, changes: 1 }]);
});

test("of mode EACH_ZONE counts zone by zone: those that fit are changed, the others are refused", async () => {
  const [a, b, c] = [await create("a"), await create("b"), await create("c")];
  await limit(zones, { records: 14 }, userId);
  const set = await setOf(ChangeSetMode.EACH_ZONE, adding(a, 1), adding(b, 2), adding(c, 1), creating("d"));
  const { refusals, applicable } = await seen(set);
  expect([applicable, refusals]).toEqual([true, [["a"], ["b", "QUOTA_EXCEEDED"], ["c"], ["d", "QUOTA_EXCEEDED"]]]);
  expect(await applyEach(set)).toEqual([
    "a APPLIED",
    "b REFUSED QUOTA_EXCEEDED",
    "c APPLIED",
    "d REFUSED QUOTA_EXCEEDED",
  ]);
  expect(await usageOfUsers(session(), [userId])).toMatchObject([{ domains: 3, records: 14 }]);
  expect(await drift(zones)).toEqual([]);
});

test("brings a deleted domain back within the quota, and not beyond it", async () => {
  const [a, b] = [await create("a"), await create("b")];
  await limit(zones, { domains: 2 }, userId);
  const [deleted] = await zones.sql<{ id: number }>("select id::float8 as id from domain where zone = $1", [a]);
  await deleteDomain(session(), a);
  const back = { zone: a, restore: { id: deleted?.id as number, userId } } as ZonePart;
  const set = await setOf(ChangeSetMode.ALL, back, creating("c"));
  expect((await seen(set)).refusals.flat()).toEqual(["a", "QUOTA_EXCEEDED", "c"]);
  const fitting = await setOf(ChangeSetMode.ALL, back, adding(b, 1));
  await applyChangeSet(session(), fitting.id, (await seen(fitting)).fingerprint);
  expect(await usageOfUsers(session(), [userId])).toMatchObject([{ domains: 2, records: 9 }]);
  expect(await drift(zones)).toEqual([]);
});
