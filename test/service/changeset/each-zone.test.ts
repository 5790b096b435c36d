/**
 * Sets in mode EACH_ZONE: a zone whose effect is no longer the previewed one is refused, the others continue, and an interrupted
 * application changes each zone once.
 */
import { describe, expect, test } from "@jest/globals";
import { revokeApiKey } from "../../../src/account/api-key.ts";
import { workingActor } from "../../../src/account/authentication.ts";
import { ReviewPolicy } from "../../../src/account/review-policy.ts";
import { applyChangeSet } from "../../../src/changeset/apply/apply.ts";
import { applyZones } from "../../../src/changeset/apply/apply-in-turns.ts";
import { applyDueSets } from "../../../src/changeset/apply/due-sets.ts";
import { editRecords } from "../../../src/changeset/bulk/edit-records.ts";
import { revertChanges } from "../../../src/changeset/bulk/revert-changes.ts";
import { eventsOfSet, progressOf, zonesOfSet } from "../../../src/changeset/contents.ts";
import { resolveConflicts } from "../../../src/changeset/stage/resolve-conflicts.ts";
import {
  cancelChangeSet,
  createChangeSet,
  restageChangeSet,
  stageChanges,
  updateChangeSet,
} from "../../../src/changeset/stage/stage.ts";
import { ChangeSetMode, Resolution } from "../../../src/changeset/states.ts";
import type { Actor } from "../../../src/session/authorization.ts";
import { updateDomain } from "../../../src/zone/lifecycle/update-domain.ts";
import { adding, addingWeb, allApplied, quiet, testChangeSets } from "../../setup/zones/change-sets.ts";
import { policy, reasonsOf, refusalOf } from "../../setup/zones/session.ts";

const zones = testChangeSets();
const session = () => zones.session();

const addressesOf = (zone: string) => zones.lines(zone, / A /);

test("the leader changes its zones after the application began, as its author, with the source of the applying session", async () => {
  const author = await zones.keyOf();
  const names = await zones.zonesWithWeb(20);
  const set = await zones.stageEach(author, names.map(addingWeb));
  const begun = await zones.apply(set, author);
  expect(begun).toMatchObject({ state: "APPLYING", appliedBy: author.name, appliedAt: null });
  expect(await reasonsOf(cancelChangeSet(session(), set.id))).toEqual(["WRONG_STATE id"]);
  expect(await reasonsOf(stageChanges(session(), set.id, {}))).toEqual(["WRONG_STATE id"]);
  expect(await progressOf(session(), set.id)).toEqual({ zones: 20, applied: 0, refused: 0 });
  await zones.applyZones();
  expect(await zones.resultOf(set)).toEqual(allApplied(20));
  expect(await progressOf(session(), set.id)).toEqual({ zones: 20, applied: 20, refused: 0 });
  expect(await zones.current(set)).toMatchObject({ applying: null, appliedAt: zones.now });
  expect(await zones.events(set)).toEqual(["CREATED", "APPLYING", "APPLIED"]);
  expect((await zones.journal(names[3] as string)).at(-1)).toMatchObject({ actor: author.name, source: "graphql" });
});

test("a zone that has another effect, demands more approvals, or breaks a rule is refused, and the others continue", async () => {
  const author = await zones.keyOf();
  const names = (await zones.zonesWithWeb(6)) as [string, string, string, string, string, string];
  const [fine, changed, gone, reviewed, alias, same] = names;
  const parts = names.map((zone) => (zone === alias ? adding(zone, "web CNAME other.example.") : addingWeb(zone)));
  const set = await zones.stageEach(author, parts);
  expect((await zones.preview(set)).applicable).toBe(true);
  await zones.apply(set, author);
  await zones.add(changed, "web A 192.0.2.7");
  await zones.add(same, "web A 192.0.2.2");
  await zones.add(fine, "elsewhere A 192.0.2.7");
  await zones.remove(gone);
  await updateDomain(session(), reviewed, { review: ReviewPolicy.ONE });
  await zones.applyZones();
  expect(await zones.resultOf(set)).toEqual([
    "PARTIAL",
    "APPLIED",
    "REFUSED STALE_CHANGE_SET",
    "REFUSED CHANGE_CONFLICT",
    "REFUSED REVIEW_REQUIRED",
    "REFUSED RECORD_CONFLICT",
    "UNCHANGED",
  ]);
  const events = await eventsOfSet(session(), set.id, {});
  expect(events.rows.at(-1)).toMatchObject({ kind: "PARTIAL", text: "4 of 6 zones were refused." });
  const { rows } = await zonesOfSet(session(), set.id, undefined, {});
  expect(rows[1]?.reasons?.[0]?.message).toContain("+web 3600 IN A 192.0.2.2");
  expect(await addressesOf(reviewed)).toEqual(["web 3600 A 192.0.2.1"]);
});

