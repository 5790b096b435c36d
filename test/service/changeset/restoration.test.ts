/** Deleted domains that are restored by change sets: staged, previewed and applied, in both modes, and what prevents this. */
import { describe, expect, test } from "@jest/globals";
import { ReviewPolicy } from "../../../src/account/review-policy.ts";
import { createUser } from "../../../src/account/user.ts";
import { applyChangeSet } from "../../../src/changeset/apply/apply.ts";
import { stageRestoration } from "../../../src/changeset/bulk/stage-return.ts";
import { zonesOfSet } from "../../../src/changeset/contents.ts";
import { needsOf } from "../../../src/changeset/needed-approvals.ts";
import { submitChangeSet } from "../../../src/changeset/review/review.ts";
import type { ZonePart } from "../../../src/changeset/stage/read-part.ts";
import { resolveConflicts } from "../../../src/changeset/stage/resolve-conflicts.ts";
import { stageChanges } from "../../../src/changeset/stage/stage.ts";
import { ChangeSetMode, Resolution } from "../../../src/changeset/states.ts";
import type { Actor } from "../../../src/session/authorization.ts";
import { deletedDomain } from "../../../src/zone/history/deleted-domain.ts";
import { restoreDomain } from "../../../src/zone/history/restore.ts";
import { createDomain, deleteUser } from "../../../src/zone/lifecycle/domain-lifecycle.ts";
import { updateDomain } from "../../../src/zone/lifecycle/update-domain.ts";
import { adding, testChangeSets } from "../../setup/zones/change-sets.ts";
import { actorOf, administrator, fieldsOf, reasonsOf, refusalOf } from "../../setup/zones/session.ts";

const zones = testChangeSets();
const session = () => zones.session();

let made = 0;
const newUser = async () => (await createUser(session(), `restoring${++made}@example.com`)).id;

/** A zone that is deleted, as it was before. */
async function deletedZone() {
  const zone = await zones.zone("web A 192.0.2.1", "mail TXT text");
  await updateDomain(session(), zone, { labels: [{ name: "env", value: "prod" }] });
  const domain = await zones.domain(zone);
  const [lines, records] = [await zones.contents(zone), await zones.records(zone)];
  await zones.remove(zone);
  return { zone, domain, lines, ids: records.map(({ id }) => id) };
}

const setOf = (zonesOf: readonly ZonePart[], by: Actor = administrator, mode: ChangeSetMode = ChangeSetMode.ALL) =>
  zones.stage(zonesOf, { mode }, by);
const conflictsOf = async (set: { id: number }) =>
  (await zones.preview(set)).zones.flatMap(({ conflicts }) => conflicts.map(({ message }) => message));
const codeOf = async (refused: Promise<unknown>) => (await refusalOf(refused)).code;

