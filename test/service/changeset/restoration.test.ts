/**
 * Deleted domains that come back by change sets: staged, looked at and applied, in both modes, and what is in the way of that.
 */
import { describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { createApiKey } from "../../../src/account/api-key.ts";
import { ReviewPolicy } from "../../../src/account/review-policy.ts";
import { createUser } from "../../../src/account/user.ts";
import { applyChangeSet } from "../../../src/changeset/apply.ts";
import { changeSetById } from "../../../src/changeset/change-set.ts";
import { zonesOfSet } from "../../../src/changeset/contents.ts";
import { applyZones } from "../../../src/changeset/each-zone.ts";
import { needsOf } from "../../../src/changeset/needs.ts";
import { previewChangeSet } from "../../../src/changeset/preview.ts";
import { resolveConflicts } from "../../../src/changeset/resolve.ts";
import { reviewChangeSet, submitChangeSet } from "../../../src/changeset/review.ts";
import { createChangeSet, stageChanges } from "../../../src/changeset/stage.ts";
import { stageRestoration } from "../../../src/changeset/stage-return.ts";
import { ChangeSetMode, Resolution, Verdict } from "../../../src/changeset/states.ts";
import type { ZonePart } from "../../../src/changeset/zone-part.ts";
import type { Actor } from "../../../src/session/authorization.ts";
import { domainByZone } from "../../../src/zone/domain.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import { createDomain, deleteDomain, deleteUser } from "../../../src/zone/edit/lifecycle.ts";
import { updateDomain } from "../../../src/zone/edit/update-domain.ts";
import { deletedDomain } from "../../../src/zone/history/deleted-domain.ts";
import { restoreDomain } from "../../../src/zone/history/restore.ts";
import { actorOf, fieldsOf, reasonsOf, refusalOf, testZones } from "../../setup/zones/session.ts";

const zones = testZones();
const session = () => zones.session();
const administrator: Actor = { role: "administrator", userId: null, readOnly: false, name: "administrator" };

let made = 0;
const newUser = async () => (await createUser(session(), `restoring${++made}@example.com`)).id;

/** A zone that is deleted, as it was before. */
async function deletedZone() {
  const zone = await zones.zone("web A 192.0.2.1", "mail TXT text");
  await updateDomain(session(), zone, { labels: [{ name: "env", value: "prod" }] });
  const domain = await domainByZone(session(), zone);
  const [lines, records] = [await kept(zone), await zones.records(zone)];
  await deleteDomain(session(), zone);
  return { zone, domain, lines, ids: records.map(({ id }) => id) };
}

/** The records of a zone, the serial aside. */
const kept = async (zone: string) => (await zones.lines(zone)).map((line) => line.replace(/( SOA \S+ \S+) \d+/, "$1"));

const setOf = (zonesOf: readonly ZonePart[], by: Actor = administrator, mode = ChangeSetMode.ALL) =>
  createChangeSet(zones.session(by), { title: "t", mode, zones: zonesOf });
const previewOf = async ({ id }: { id: number }) => previewChangeSet(session(), await changeSetById(session(), id));
const apply = async (set: { id: number }, by: Actor = administrator) =>
  applyChangeSet(zones.session(by), set.id, (await previewOf(set)).fingerprint, { timeoutMs: 0 });
const conflictsOf = async (set: { id: number }) =>
  (await previewOf(set)).zones.flatMap(({ conflicts }) => conflicts.map(({ message }) => message));

describe.each([ChangeSetMode.ALL, ChangeSetMode.EACH_ZONE])("a restoration in mode %s", (mode) => {
  test("changes nothing until it is applied, is shown with all its records, and brings the domain back whole", async () => {
    const { zone, domain, lines, ids } = await deletedZone();
    const other = await zones.zone();
    const edits = { add: [fieldsOf("new A 192.0.2.9")] };
    const set = await setOf(
      [
        { zone, restore: {} },
        { zone: other, edits },
      ],
      administrator,
      mode,
    );
    expect(set.userId).toBe(zones.userId);
    expect(await reasonsOf(domainByZone(session(), zone))).toEqual([["NOT_FOUND", "zone"]]);
    const preview = await previewOf(set);
    const shown = preview.zones.find(({ staged }) => staged.zone === zone);
    expect(shown).toMatchObject({
      serial: null,
      addedCount: lines.length,
      removedCount: 0,
      refusals: [],
      conflicts: [],
    });
    expect(preview.applicable).toBe(true);
    await apply(set);
    await applyZones({ ...session(), door: "system" }, pino({ level: "silent" }));
    expect(await changeSetById(session(), set.id)).toMatchObject({ state: "APPLIED" });
    const back = await domainByZone(session(), zone);
    expect(back).toMatchObject({ id: domain.id, userId: domain.userId, createdAt: domain.createdAt });
    expect(back.serial).toBeGreaterThan(domain.serial);
    expect(await kept(zone)).toEqual(lines);
    expect((await zones.records(zone)).map(({ id }) => id)).toEqual(ids);
    expect((await zones.journal(zone)).at(-1)).toMatchObject({
      kind: "RESTORE",
      previousSerial: null,
      serial: back.serial,
    });
    const [stored] = await zones.sql<{ labels: object }>("select labels from domain where zone = $1", [zone]);
    expect(stored?.labels).toEqual({ env: "prod" });
    expect(await reasonsOf(deletedDomain(session(), { id: domain.id }))).toEqual([["NOT_FOUND", "id"]]);
    expect(await kept(other)).toContain("new 3600 A 192.0.2.9");
  });

  test("is refused where the name is in use again, and the zone that has it stays", async () => {
    const { zone, domain } = await deletedZone();
    const set = await setOf([{ zone, restore: {} }], administrator, mode);
    const { fingerprint } = await previewOf(set);
    await createDomain(session(), zones.userId, zone);
    const before = await zones.state(zone);
    const [message = ""] = await conflictsOf(set);
    expect(message).toContain(`deleteDomain(input: { zone: "${zone}" })`);
    expect((await refusalOf(restoreDomain(session(), { id: domain.id }))).message).toBe(message);
    expect(message).toContain(`restoreDomain(input: { by: { id: "${domain.id}" } })`);
    await applyChangeSet(session(), set.id, fingerprint, { timeoutMs: 0 }).catch(() => undefined);
    await applyZones({ ...session(), door: "system" }, pino({ level: "silent" }));
    expect(await zones.state(zone)).toEqual(before);
    expect((await deletedDomain(session(), { id: domain.id })).zone).toBe(zone);
  });
});

test("a domain that was restored meanwhile, or deleted again with other records, is not what was looked at", async () => {
  const { zone, domain } = await deletedZone();
  const set = await setOf([{ zone, restore: {} }]);
  const { fingerprint } = await previewOf(set);
  await restoreDomain(session(), { zone });
  expect(await conflictsOf(set)).toEqual([`${zone} is no deleted domain any more, it is back by now; leave it out.`]);
  const applied = () => applyChangeSet(session(), set.id, fingerprint);
  expect((await reasonsOf(applied()))[0]?.[0]).toBe("CHANGE_CONFLICT");
  await changeZone(session(), zone, { add: [fieldsOf("more A 192.0.2.7")] });
  await deleteDomain(session(), zone);
  expect((await reasonsOf(applied()))[0]?.[0]).toBe("STALE_CHANGE_SET");
  await apply(set);
  expect(await kept(zone)).toContain("more 3600 A 192.0.2.7");
  expect((await domainByZone(session(), zone)).id).toBe(domain.id);
});

test("what cannot come back any more is left out of the set by THEIRS", async () => {
  const [{ zone }, other] = [await deletedZone(), await zones.zone()];
  const set = await setOf([
    { zone, restore: {} },
    { zone: other, edits: { add: [fieldsOf("new A 192.0.2.9")] } },
  ]);
  await createDomain(session(), zones.userId, zone);
  await resolveConflicts(session(), set.id, { zone, resolution: Resolution.THEIRS });
  await apply(set);
  expect(await kept(other)).toContain("new 3600 A 192.0.2.9");
});

test("a deletion whose history is pruned is refused when it is staged, and in the preview", async () => {
  const { zone, domain } = await deletedZone();
  const set = await setOf([{ zone, restore: {} }]);
  await zones.sql("delete from change_record where domain_id = $1", [domain.id]);
  await zones.sql("delete from change where domain_id = $1", [domain.id]);
  expect((await reasonsOf(setOf([{ zone, restore: {} }])))[0]?.[0]).toBe("HISTORY_GONE");
  expect((await previewOf(set)).zones[0]?.refusals.map(({ code }) => code)).toEqual(["HISTORY_GONE"]);
  expect((await reasonsOf(apply(set)))[0]?.[0]).toBe("HISTORY_GONE");
});

test("of two deleted domains of a name, the last one is meant, or the one of an id", async () => {
  const { zone, lines, domain } = await deletedZone();
  await createDomain(session(), zones.userId, zone);
  const second = await domainByZone(session(), zone);
  await deleteDomain(session(), zone);
  expect(
    (await zonesOfSet(session(), (await setOf([{ zone, restore: {} }])).id, undefined, {})).rows[0]?.domainId,
  ).toBe(second.id);
  const set = await setOf([{ zone, restore: { id: domain.id } }]);
  await apply(set);
  expect(await kept(zone)).toEqual(lines);
  expect((await domainByZone(session(), zone)).serial).toBeGreaterThan(second.serial);
});

describe("whose it becomes", () => {
  test("it comes back for another user by administrators alone, in a set that no user sees", async () => {
    const { zone } = await deletedZone();
    const userId = await newUser();
    const set = await setOf([{ zone, restore: { userId } }]);
    expect(set.userId).toBeNull();
    const foreign = setOf([{ zone, restore: {} }], actorOf(userId));
    expect((await reasonsOf(foreign))[0]).toEqual(["NOT_FOUND", "zones.0.zone"]);
    const given = setOf([{ zone, restore: { userId } }], actorOf(zones.userId));
    expect(await reasonsOf(given)).toEqual([["NOT_FOUND", "zones.0.restore.userId"]]);
    await apply(set);
    expect((await domainByZone(session(), zone)).userId).toBe(userId);
  });

  test("without its last user another is to be named, and one who is deleted meanwhile is in the way", async () => {
    const [userId, heir] = [await newUser(), await newUser()];
    const zone = `orphan${made}.example.org`;
    await createDomain(session(), userId, zone);
    await deleteUser(session(), userId, { fate: "DELETE" });
    expect(await reasonsOf(setOf([{ zone, restore: {} }]))).toEqual([["NOT_FOUND", "zones.0.restore.userId"]]);
    const set = await setOf([{ zone, restore: { userId: heir } }]);
    expect((await previewOf(set)).applicable).toBe(true);
    await deleteUser(session(), heir, { fate: "REFUSE" });
    expect((await previewOf(set)).zones[0]?.refusals.map(({ code }) => code)).toEqual(["NOT_FOUND"]);
    expect((await reasonsOf(apply(set)))[0]?.[0]).toBe("NOT_FOUND");
  });
});

test("the review that the domain demanded is demanded of its restoration, and the refusal says the call", async () => {
  const zone = await zones.zone("web A 192.0.2.1");
  await updateDomain(session(), zone, { review: ReviewPolicy.ONE });
  const domain = await domainByZone(session(), zone);
  await deleteDomain(session(), zone);
  const refusal = await refusalOf(restoreDomain(zones.session(administrator), { zone }));
  expect(refusal.code).toBe("REVIEW_REQUIRED");
  expect(refusal.message).toContain(
    `zones: [{ zone: "${zone}", restore: { id: "${domain.id}", userId: "${zones.userId}" } }]`,
  );
  const keys: Actor[] = [];
  for (const name of ["one", "two"]) {
    const { apiKey } = await createApiKey(session(), { name, userId: zones.userId });
    keys.push({ ...actorOf(zones.userId), keyId: apiKey.id, name });
  }
  const [author, reviewer] = keys as [Actor, Actor];
  const { changeSet: set, recordCount } = await stageRestoration(zones.session(author), { zone }, { title: "back" });
  expect([set.title, recordCount]).toEqual(["back", 5]);
  expect((await needsOf(session(), set)).approvals).toBe(1);
  await submitChangeSet(zones.session(author), set.id);
  const { fingerprint } = await previewChangeSet(zones.session(reviewer), set);
  expect((await reasonsOf(apply(set, author)))[0]?.[0]).toBe("WRONG_STATE");
  await reviewChangeSet(zones.session(reviewer), set.id, { verdict: Verdict.APPROVE, fingerprint });
  await apply(set, author);
  expect((await domainByZone(session(), zone)).review).toBe("ONE");
});

test("a restoration goes with no other edit of the zone", async () => {
  const { zone } = await deletedZone();
  const edits = { add: [fieldsOf("new A 192.0.2.9")] };
  for (const more of [{ edits }, { delete: true }, { append: true }, { create: { userId: zones.userId } }])
    expect(await reasonsOf(setOf([{ zone, restore: {}, ...more }]))).toEqual([["INVALID_VALUE", expect.any(String)]]);
  const { id } = await setOf([{ zone, restore: {} }]);
  const appended = stageChanges(session(), id, { zones: [{ zone, append: true, edits }] });
  expect(await reasonsOf(appended)).toEqual([["INVALID_VALUE", "zones.0.append"]]);
  const stale = setOf([{ zone, restore: {}, expectedSerial: 1 }]);
  expect(await reasonsOf(stale)).toEqual([["STALE_SERIAL", "zones.0.expectedSerial"]]);
});