test("zones are created and deleted one by one, and a zone that exists by then is refused", async () => {
  const author = await zones.keyOf();
  const old = await zones.zone("web A 192.0.2.1");
  const { userId } = zones;
  const made = ["a-new.example.org", "taken.example.org"].map((zone) => ({ create: { zone, userId } }));
  const set = await zones.stageEach(author, [...made, { delete: { zone: old } }]);
  await zones.apply(set, author);
  await zones.create("taken.example.org");
  await zones.applyZones();
  expect(await zones.resultOf(set)).toEqual(["PARTIAL", "APPLIED", "REFUSED DUPLICATE_ZONE", "APPLIED"]);
  expect(await zones.lines("a-new.example.org")).toHaveLength(4);
  expect((await zones.journal(old)).at(-1)?.kind).toBe("DELETE");
});

test("the refused zones are staged with their edits in a new set, which resolves their conflicts", async () => {
  const author = await zones.keyOf();
  const [one, two] = (await zones.zonesWithWeb(2)) as [string, string];
  const id = await zones.idOf(two, "web", "A");
  const set = await zones.stageEach(author, [
    addingWeb(one),
    { edit: { zone: two, update: [{ id, rdata: "192.0.2.9" }] } },
  ]);
  await zones.apply(set, author);
  await zones.change(two, { update: [{ id, rdata: "192.0.2.5" }] });
  expect(await reasonsOf(restageChangeSet(session(), set.id))).toEqual(["WRONG_STATE id"]);
  await zones.applyZones();
  expect(await zones.resultOf(set)).toEqual(["PARTIAL", "APPLIED", "REFUSED CHANGE_CONFLICT"]);
  const anew = await restageChangeSet(zones.session(author), set.id);
  const like = { title: "a plan", mode: "EACH_ZONE", author: author.name, userId: zones.userId };
  expect(anew).toMatchObject({ ...like, state: "DRAFT" });
  const { zones: previewed, applicable } = await zones.preview(anew);
  expect([applicable, previewed.map(({ staged }) => staged.zone)]).toEqual([false, [two]]);
  await resolveConflicts(zones.session(author), anew.id, { zone: two, resolution: Resolution.MINE });
  await zones.apply(anew, author);
  await zones.applyZones();
  expect((await zones.current(anew)).state).toBe("APPLIED");
  expect(await addressesOf(two)).toEqual(["web 3600 A 192.0.2.9"]);
});

describe("each zone is changed once", () => {
  test("by several leaders at once", async () => {
    const author = await zones.keyOf();
    const names = await zones.zonesWithWeb(30);
    const set = await zones.stageEach(author, names.map(addingWeb));
    await zones.apply(set, author);
    for (let runs = 0; (await zones.current(set)).state === "APPLYING" && runs < 20; runs += 1)
      await Promise.all(Array.from({ length: 4 }, () => zones.applyZones()));
    expect(await zones.resultOf(set)).toEqual(allApplied(30));
    expect((await zones.events(set)).filter((kind) => kind === "APPLIED")).toHaveLength(1);
    const statement = 'select count(*)::int as count from "change" where change_set_id = $1 group by domain_id';
    expect(await zones.sql(statement, [set.id])).toEqual(Array(30).fill({ count: 1 }));
  });

  test("and a stopped leader leaves the rest to the next leader", async () => {
    const author = await zones.keyOf();
    const set = await zones.stageEach(author, (await zones.zonesWithWeb(3)).map(addingWeb));
    await zones.apply(set, author);
    await applyZones(zones.leader(), quiet, AbortSignal.abort());
    expect((await zones.current(set)).state).toBe("APPLYING");
    await zones.applyZones();
    expect((await zones.current(set)).state).toBe("APPLIED");
  });
});

test("the remaining zones are refused once the key that applies the set is no longer valid", async () => {
  const author = await zones.keyOf();
  const [zone] = (await zones.zonesWithWeb(1)) as [string];
  const set = await zones.stageEach(author, [addingWeb(zone)]);
  await zones.apply(set, author);
  await revokeApiKey(session(), author.keyId as number);
  await zones.applyZones();
  expect(await zones.resultOf(set)).toEqual(["PARTIAL", "REFUSED UNAUTHENTICATED"]);
  expect(await addressesOf(zone)).toHaveLength(1);
});

