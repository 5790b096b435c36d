/** Staging in change sets: replacements, refusals and pages; ways back and master files that are staged. */
import { describe, expect, test } from "@jest/globals";
import { stageReturn, stageUndoing } from "../../../src/changeset/bulk/stage-return.ts";
import { previewChangeSet, withRrsets } from "../../../src/changeset/check/preview.ts";
import type { ZonePart } from "../../../src/changeset/stage/read-part.ts";
import { cancelChangeSet, createChangeSet, stageChanges, updateChangeSet } from "../../../src/changeset/stage/stage.ts";
import type { ZoneEdits } from "../../../src/zone/edit/edit-plan.ts";
import { adding, appending, testChangeSets } from "../../setup/zones/change-sets.ts";
import { messagesOf } from "../../setup/zones/messages.ts";
import { actorOf, fieldsOf, policy, reasonsOf, refusalOf } from "../../setup/zones/session.ts";

const zones = testChangeSets();
const session = () => zones.session();
const setOf = (...parts: ZonePart[]) => zones.stage(parts);
const refused = (...parts: ZonePart[]) => reasonsOf(setOf(...parts));

describe("what is staged", () => {
  test("is refused at once where changeRecords would refuse it by itself", async () => {
    const zone = await zones.zone("web A 192.0.2.1");
    const cases: [ZonePart, ...string[]][] = [
      [
        adding(zone, "a..b A 192.0.2.1", "x A x"),
        "INVALID_NAME zones.0.edit.add.0.owner",
        "INVALID_RDATA zones.0.edit.add.1.rdata",
      ],
      [{ edit: { zone, remove: [7] } }, "NOT_FOUND zones.0.edit.remove.0"],
      [{ edit: { zone, update: [{ id: 7, ttl: 60 }] } }, "NOT_FOUND zones.0.edit.update.0.recordId"],
      [adding(zone, "x 60 A 192.0.2.1", "x 90 A 192.0.2.2"), "RECORD_CONFLICT"],
      [{ edit: { zone, expectedSerial: 1 } }, "STALE_SERIAL zones.0.edit.expectedSerial"],
      [{ delete: { zone, expectedSerial: 1 } }, "STALE_SERIAL zones.0.delete.expectedSerial"],
    ];
    for (const [part, ...reasons] of cases) expect(await refused(part)).toEqual(reasons);
    expect(await refused(adding("no.example.org"))).toEqual(["NOT_FOUND zones.0.edit.zone"]);
    expect(await refused(adding(zone), { delete: { zone } })).toEqual(["INVALID_VALUE zones.1.delete.zone"]);
  });

  test("replaces the staged part of the zone, or the edit of the same record when it is appended", async () => {
    const zone = await zones.zone("web A 192.0.2.1");
    const id = await zones.idOf(zone, "web", "A");
    const set = await setOf({ edit: { zone, update: [{ id, rdata: "192.0.2.2" }] } });
    await stageChanges(session(), set.id, { zones: [adding(zone, "x A 192.0.2.1", "y A 192.0.2.1")] });
    const edits = { remove: [id], add: [fieldsOf("x 60 A 192.0.2.1")] };
    const { revision } = await stageChanges(session(), set.id, { zones: [{ edit: { zone, append: true, ...edits } }] });
    expect(revision).toBe(3);
    await zones.apply(set);
    expect(await zones.lines(zone, / A /)).toEqual(["x 60 A 192.0.2.1", "y 3600 A 192.0.2.1"]);
  });

  test("is shown completely, page by page, also where the preview leaves its RRsets out", async () => {
    const names = [await zones.zone(), await zones.zone(), await zones.zone()].toSorted();
    const set = await setOf(...names.map((zone) => adding(zone, "x A 192.0.2.1", "y A 192.0.2.1")));
    const whole = await zones.preview(set);
    const cut = await previewChangeSet(session(), await zones.current(set), 3);
    expect(cut).toMatchObject({ fingerprint: whole.fingerprint, applicable: true });
    expect(cut.zones.map(({ rrsets, addedCount }) => `${rrsets.length} of ${addedCount}`)).toEqual([
      ...["2 of 2", "2 of 2", "0 of 2"],
    ]);
    const again = await withRrsets(session(), cut.zones);
    expect(again.map(({ rrsets }) => rrsets)).toEqual(whole.zones.map(({ rrsets }) => rrsets));
    await zones.add(names[2] as string, "x A 192.0.2.2");
    expect(await reasonsOf(withRrsets(session(), cut.zones))).toEqual(["STALE_CHANGE_SET"]);
  });

  test("names the part that it replaces, and is refused with what to do when it may not replace", async () => {
    const [zone, gone] = [await zones.zone("web A 192.0.2.1"), await zones.zone()];
    const set = await setOf(adding(zone, "x A 192.0.2.1", "y A 192.0.2.1"), { delete: { zone: gone } });
    const stage = (...parts: ZonePart[]) => stageChanges(session(), set.id, { zones: parts });
    const stageOnly = (...parts: ZonePart[]) => stageChanges(session(), set.id, { zones: parts, replace: false });
    const [other, ofGone] = [adding(zone, "z A 192.0.2.1"), adding(gone, "z A 192.0.2.1")];
    const { field, message } = await refusalOf(stageOnly(other));
    expect([field, message]).toEqual([
      "replace",
      expect.stringContaining(`${zone} already has a staged part (2 edits)`),
    ]);
    expect(await reasonsOf(stageOnly(ofGone))).toEqual(["INVALID_VALUE replace"]);
    expect((await stageOnly(appending(zone, "z A 192.0.2.1"))).notices).toEqual([]);
    const { notices } = await stage(other, ofGone);
    expect(messagesOf({ notices })).toEqual([
      `The staged part of ${zone} (3 edits) is replaced.`,
      `The staged part of ${gone} (its deletion) is replaced.`,
    ]);
    expect(notices).toMatchObject([0, 1].map((at) => ({ code: "REPLACED_PART", field: `zones.${at}.edit.zone` })));
    expect((await stageOnly(appending(zone, "z A 192.0.2.1"))).notices).toEqual([]);
    expect((await stageChanges(session(), set.id, { unstage: [zone] })).notices).toEqual([]);
    expect((await stageOnly(other)).notices).toEqual([]);
  });

  test("shows broken rules in the preview, with all reasons, and is not applied", async () => {
    const [one, two] = [await zones.zone("web A 192.0.2.1"), await zones.zone("web A 192.0.2.1")];
    const set = await setOf(adding(one, "web CNAME x"), adding(two, "x A 192.0.2.1", "web CNAME x"));
    const { zones: seen, applicable } = await zones.preview(set);
    expect(applicable).toBe(false);
    expect(seen.map(({ refusals }) => refusals.map(({ code }) => code))).toEqual([
      ["RECORD_CONFLICT"],
      ["RECORD_CONFLICT"],
    ]);
    const before = [await zones.state(one), await zones.state(two)];
    const { reasons } = await refusalOf(zones.apply(set));
    expect(reasons.map(({ code, message }) => [code, message.split(":")[0]])).toEqual([
      ["RECORD_CONFLICT", one],
      ["RECORD_CONFLICT", two],
    ]);
    expect([await zones.state(one), await zones.state(two)]).toEqual(before);
  });

  test("is not mixed up by two concurrent writers", async () => {
    const set = await setOf();
    await updateChangeSet(session(), set.id, { title: "another", expectedRevision: 1 });
    expect(await reasonsOf(stageChanges(session(), set.id, { expectedRevision: 1 }))).toEqual([
      "STALE_CHANGE_SET expectedRevision",
    ]);
    expect(await reasonsOf(zones.apply(set))).toEqual(["INVALID_VALUE id"]);
    expect((await cancelChangeSet(session(), set.id, { expectedRevision: 2 })).state).toBe("CANCELLED");
  });

  test("has limits: of zones, edits and sets", async () => {
    const [zone, other] = [await zones.zone(), await zones.zone()];
    const limited = (limits: object, actor = actorOf(zones.userId)) =>
      zones.session(actor, {
        changeSetLimits: { ...policy.changeSetLimits, zones: 1, records: 2, open: 1000, ...limits },
      });
    const create = (title: string, ...parts: ZonePart[]) => createChangeSet(limited({}), { title, zones: parts });
    const many = adding(zone, "x A 192.0.2.1", "x A 192.0.2.2", "x A 192.0.2.3");
    expect(await reasonsOf(create("t", many))).toEqual(["TOO_LARGE"]);
    expect(await reasonsOf(create("t", adding(zone), adding(other)))).toEqual(["TOO_LARGE"]);
    expect(await reasonsOf(create(" "))).toEqual(["INVALID_VALUE title"]);
    const actor = await zones.keyOf();
    const open = () => createChangeSet(limited({ open: 1 }, actor), { title: "t" });
    const { id } = await open();
    expect(await reasonsOf(open())).toEqual(["QUOTA_EXCEEDED"]);
    await cancelChangeSet(session(), id);
    const { id: begun } = await open();
    // One whose zones are being changed is not over.
    await zones.sql("update change_set set state = 'APPLYING' where id = $1", [begun]);
    expect(await reasonsOf(open())).toEqual(["QUOTA_EXCEEDED"]);
    await zones.sql("update change_set set state = 'APPLIED' where id = $1", [begun]);
  });
});