describe.each([ChangeSetMode.ALL, ChangeSetMode.EACH_ZONE])("a restoration in mode %s", (mode) => {
  test("changes nothing until it is applied, is shown with all its records, and restores the whole domain", async () => {
    const { zone, domain, lines, ids } = await deletedZone();
    const other = await zones.zone();
    const set = await setOf([{ restore: { zone } }, adding(other, "new A 192.0.2.9")], administrator, mode);
    expect(set.userId).toBe(zones.userId);
    expect(await reasonsOf(zones.domain(zone))).toEqual(["NOT_FOUND zone"]);
    const preview = await zones.preview(set);
    const shown = preview.zones.find(({ staged }) => staged.zone === zone);
    const [addedCount, removedCount] = [lines.length, 0];
    expect(shown).toMatchObject({ serial: null, addedCount, removedCount, refusals: [], conflicts: [] });
    expect(preview.applicable).toBe(true);
    await zones.apply(set, administrator);
    await zones.applyZones();
    expect((await zones.current(set)).state).toBe("APPLIED");
    const back = await zones.domain(zone);
    expect(back).toMatchObject({ id: domain.id, userId: domain.userId, createdAt: domain.createdAt });
    expect(back.serial).toBeGreaterThan(domain.serial);
    expect(await zones.contents(zone)).toEqual(lines);
    expect((await zones.records(zone)).map(({ id }) => id)).toEqual(ids);
    const change = { kind: "RESTORE", previousSerial: null, serial: back.serial };
    expect((await zones.journal(zone)).at(-1)).toMatchObject(change);
    const [stored] = await zones.sql<{ labels: object }>("select labels from domain where zone = $1", [zone]);
    expect(stored?.labels).toEqual({ env: "prod" });
    expect(await reasonsOf(deletedDomain(session(), { id: domain.id }))).toEqual(["NOT_FOUND id"]);
    expect(await zones.contents(other)).toContain("new 3600 A 192.0.2.9");
  });

  test("is refused when the name is in use again, and the zone of that name stays", async () => {
    const { zone, domain } = await deletedZone();
    const set = await setOf([{ restore: { zone } }], administrator, mode);
    const { fingerprint } = await zones.preview(set);
    await zones.create(zone);
    const before = await zones.state(zone);
    const [message = ""] = await conflictsOf(set);
    expect(message).toContain(`deleteDomain(input: { by: { zone: "${zone}" } })`);
    expect((await refusalOf(restoreDomain(session(), { id: domain.id }))).message).toBe(message);
    expect(message).toContain(`restoreDomain(input: { by: { id: "${domain.id}" } })`);
    await applyChangeSet(session(), set.id, fingerprint, { waitMs: 0 }).catch(() => undefined);
    await zones.applyZones();
    expect(await zones.state(zone)).toEqual(before);
    expect((await deletedDomain(session(), { id: domain.id })).zone).toBe(zone);
  });
});

test("a domain that was restored meanwhile, or deleted again with other records, is not what was previewed", async () => {
  const { zone, domain } = await deletedZone();
  const set = await setOf([{ restore: { zone } }]);
  const { fingerprint } = await zones.preview(set);
  await restoreDomain(session(), { zone });
  expect(await conflictsOf(set)).toEqual([`The deleted domain ${zone} was already restored; leave it out.`]);
  const applied = () => applyChangeSet(session(), set.id, fingerprint);
  expect(await codeOf(applied())).toBe("CHANGE_CONFLICT");
  await zones.add(zone, "more A 192.0.2.7");
  await zones.remove(zone);
  expect(await codeOf(applied())).toBe("STALE_CHANGE_SET");
  await zones.apply(set, administrator);
  expect(await zones.contents(zone)).toContain("more 3600 A 192.0.2.7");
  expect((await zones.domain(zone)).id).toBe(domain.id);
});

test("a domain that can no longer be restored is left out of the set by THEIRS", async () => {
  const [{ zone }, other] = [await deletedZone(), await zones.zone()];
  const set = await setOf([{ restore: { zone } }, adding(other, "new A 192.0.2.9")]);
  await zones.create(zone);
  await resolveConflicts(session(), set.id, { zone, resolution: Resolution.THEIRS });
  await zones.apply(set, administrator);
  expect(await zones.contents(other)).toContain("new 3600 A 192.0.2.9");
});

test("a deletion whose history is pruned is refused when it is staged, and in the preview", async () => {
  const { zone, domain } = await deletedZone();
  const set = await setOf([{ restore: { zone } }]);
  await zones.sql("delete from change_record where domain_id = $1", [domain.id]);
  await zones.sql("delete from change where domain_id = $1", [domain.id]);
  expect(await codeOf(setOf([{ restore: { zone } }]))).toBe("HISTORY_GONE");
  expect((await zones.preview(set)).zones[0]?.refusals.map(({ code }) => code)).toEqual(["HISTORY_GONE"]);
  expect(await codeOf(zones.apply(set, administrator))).toBe("HISTORY_GONE");
});

