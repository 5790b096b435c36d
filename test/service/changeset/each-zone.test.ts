/**
 * Sets whose zones change each for itself: a zone that cannot be stored as it was looked at is refused, the others go on, and who begins
 * anew finds each zone done once.
 */
import { describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { createApiKey, revokeApiKey } from "../../../src/account/api-key.ts";
import { ReviewPolicy } from "../../../src/account/review-policy.ts";
import { applyChangeSet } from "../../../src/changeset/apply.ts";
import { type ChangeSetRow, changeSetById } from "../../../src/changeset/change-set.ts";
import { eventsOfSet, zonesOfSet } from "../../../src/changeset/contents.ts";
import { applyDueSets } from "../../../src/changeset/due.ts";
import { applyZones } from "../../../src/changeset/each-zone.ts";
import { editRecords } from "../../../src/changeset/edit-records.ts";
import { previewChangeSet } from "../../../src/changeset/preview.ts";
import { progressOf } from "../../../src/changeset/progress.ts";
import { resolveConflicts } from "../../../src/changeset/resolve.ts";
import { restageChangeSet } from "../../../src/changeset/restage.ts";
import { revertChanges } from "../../../src/changeset/revert-changes.ts";
import { scheduleChangeSet } from "../../../src/changeset/schedule.ts";
import { cancelChangeSet, createChangeSet, stageChanges, updateChangeSet } from "../../../src/changeset/stage.ts";
import { ChangeSetMode, Resolution } from "../../../src/changeset/states.ts";
import type { ZonePart } from "../../../src/changeset/zone-part.ts";
import type { Actor } from "../../../src/session/authorization.ts";
import type { Session } from "../../../src/session/session.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import { createDomain, deleteDomain } from "../../../src/zone/edit/lifecycle.ts";
import { updateDomain } from "../../../src/zone/edit/update-domain.ts";
import { actorOf, fieldsOf, policy, reasonsOf, testZones } from "../../setup/zones/session.ts";

const zones = testZones();
const log = pino({ level: "silent" });
const session = () => zones.session();
const leader = (): Session => ({ ...zones.session(), door: "system" });

async function keyOf(): Promise<Actor> {
  const { apiKey } = await createApiKey(session(), { name: "k", userId: zones.userId });
  return { ...actorOf(zones.userId), keyId: apiKey.id, name: `key ${apiKey.id}` };
}

const web = (zone: string): ZonePart => ({ zone, edits: { add: [fieldsOf("web A 192.0.2.2")] } });
const zonesWithWeb = (count: number) => Promise.all(Array.from({ length: count }, () => zones.zone("web A 192.0.2.1")));

const setOf = (author: Actor, parts: readonly ZonePart[]) =>
  createChangeSet(zones.session(author), { title: "t", mode: ChangeSetMode.EACH_ZONE, zones: parts });
const setNow = ({ id }: { id: number }) => changeSetById(session(), id);
const previewOf = async (set: { id: number }) => previewChangeSet(session(), await setNow(set));

/** Begins to apply a set, and does not wait. */
async function begin(by: Actor, set: { id: number }): Promise<ChangeSetRow> {
  const { fingerprint } = await previewOf(set);
  return applyChangeSet(zones.session(by), set.id, fingerprint, { timeoutMs: 0 });
}

/** The state of a set, and the outcomes of its zones with the codes of their reasons. */
async function resultOf(set: { id: number }) {
  const { rows } = await zonesOfSet(session(), set.id, undefined, {});
  const outcomes = rows.map(({ outcome, reasons }) => [outcome, ...(reasons ?? []).map(({ code }) => code)].join(" "));
  return [(await setNow(set)).state, outcomes];
}

const kindsOf = async ({ id }: { id: number }) =>
  (await eventsOfSet(session(), id, {})).rows.map(({ kind, text }) => (text ? `${kind}: ${text}` : kind));
const addressesOf = async (zone: string) => (await zones.lines(zone)).filter((line) => line.includes(" A "));

test("its zones are changed by the leader after its application began, by its author and the applier's door", async () => {
  const author = await keyOf();
  const names = await zonesWithWeb(20);
  const set = await setOf(author, names.map(web));
  expect(await begin(author, set)).toMatchObject({ state: "APPLYING", appliedBy: author.name, appliedAt: null });
  expect(await reasonsOf(cancelChangeSet(session(), set.id))).toEqual([["WRONG_STATE", "id"]]);
  expect(await reasonsOf(stageChanges(session(), set.id, {}))).toEqual([["WRONG_STATE", "id"]]);
  expect(await progressOf(session(), set.id)).toEqual({ zones: 20, applied: 0, refused: 0 });
  await applyZones(leader(), log);
  expect(await resultOf(set)).toEqual(["APPLIED", names.map(() => "APPLIED")]);
  expect(await progressOf(session(), set.id)).toEqual({ zones: 20, applied: 20, refused: 0 });
  expect(await setNow(set)).toMatchObject({ applying: null, appliedAt: zones.now });
  expect(await kindsOf(set)).toEqual(["CREATED", "APPLYING", "APPLIED"]);
  expect((await zones.journal(names[3] as string)).at(-1)).toMatchObject({ actor: author.name, door: "graphql" });
});

test("a zone that is not as it was looked at, demands more, or breaks a rule is refused, and the others go on", async () => {
  const author = await keyOf();
  const names = (await zonesWithWeb(6)).toSorted() as [string, string, string, string, string, string];
  const [fine, changed, gone, reviewed, alias, same] = names;
  const parts = names.map(
    (zone): ZonePart => (zone === alias ? { zone, edits: { add: [fieldsOf("web CNAME other.example.")] } } : web(zone)),
  );
  const set = await setOf(author, parts);
  expect((await previewOf(set)).applicable).toBe(true);
  await begin(author, set);
  await changeZone(session(), changed, { add: [fieldsOf("web A 192.0.2.7")] });
  await changeZone(session(), same, { add: [fieldsOf("web A 192.0.2.2")] });
  await changeZone(session(), fine, { add: [fieldsOf("elsewhere A 192.0.2.7")] });
  await deleteDomain(session(), gone);
  await updateDomain(session(), reviewed, { review: ReviewPolicy.ONE });
  await applyZones(leader(), log);
  expect(await resultOf(set)).toEqual([
    "PARTIAL",
    [
      "APPLIED",
      "REFUSED STALE_CHANGE_SET",
      "REFUSED CHANGE_CONFLICT",
      "REFUSED REVIEW_REQUIRED",
      "REFUSED RECORD_CONFLICT",
      "UNCHANGED",
    ],
  ]);
  expect(await kindsOf(set)).toEqual(["CREATED", "APPLYING", "PARTIAL: 4 of 6 zones were refused."]);
  const { rows } = await zonesOfSet(session(), set.id, undefined, {});
  expect(rows[1]?.reasons?.[0]?.message).toContain("+web 3600 IN A 192.0.2.2");
  expect(await addressesOf(reviewed)).toEqual(["web 3600 A 192.0.2.1"]);
});

test("zones are created and deleted, each by itself, and one that is there by then is refused", async () => {
  const author = await keyOf();
  const old = await zones.zone("web A 192.0.2.1");
  const create = { userId: zones.userId };
  const set = await setOf(author, [
    { zone: "a-new.example.org", create },
    { zone: "taken.example.org", create },
    { zone: old, delete: true },
  ]);
  await begin(author, set);
  await createDomain(session(), zones.userId, "taken.example.org");
  await applyZones(leader(), log);
  expect(await resultOf(set)).toEqual(["PARTIAL", ["APPLIED", "REFUSED DUPLICATE_ZONE", "APPLIED"]]);
  expect(await zones.lines("a-new.example.org")).toHaveLength(4);
  expect((await zones.journal(old)).at(-1)?.kind).toBe("DELETE");
});

test("the refused zones are staged anew, with their edits, in a set of their own, which resolves what is in conflict", async () => {
  const author = await keyOf();
  const [one, two] = (await zonesWithWeb(2)).toSorted() as [string, string];
  const id = await zones.idOf(two, "web", "A");
  const set = await setOf(author, [web(one), { zone: two, edits: { update: [{ id, rdata: "192.0.2.9" }] } }]);
  await begin(author, set);
  await changeZone(session(), two, { update: [{ id, rdata: "192.0.2.5" }] });
  expect(await reasonsOf(restageChangeSet(session(), set.id))).toEqual([["WRONG_STATE", "id"]]);
  await applyZones(leader(), log);
  expect(await resultOf(set)).toEqual(["PARTIAL", ["APPLIED", "REFUSED CHANGE_CONFLICT"]]);
  const anew = await restageChangeSet(zones.session(author), set.id);
  expect(anew).toMatchObject({
    title: "t",
    state: "DRAFT",
    mode: "EACH_ZONE",
    author: author.name,
    userId: zones.userId,
  });
  const { zones: previewed, applicable } = await previewOf(anew);
  expect([applicable, previewed.map(({ staged }) => staged.zone)]).toEqual([false, [two]]);
  await resolveConflicts(zones.session(author), anew.id, { zone: two, resolution: Resolution.MINE });
  await begin(author, anew);
  await applyZones(leader(), log);
  expect((await setNow(anew)).state).toBe("APPLIED");
  expect(await addressesOf(two)).toEqual(["web 3600 A 192.0.2.9"]);
});

describe("each zone is changed once", () => {
  test("by several leaders at once", async () => {
    const author = await keyOf();
    const names = await zonesWithWeb(30);
    const set = await setOf(author, names.map(web));
    await begin(author, set);
    for (let runs = 0; (await setNow(set)).state === "APPLYING" && runs < 20; runs += 1)
      await Promise.all(Array.from({ length: 4 }, () => applyZones(leader(), log)));
    expect(await resultOf(set)).toEqual(["APPLIED", names.map(() => "APPLIED")]);
    expect((await kindsOf(set)).filter((kind) => kind === "APPLIED")).toHaveLength(1);
    const counts = await zones.sql<{ count: number }>(
      'select count(*)::int as count from "change" where change_set_id = $1 group by domain_id',
      [set.id],
    );
    expect(counts.map(({ count }) => count)).toEqual(names.map(() => 1));
  });

  test("and a leader that is stopped leaves the rest to the next", async () => {
    const author = await keyOf();
    const names = await zonesWithWeb(3);
    const set = await setOf(author, names.map(web));
    await begin(author, set);
    await applyZones(leader(), log, AbortSignal.abort());
    expect((await setNow(set)).state).toBe("APPLYING");
    await applyZones(leader(), log);
    expect((await setNow(set)).state).toBe("APPLIED");
  });
});

test("what is left is refused once the key works no more that applies it", async () => {
  const author = await keyOf();
  const [zone] = (await zonesWithWeb(1)) as [string];
  const set = await setOf(author, [web(zone)]);
  await begin(author, set);
  await revokeApiKey(session(), author.keyId as number);
  await applyZones(leader(), log);
  expect(await resultOf(set)).toEqual(["PARTIAL", ["REFUSED UNAUTHENTICATED"]]);
  expect(await addressesOf(zone)).toHaveLength(1);
});

test("it is not begun when it would do something else than was looked at, or nothing of it can be done", async () => {
  const author = await keyOf();
  const [zone] = (await zonesWithWeb(1)) as [string];
  const set = await setOf(author, [web(zone)]);
  const { fingerprint } = await previewOf(set);
  await changeZone(session(), zone, { add: [fieldsOf("web A 192.0.2.7")] });
  const stale = applyChangeSet(zones.session(author), set.id, fingerprint, { timeoutMs: 0 });
  expect(await reasonsOf(stale)).toEqual([["STALE_CHANGE_SET", "expectedFingerprint"]]);
  await deleteDomain(session(), zone);
  expect((await reasonsOf(begin(author, set))).map(([code]) => code)).toEqual(["CHANGE_CONFLICT"]);
  expect((await setNow(set)).state).toBe("DRAFT");
});

test("a scheduled one begins at its time, by the door of the service", async () => {
  const author = await keyOf();
  const names = await zonesWithWeb(3);
  const set = await setOf(author, names.map(web));
  const { fingerprint } = await previewOf(set);
  const [row] = await zones.sql<{ at: Date }>("select clock_timestamp() + interval '1 hour' as at");
  await scheduleChangeSet(zones.session(author), set.id, {
    applyAt: row?.at as Date,
    expectedFingerprint: fingerprint,
  });
  await zones.sql("update change_set set apply_at = now() where id = $1", [set.id]);
  for (let runs = 0; runs < 2; runs += 1) await applyDueSets(leader(), log);
  expect((await setNow(set)).state).toBe("APPLYING");
  await applyZones(leader(), log);
  expect(await resultOf(set)).toEqual(["APPLIED", names.map(() => "APPLIED")]);
  expect((await zones.journal(names[0] as string)).at(-1)).toMatchObject({ actor: author.name, door: "system" });
});

describe("above the limits of one step", () => {
  const changeSetLimits = { ...policy.changeSetLimits, zones: 2, records: 2 };
  const limited = () => zones.session(undefined, { changeSetLimits });

  test("edits of many records and the undoing of many changes go zone by zone", async () => {
    const names = await zonesWithWeb(3);
    const edited = await editRecords(limited(), { filter: { zones: names, types: ["A"] }, set: { ttl: 300 } });
    expect(edited.changeSet?.mode).toBe("EACH_ZONE");
    const fewer = { zones: names.slice(1), types: ["A"] };
    expect((await editRecords(limited(), { filter: fewer, set: { ttl: 300 } })).changeSet?.mode).toBe("ALL");
    const { id } = edited.changeSet as ChangeSetRow;
    const { fingerprint } = await previewOf({ id });
    await applyChangeSet(limited(), id, fingerprint, { timeoutMs: 0 });
    await applyZones(leader(), log);
    expect(await addressesOf(names[0] as string)).toEqual(["web 300 A 192.0.2.1"]);
    expect((await revertChanges(limited(), { changeSetId: id })).changeSet?.mode).toBe("EACH_ZONE");
  });

  test("other sets are refused unless they ask for it, also when they change their mode", async () => {
    const names = await zonesWithWeb(3);
    const set = { title: "t", zones: names.map(web) };
    expect(await reasonsOf(createChangeSet(limited(), set))).toEqual([["TOO_LARGE", undefined]]);
    const { id } = await createChangeSet(limited(), { ...set, mode: ChangeSetMode.EACH_ZONE });
    expect(await reasonsOf(updateChangeSet(limited(), id, { mode: ChangeSetMode.ALL }))).toEqual([
      ["TOO_LARGE", undefined],
    ]);
    expect((await updateChangeSet(session(), id, { mode: ChangeSetMode.ALL })).mode).toBe("ALL");
  });
});