test("it does not begin when its effect is not the previewed one, or when no zone can be changed", async () => {
  const author = await zones.keyOf();
  const [zone] = (await zones.zonesWithWeb(1)) as [string];
  const set = await zones.stageEach(author, [addingWeb(zone)]);
  const { fingerprint } = await zones.preview(set);
  await zones.add(zone, "web A 192.0.2.7");
  const stale = applyChangeSet(zones.session(author), set.id, fingerprint, { waitMs: 0 });
  expect(await reasonsOf(stale)).toEqual(["STALE_CHANGE_SET expectedFingerprint"]);
  await zones.remove(zone);
  expect((await refusalOf(zones.apply(set, author))).code).toBe("CHANGE_CONFLICT");
  expect((await zones.current(set)).state).toBe("DRAFT");
});

test("a scheduled set begins at its time, with the source of the service", async () => {
  const author = await zones.keyOf();
  const names = await zones.zonesWithWeb(3);
  const set = await zones.stageEach(author, names.map(addingWeb));
  await zones.schedule(set, author);
  await zones.sql("update change_set set apply_at = now() where id = $1", [set.id]);
  for (let runs = 0; runs < 2; runs += 1) await applyDueSets(zones.leader(), quiet);
  expect((await zones.current(set)).state).toBe("APPLYING");
  await zones.applyZones();
  expect(await zones.resultOf(set)).toEqual(allApplied(3));
  expect((await zones.journal(names[0] as string)).at(-1)).toMatchObject({ actor: author.name, source: "system" });
});

describe("above the limits of one step", () => {
  const changeSetLimits = { ...policy.changeSetLimits, zones: 2, records: 2 };
  const limited = () => zones.session(undefined, { changeSetLimits });

  test("edits of many records and the undoing of many changes are applied zone by zone", async () => {
    const names = await zones.zonesWithWeb(3);
    const edit = async (edited: string[]) =>
      (await editRecords(limited(), { filter: { zones: edited, types: ["A"] }, set: { ttl: 300 } })).changeSet;
    expect((await edit(names.slice(1)))?.mode).toBe("ALL");
    const { id = 0, mode } = (await edit(names)) ?? {};
    expect(mode).toBe("EACH_ZONE");
    await zones.apply({ id });
    await zones.applyZones();
    expect(await addressesOf(names[0] as string)).toEqual(["web 300 A 192.0.2.1"]);
    expect((await revertChanges(limited(), { changeSetId: id })).changeSet?.mode).toBe("EACH_ZONE");
  });

  test("other sets are refused unless they have mode EACH_ZONE, also when they change their mode", async () => {
    const set = { title: "t", zones: (await zones.zonesWithWeb(3)).map(addingWeb) };
    expect(await reasonsOf(createChangeSet(limited(), set))).toEqual(["TOO_LARGE"]);
    const { id } = await createChangeSet(limited(), { ...set, mode: ChangeSetMode.EACH_ZONE });
    const mode = { mode: ChangeSetMode.ALL };
    expect(await reasonsOf(updateChangeSet(limited(), id, mode))).toEqual(["TOO_LARGE"]);
    expect((await updateChangeSet(session(), id, mode)).mode).toBe("ALL");
  });
});

test.each(Object.values(ChangeSetMode))(
  "the journal keeps who made a set and who applied it, by mode %s",
  async (mode) => {
    const author = await zones.keyOf();
    const applier = (await workingActor(session(), Number((await zones.keyOf()).keyId))) as Actor;
    const [edited = "", deleted = ""] = await zones.zonesWithWeb(2);
    const set = await zones.stage([addingWeb(edited), { delete: { zone: deleted } }], { mode }, author);
    await zones.apply(set, applier);
    await zones.applyZones();
    for (const zone of [edited, deleted]) {
      const by = await zones.sql("select actor, applied_by from change where zone = $1 order by id", [zone]);
      expect([by.at(0), by.at(-1)]).toEqual([
        { actor: "system", applied_by: null },
        { actor: author.name, applied_by: applier.name },
      ]);
    }
  },
);

test("a zone whose check fails is refused alone", async () => {
  const author = await zones.keyOf();
  const names = await zones.zonesWithWeb(3);
  const set = await zones.stageEach(author, names.map(addingWeb));
  await zones.apply(set, author);
  await zones.sql("update change_set_edit set type = 'NONE' where zone = $1", [names[1]]);
  await zones.applyZones();
  expect(await zones.resultOf(set)).toEqual(["PARTIAL", "APPLIED", "REFUSED INTERNAL_ERROR", "APPLIED"]);
});
