/** Edits of many records by GraphQL: what is counted and shown, and the change set that comes of it. */
import { beforeAll, expect, test } from "@jest/globals";
import { Actors } from "../../setup/service/actors.ts";
import { type Json, mutation, testService } from "../../setup/service/service.ts";

const service = testService();
const actors = new Actors(service);
let key: string;
beforeAll(async () => {
  await actors.enter();
  key = actors.key("the owner") as string;
});

const edited = `matched changed merged refused zones longestTtl byType { type count }
  samples { zone owner type lines { op recordId ttl rdata change { id } } } refusals { zone owner type recordId code message }
  changeSet { id title state } preview { applicable fingerprint changedZoneCount }`;
const edit = (input: Json) => service.mutate("editRecords", input, edited, key);
const apply = ({ changeSet, preview }: Json, selection = "state") => {
  const input = { id: changeSet.id, expectedFingerprint: preview.fingerprint };
  return service.mutate("applyChangeSet", input, `changeSet { ${selection} }`, key);
};
const removed = async (zone: string, recordId: string): Promise<string> =>
  (await service.mutate("changeRecords", { zone, remove: [recordId] }, "change { id }", key)).change.id;

test("what an edit does is counted and shown, its change set is applied, and a dry run leaves none", async () => {
  const { zone, recordId } = await actors.fixture();
  const { zone: other } = await actors.fixture();
  const set = { replace: { name: { from: zone, to: "new.example.com." } }, ttl: 60 };
  const input = { filter: { zones: [zone, other], types: ["CNAME"] }, set };
  const { samples, preview: seen, ...counts } = await edit({ ...input, dryRun: true });
  expect(counts).toEqual({
    ...{ matched: 1, changed: 1, merged: 0, refused: 0, zones: 1, longestTtl: 3600 },
    ...{ byType: [{ type: "CNAME", count: 1 }], refusals: [], changeSet: null },
  });
  const line = (op: string, ttl: number, rdata: string) => ({ op, recordId, ttl, rdata, change: null });
  const lines = [line("REMOVED", 3600, `${zone}.`), line("ADDED", 60, "new.example.com.")];
  expect(samples).toEqual([{ zone, owner: "www", type: "CNAME", lines }]);
  expect(seen).toEqual({ applicable: true, fingerprint: expect.any(String), changedZoneCount: 1 });
  const made = await edit(input);
  expect(made.changeSet).toMatchObject({ title: `Replace ${zone} by new.example.com.`, state: "DRAFT" });
  expect(made.preview.fingerprint).toBe(seen.fingerprint);
  await apply(made);
  expect(await edit(input)).toMatchObject({ matched: 0, changeSet: null, preview: null });
});

test("changes are undone together by their ids, by who made them, and by their change set", async () => {
  const { zone, recordId } = await actors.fixture();
  const id = await removed(zone, recordId);
  const fields = `selected alreadyUndone conflicts { code change { id } } changeSet { id publication { state } }
    preview { fingerprint zones(first: 3) { nodes { zone rrsets(first: 3) { nodes { owner type lines { op rdata } } } } } }`;
  const revert = (input: Json) => service.mutate("revertChanges", input, fields, key);
  const dry = await revert({ ids: [id], dryRun: true });
  expect(dry).toMatchObject({ selected: 1, alreadyUndone: 0, conflicts: [], changeSet: null });
  const lines = [{ op: "ADDED", rdata: `${zone}.` }];
  expect(dry.preview.zones.nodes).toEqual([{ zone, rrsets: { nodes: [{ owner: "www", type: "CNAME", lines }] } }]);
  await service.mutate("createRecord", { zone, owner: "www", type: "A", rdata: "192.0.2.1" }, "warnings", key);
  const filter = { actor: "test", createdSince: "2026-01-01T00:00:00Z", zone };
  const list = "query ($filter: ChangeFilter) { changes(filter: $filter) { nodes { id } } }";
  const { changes } = await service.data(list, { filter: { ...filter, type: "CNAME" } }, key);
  expect(changes.nodes).toContainEqual({ id });
  const undoing = await revert({ filter, skipConflicts: true });
  expect([undoing.selected, undoing.conflicts]).toEqual([2, []]);
  const applied = await apply(undoing, "publication { state }");
  expect(applied.changeSet.publication.state).toMatch(/^(PENDING|LATE)$/);
  expect(await revert({ changeSetId: undoing.changeSet.id })).toMatchObject({ selected: 1, alreadyUndone: 0 });
  const unbounded = { input: { filter: { actor: "test" } } };
  expect(await service.refusal(mutation("revertChanges", fields), unbounded, key)).toBe("MISSING_FIELD");
});

test("a return and an undoing are staged instead of made where that is asked for", async () => {
  const { zone, recordId, changeId } = await actors.fixture();
  const id = await removed(zone, recordId);
  const staged = "change { id } changeSet { title state } diff { owner type lines { op } }";
  const line = { owner: "www", type: "CNAME", lines: [{ op: "ADDED" }] };
  const expected = { change: null, changeSet: { title: "undo it", state: "DRAFT" } };
  const asSet = { changeSet: true, note: "undo it" };
  const undone = await service.mutate("revertChange", { id, ...asSet }, `alreadyUndone ${staged}`, key);
  expect(undone).toEqual({ alreadyUndone: false, ...expected, diff: [line] });
  const { diff, ...result } = await service.mutate("revertDomain", { zone, to: { changeId }, ...asSet }, staged, key);
  expect(result).toEqual(expected);
  expect(diff).toContainEqual(line);
  const { domain } = await service.data(`{ domain(by: { zone: "${zone}" }) { records(owner: "www") { totalCount } } }`);
  expect(domain.records.totalCount).toBe(0);
});

test("an edit takes one replacement, and says what is wrong with one", async () => {
  const { zone } = await actors.fixture();
  const refused = (set: object, filter: object = {}) =>
    service.refusal(mutation("editRecords", edited), { input: { filter: { zones: [zone], ...filter }, set } }, key);
  const fromTo = { from: "192.0.2.1", to: "192.0.2.2" };
  expect(await refused({ replace: { address: fromTo, text: fromTo } })).toBe("INVALID_VALUE");
  expect(await refused({ replace: { address: { from: "x", to: "192.0.2.2" } } })).toBe("INVALID_VALUE");
  expect(await refused({ ttl: 60 }, { rdata: { name: "a..b" } })).toBe("INVALID_NAME");
  expect(await refused({ ttl: 60 }, { types: ["WRONG"] })).toBe("UNSUPPORTED_TYPE");
  expect(await refused({ ttl: 60 }, { zones: [] })).toBe("INVALID_VALUE");
});
