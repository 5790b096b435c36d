/**
 * What is staged in change sets: what it takes the place of, what is refused, and how it is shown.
 */
import { describe, expect, test } from "@jest/globals";
import { applyChangeSet } from "../../../src/changeset/apply.ts";
import { type ChangeSetRow, changeSetById } from "../../../src/changeset/change-set.ts";
import { type Preview, previewChangeSet, withRrsets } from "../../../src/changeset/preview.ts";
import { cancelChangeSet, createChangeSet, stageChanges, updateChangeSet } from "../../../src/changeset/stage.ts";
import type { ZonePart } from "../../../src/changeset/zone-part.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import { actorOf, policy, reasonsOf, refusalOf, testZones } from "../../setup/zones/session.ts";

const zones = testZones();
const session = () => zones.session();

const a = (owner: string, last: number, ttl?: number) => ({ owner, type: "A", rdata: `192.0.2.${last}`, ttl });

async function setOf(...parts: ZonePart[]): Promise<ChangeSetRow> {
  return createChangeSet(session(), { title: "a plan", zones: parts });
}

async function preview({ id }: { id: number }): Promise<Preview> {
  return previewChangeSet(session(), await changeSetById(session(), id));
}

/** Applies a set as it would be now. */
async function applied(set: { id: number }): Promise<ChangeSetRow> {
  return applyChangeSet(session(), set.id, (await preview(set)).fingerprint);
}