test("of two deleted domains of a name, the last is restored, or the one with a given id", async () => {
  const { zone, lines, domain } = await deletedZone();
  await zones.create(zone);
  const second = await zones.domain(zone);
  await zones.remove(zone);
  expect(
    (await zonesOfSet(session(), (await setOf([{ restore: { zone } }])).id, undefined, {})).rows[0]?.domainId,
  ).toBe(second.id);
  const set = await setOf([{ restore: { zone, id: domain.id } }]);
  await zones.apply(set, administrator);
  expect(await zones.contents(zone)).toEqual(lines);
  expect((await zones.domain(zone)).serial).toBeGreaterThan(second.serial);
});

describe("the user of a restored domain", () => {
  test("only administrators restore it for another user, in a set that no user sees", async () => {
    const { zone } = await deletedZone();
    const userId = await newUser();
    const set = await setOf([{ restore: { zone, userId } }]);
    expect(set.userId).toBeNull();
    const foreign = setOf([{ restore: { zone } }], actorOf(userId));
    expect(await reasonsOf(foreign)).toEqual(["NOT_FOUND zones.0.restore.zone"]);
    const given = setOf([{ restore: { zone, userId } }], actorOf(zones.userId));
    expect(await reasonsOf(given)).toEqual(["NOT_FOUND zones.0.restore.userId"]);
    await zones.apply(set, administrator);
    expect((await zones.domain(zone)).userId).toBe(userId);
  });

  test("another user must be named when its last user is gone, and a user who is deleted meanwhile prevents the restoration", async () => {
    const [userId, heir] = [await newUser(), await newUser()];
    const zone = `orphan${made}.example.org`;
    await createDomain(session(), userId, zone);
    await deleteUser(session(), userId, { fate: "DELETE" });
    expect(await reasonsOf(setOf([{ restore: { zone } }]))).toEqual(["NOT_FOUND zones.0.restore.userId"]);
    const set = await setOf([{ restore: { zone, userId: heir } }]);
    expect((await zones.preview(set)).applicable).toBe(true);
    await deleteUser(session(), heir, { fate: "REFUSE" });
    expect((await zones.preview(set)).zones[0]?.refusals.map(({ code }) => code)).toEqual(["NOT_FOUND"]);
    expect(await codeOf(zones.apply(set, administrator))).toBe("NOT_FOUND");
  });
});

test("its restoration demands the review of the domain, and the refusal names the call to make", async () => {
  const zone = await zones.zone("web A 192.0.2.1");
  await updateDomain(session(), zone, { review: ReviewPolicy.ONE });
  const domain = await zones.domain(zone);
  await zones.remove(zone);
  const { code, message } = await refusalOf(restoreDomain(zones.session(administrator), { zone }));
  expect(code).toBe("REVIEW_REQUIRED");
  expect(message).toContain(
    `zones: [{ restore: { zone: "${zone}", domainId: "${domain.id}", userId: "${zones.userId}" } }]`,
  );
  const [author, reviewer] = [await zones.keyOf(), await zones.keyOf()];
  const { changeSet: set, recordCount } = await stageRestoration(zones.session(author), { zone }, { title: "back" });
  expect([set.title, recordCount]).toEqual(["back", 5]);
  expect((await needsOf(session(), set)).approvals).toBe(1);
  await submitChangeSet(zones.session(author), set.id);
  expect(await codeOf(zones.apply(set, author))).toBe("WRONG_STATE");
  await zones.review(set, reviewer);
  await zones.apply(set, author);
  expect((await zones.domain(zone)).review).toBe("ONE");
});

test("nothing is appended to a restoration, which may expect a serial", async () => {
  const { zone } = await deletedZone();
  const edits = { add: [fieldsOf("new A 192.0.2.9")] };
  const { id } = await setOf([{ restore: { zone } }]);
  const appended = stageChanges(session(), id, { zones: [{ edit: { zone, append: true, ...edits } }] });
  expect(await reasonsOf(appended)).toEqual(["INVALID_VALUE zones.0.edit.append"]);
  const stale = setOf([{ restore: { zone, expectedSerial: 1 } }]);
  expect(await reasonsOf(stale)).toEqual(["STALE_SERIAL zones.0.restore.expectedSerial"]);
});