const change = async (zone: string, edits: ZoneEdits) => (await zones.change(zone, edits)).change?.id as number;

describe("a way back", () => {
  test("of a zone is staged, changes nothing until it is applied, and its change names the moment", async () => {
    const zone = await zones.zone("a A 192.0.2.1", "b TXT text");
    const before = await zones.contents(zone);
    const id = await zones.idOf(zone, "a", "A");
    const [{ id: changeId } = { id: 0 }] = (await zones.journal(zone)).slice(-1);
    await change(zone, { remove: [id] });
    const soa = await zones.idOf(zone, "@", "SOA");
    const serial = (await zones.domain(zone)).serial + 9;
    const rdata = `ns9.example.net. hostmaster.example.net. ${serial} 10800 3600 1209600 600`;
    await change(zone, { add: [fieldsOf("c A 192.0.2.3")], update: [{ id: soa, rdata }] });
    const after = await zones.contents(zone);
    const { changeSet, rrsets } = await stageReturn(session(), zone, { changeId }, { title: "back" });
    expect(changeSet).toMatchObject({ title: "back", state: "DRAFT" });
    expect(rrsets.map(({ owner, type }) => `${owner} ${type}`)).toEqual(["@ SOA", "a A", "c A"]);
    expect(await zones.contents(zone)).toEqual(after);
    await zones.apply(changeSet as { id: number });
    expect(await zones.contents(zone)).toEqual(before);
    expect(await zones.idOf(zone, "a", "A")).toBe(id);
    expect((await zones.journal(zone)).at(-1)?.returnsTo).toBe(changeId);
    expect((await stageReturn(session(), zone, { changeId })).changeSet).toBe(null);
    const stale = stageReturn(session(), zone, { changeId }, { expectedSerial: serial });
    expect(await reasonsOf(stale)).toEqual(["STALE_SERIAL expectedSerial"]);
  });

  test("of one change is staged, and is refused when later changes conflict", async () => {
    const zone = await zones.zone("a A 192.0.2.1");
    const id = await zones.idOf(zone, "a", "A");
    const edit = await change(zone, { update: [{ id, rdata: "192.0.2.2" }] });
    const before = await zones.contents(zone);
    const { changeSet } = await stageUndoing(session(), edit);
    expect(await zones.contents(zone)).toEqual(before);
    await zones.apply(changeSet as { id: number });
    expect(await zones.contents(zone)).toContain("a 3600 A 192.0.2.1");
    expect(await stageUndoing(session(), edit)).toMatchObject({ changeSet: null, rrsets: [] });
    await change(zone, { update: [{ id, rdata: "192.0.2.9" }] });
    expect((await refusalOf(stageUndoing(session(), edit))).code).toBe("CHANGE_CONFLICT");
  });

  test("is a part of a set beside others", async () => {
    const [zone, other] = [await zones.zone("a A 192.0.2.1"), await zones.zone()];
    const [before, { serial }] = [await zones.contents(zone), await zones.domain(zone)];
    await change(zone, { remove: [await zones.idOf(zone, "a", "A")], add: [fieldsOf("b A 192.0.2.2")] });
    await zones.apply(await setOf({ revert: { zone, to: { serial } } }, adding(other, "x A 192.0.2.9")));
    expect(await zones.contents(zone)).toEqual(before);
    expect(await zones.contents(other)).toContain("x 3600 A 192.0.2.9");
    expect((await zones.journal(zone)).at(-1)?.returnsTo).not.toBeNull();
  });
});