describe("what is staged", () => {
  test("is refused at once where changeRecords would refuse it by itself", async () => {
    const zone = await zones.zone("web A 192.0.2.1");
    const id = await zones.idOf(zone, "web", "A");
    const stage = (part: Omit<ZonePart, "zone">) => reasonsOf(setOf({ zone, ...part }));
    expect(await stage({ edits: { add: [a("a..b", 1), { owner: "x", type: "A", rdata: "x" }] } })).toEqual([
      ["INVALID_NAME", "zones.0.add.0.owner"],
      ["INVALID_RDATA", "zones.0.add.1.rdata"],
    ]);
    expect(await stage({ edits: { remove: [7] } })).toEqual([["NOT_FOUND", "zones.0.remove.0"]]);
    expect(await stage({ edits: { update: [{ id: 7, ttl: 60 }] } })).toEqual([["NOT_FOUND", "zones.0.update.0.id"]]);
    expect(await stage({ edits: { add: [a("x", 1, 60), a("x", 2, 90)] } })).toEqual([["RECORD_CONFLICT", undefined]]);
    expect(await stage({ expectedSerial: 1 })).toEqual([["STALE_SERIAL", "zones.0.expectedSerial"]]);
    expect(await stage({ delete: true, edits: { remove: [id] } })).toEqual([["INVALID_VALUE", "zones.0.delete"]]);
    expect(await reasonsOf(setOf({ zone: "no.example.org" }))).toEqual([["NOT_FOUND", "zones.0.zone"]]);
    expect(await reasonsOf(setOf({ zone }, { zone }))).toEqual([["INVALID_VALUE", "zones.1.zone"]]);
  });

  test("takes the place of what was staged for the zone, or of the same record when it is appended", async () => {
    const zone = await zones.zone("web A 192.0.2.1");
    const id = await zones.idOf(zone, "web", "A");
    const set = await setOf({ zone, edits: { update: [{ id, rdata: "192.0.2.2" }] } });
    await stageChanges(session(), set.id, { zones: [{ zone, edits: { add: [a("x", 1), a("y", 1)] } }] });
    const edits = { remove: [id], add: [a("x", 1, 60)] };
    const { revision } = await stageChanges(session(), set.id, { zones: [{ zone, append: true, edits }] });
    expect(revision).toBe(3);
    await applied(set);
    expect((await zones.lines(zone)).filter((line) => line.includes(" A "))).toEqual([
      "x 60 A 192.0.2.1",
      "y 3600 A 192.0.2.1",
    ]);
  });

  test("is shown whole, page by page, where the preview holds no more of it", async () => {
    const names = [await zones.zone(), await zones.zone(), await zones.zone()].toSorted();
    const set = await setOf(...names.map((zone) => ({ zone, edits: { add: [a("x", 1), a("y", 1)] } })));
    const row = await changeSetById(session(), set.id);
    const whole = await previewChangeSet(session(), row);
    const cut = await previewChangeSet(session(), row, 3);
    expect(cut).toMatchObject({ fingerprint: whole.fingerprint, applicable: true });
    expect(cut.zones.map(({ rrsets, addedCount }) => [rrsets.length, addedCount])).toEqual([
      [2, 2],
      [2, 2],
      [0, 2],
    ]);
    const again = await withRrsets(session(), cut.zones);
    expect(again.map(({ rrsets }) => rrsets)).toEqual(whole.zones.map(({ rrsets }) => rrsets));
    await changeZone(session(), names[2] as string, { add: [a("x", 2)] });
    expect(await reasonsOf(withRrsets(session(), cut.zones))).toEqual([["STALE_CHANGE_SET", undefined]]);
  });

  test("says what it takes the place of, and is refused with what to do where it may not", async () => {
    const [zone, gone] = [await zones.zone("web A 192.0.2.1"), await zones.zone()];
    const set = await setOf({ zone, edits: { add: [a("x", 1), a("y", 1)] } }, { zone: gone, delete: true });
    const stage = (...parts: ZonePart[]) => stageChanges(session(), set.id, { zones: parts });
    const other = { edits: { add: [a("z", 1)] } };
    const { field, message } = await refusalOf(stage({ zone, replace: false, ...other }));
    expect([field, message]).toEqual(["zones.0.replace", expect.stringContaining(`For ${zone} 2 edits are staged`)]);
    expect(await reasonsOf(stage({ zone: gone, replace: false, ...other }))).toEqual([
      ["INVALID_VALUE", "zones.0.replace"],
    ]);
    expect((await stage({ zone, replace: false, append: true, ...other })).warnings).toEqual([]);
    const { warnings, notices } = await stage({ zone, ...other }, { zone: gone, ...other });
    expect(warnings).toEqual([
      `What was staged for ${zone} before, 3 edits, is replaced.`,
      `What was staged for ${gone} before, its deletion, is replaced.`,
    ]);
    expect(notices.map(({ code, field: at }) => [code, at])).toEqual([
      ["REPLACED_PART", "zones.0.zone"],
      ["REPLACED_PART", "zones.1.zone"],
    ]);
    expect((await stage({ zone, replace: false, append: true, ...other })).notices).toEqual([]);
    expect((await stageChanges(session(), set.id, { unstage: [zone] })).notices).toEqual([]);
    expect((await stage({ zone, replace: false, ...other })).notices).toEqual([]);
  });

  test("shows what the rules forbid in the preview, with all reasons, and is not applied", async () => {
    const [one, two] = [await zones.zone("web A 192.0.2.1"), await zones.zone("web A 192.0.2.1")];
    const alias = { owner: "web", type: "CNAME", rdata: "x" };
    const set = await setOf({ zone: one, edits: { add: [alias] } }, { zone: two, edits: { add: [a("x", 1), alias] } });
    const { zones: seen, applicable } = await preview(set);
    expect([applicable, seen.map(({ refusals }) => refusals.map(({ code }) => code))]).toEqual([
      false,
      [["RECORD_CONFLICT"], ["RECORD_CONFLICT"]],
    ]);
    const before = [await zones.state(one), await zones.state(two)];
    const refusal = await refusalOf(applied(set));
    expect(refusal.reasons.map(({ code, message }) => [code, message.split(":")[0]])).toEqual([
      ["RECORD_CONFLICT", one],
      ["RECORD_CONFLICT", two],
    ]);
    expect([await zones.state(one), await zones.state(two)]).toEqual(before);
  });

  test("is not mixed up by two who work on it", async () => {
    const set = await setOf();
    await updateChangeSet(session(), set.id, { title: "another", expectedRevision: 1 });
    expect(await reasonsOf(stageChanges(session(), set.id, { expectedRevision: 1 }))).toEqual([
      ["STALE_CHANGE_SET", "expectedRevision"],
    ]);
    expect(await reasonsOf(applied(set))).toEqual([["INVALID_VALUE", "id"]]);
    expect((await cancelChangeSet(session(), set.id, { expectedRevision: 2 })).state).toBe("CANCELLED");
  });

  test("has limits: of zones, edits and sets", async () => {
    const zone = await zones.zone();
    const limited = (limits: object, actor = actorOf(zones.userId)) =>
      zones.session(actor, {
        changeSetLimits: { ...policy.changeSetLimits, zones: 1, records: 2, open: 1000, ...limits },
      });
    const part = { zone, edits: { add: [a("x", 1), a("x", 2), a("x", 3)] } };
    expect(await reasonsOf(createChangeSet(limited({}), { title: "t", zones: [part] }))).toEqual([
      ["TOO_LARGE", undefined],
    ]);
    const parts = [{ zone }, { zone: await zones.zone() }];
    expect(await reasonsOf(createChangeSet(limited({}), { title: "t", zones: parts }))).toEqual([
      ["TOO_LARGE", undefined],
    ]);
    const [key] = await zones.sql<{ id: number }>(
      "insert into api_key (name, user_id, fingerprint, hash) values ('k', $1, 'f', '\\x00') returning id::float8 as id",
      [zones.userId],
    );
    const actor = { ...actorOf(zones.userId), keyId: key?.id as number };
    const create = () => createChangeSet(limited({ open: 1 }, actor), { title: "t" });
    const { id } = await create();
    expect(await reasonsOf(create())).toEqual([["QUOTA_EXCEEDED", undefined]]);
    await cancelChangeSet(session(), id);
    expect((await create()).state).toBe("DRAFT");
    expect(await reasonsOf(createChangeSet(limited({}), { title: " " }))).toEqual([["INVALID_VALUE", "title"]]);
  });
});