const file = (...lines: string[]) => ["$TTL 300", ...lines].join("\n");

test("a master file is staged as its difference from the zone, and is applied whatever others changed elsewhere", async () => {
  const zone = await zones.zone("a A 192.0.2.1", "b A 192.0.2.2");
  const id = await zones.idOf(zone, "a", "A");
  const apex = ["@ SOA ns1.example.net. other.example.net. 7 10800 3600 1209600 3600", "@ 3600 NS ns1.example.net."];
  const text = file(...apex, "a A 192.0.2.1", "c A 192.0.2.3");
  const before = await zones.contents(zone);
  const staged = await setOf({ import: { zone, text, mode: "REPLACE" } });
  expect(await zones.contents(zone)).toEqual(before);
  await zones.add(zone, "later A 192.0.2.4");
  await zones.apply(staged);
  expect(await zones.contents(zone)).toEqual([
    "@ 300 SOA ns1.example.net. other.example.net. 10800 3600 1209600 3600",
    "@ 3600 NS ns1.example.net.",
    "a 300 A 192.0.2.1",
    "c 300 A 192.0.2.3",
    "later 3600 A 192.0.2.4",
  ]);
  expect(await zones.idOf(zone, "a", "A")).toBe(id);
  await zones.apply(await setOf({ import: { zone, text: file("a A 192.0.2.9"), mode: "MERGE" } }));
  expect(await zones.lines(zone, /^[ac] /)).toEqual(expect.arrayContaining(["a 300 A 192.0.2.9", "c 300 A 192.0.2.3"]));
  const odd = { text: file("d ALIAS a.example.net.", "d A 192.0.2.5"), mode: "MERGE" } as const;
  expect((await refusalOf(setOf({ import: { zone, ...odd } }))).code).toBe("UNSUPPORTED_TYPE");
  await zones.apply(await setOf({ import: { zone, ...odd, skipUnsupported: true } }));
  expect(await zones.contents(zone)).toContain("d 300 A 192.0.2.5");
});

test("the refusal of a file or a return has its field", async () => {
  const zone = await zones.zone();
  const merged = (...lines: string[]) => ({ import: { zone, text: file(...lines), mode: "MERGE" as const } });
  const cases: [ZonePart, string][] = [
    [{ import: { ...merged().import, expectedSerial: 1 } }, "STALE_SERIAL zones.0.import.expectedSerial"],
    [{ revert: { zone, to: { serial: 1 } } }, "NOT_FOUND zones.0.revert.to.serial"],
    [merged("x A nonsense"), "INVALID_RDATA"],
    [{ import: { ...merged().import, zone: "unknown.example.com" } }, "NOT_FOUND zones.0.import.zone"],
  ];
  for (const [part, reason] of cases) expect(await refused(part)).toEqual([reason]);
});
