/**
 * Edits of many records by GraphQL: what is counted and shown, and the change set that comes of it.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { Actors } from "../../setup/service/actors.ts";
import { mutation, testService } from "../../setup/service/service.ts";

const service = testService();
const actors = new Actors(service);
let key: string;
beforeAll(async () => {
  await actors.enter();
  key = actors.key("the owner") as string;
});

const edit = `mutation ($input: EditRecordsInput!) { editRecords(input: $input) {
  matched changed merged refused zones longestTtl byType { type count } samples { zone owner type lines { op recordId ttl rdata change { id } } }
  refusals { zone owner type recordId code message } changeSet { id title state } preview { applicable fingerprint changedZoneCount } } }`;

test("what an edit does is counted and shown, its change set is applied, and a dry run leaves none", async () => {
  const { zone, recordId } = await actors.fixture();
  const { zone: other } = await actors.fixture();
  const set = { replace: { name: { from: zone, to: "new.example.com." } }, ttl: 60 };
  const input = { filter: { zones: [zone, other], types: ["CNAME"] }, set };
  const dry = (await service.data(edit, { input: { ...input, dryRun: true } }, key)).editRecords;
  expect(dry).toEqual({
    matched: 1,
    changed: 1,
    merged: 0,
    refused: 0,
    zones: 1,
    longestTtl: 3600,
    byType: [{ type: "CNAME", count: 1 }],
    samples: [
      {
        zone,
        owner: "www",
        type: "CNAME",
        lines: [
          { op: "REMOVED", recordId, ttl: 3600, rdata: `${zone}.`, change: null },
          { op: "ADDED", recordId, ttl: 60, rdata: "new.example.com.", change: null },
        ],
      },
    ],
    refusals: [],
    changeSet: null,
    preview: { applicable: true, fingerprint: expect.any(String), changedZoneCount: 1 },
  });
  const { changeSet, preview } = (await service.data(edit, { input }, key)).editRecords;
  expect(changeSet).toMatchObject({ title: `Replace ${zone} by new.example.com.`, state: "DRAFT" });
  expect(preview.fingerprint).toBe(dry.preview.fingerprint);
  const apply = mutation("applyChangeSet", "changeSet { state }");
  await service.data(apply, { input: { id: changeSet.id, expectedFingerprint: preview.fingerprint } }, key);
  const again = (await service.data(edit, { input }, key)).editRecords;
  expect([again.matched, again.changeSet, again.preview]).toEqual([0, null, null]);
});

test("changes are undone together by their ids, by who made them, and by their change set", async () => {
  const { zone, recordId } = await actors.fixture();
  const change = mutation("changeRecords", "change { id }");
  const made = (await service.data(change, { input: { zone, remove: [recordId] } }, key)).changeRecords.change;
  const revert = `mutation ($input: RevertChangesInput!) { revertChanges(input: $input) { selected alreadyUndone
    conflicts { zone owner type code message change { id } } changeSet { id title publication { state } }
    preview { applicable fingerprint zones(first: 3) { nodes { zone rrsets(first: 3) { nodes { owner type lines { op rdata } } } } } } } }`;
  const dry = (await service.data(revert, { input: { ids: [made.id], dryRun: true } }, key)).revertChanges;
  expect(dry).toMatchObject({ selected: 1, alreadyUndone: 0, conflicts: [], changeSet: null });
  expect(dry.preview.zones.nodes).toEqual([
    { zone, rrsets: { nodes: [{ owner: "www", type: "CNAME", lines: [{ op: "ADDED", rdata: `${zone}.` }] }] } },
  ]);
  const createdSince = "2026-01-01T00:00:00Z";
  const { changes } = await service.data(
    `{ changes(filter: { actor: "test", type: "CNAME", createdSince: "${createdSince}" }) { nodes { id zone } } }`,
    {},
    key,
  );
  expect(changes.nodes).toContainEqual({ id: made.id, zone });
  await service.data(change, { input: { zone, add: [{ owner: "www", type: "A", rdata: "192.0.2.1" }] } }, key);
  const filter = { actor: "test", createdSince, zone };
  const { body } = await service.graphql(revert, { input: { ids: [made.id] } }, key);
  expect(body.errors ?? []).toEqual([]);
  const undoing = (await service.data(revert, { input: { filter, skipConflicts: true } }, key)).revertChanges;
  expect([undoing.selected, undoing.conflicts]).toEqual([2, []]);
  const { changeSet, preview } = undoing;
  const apply = mutation("applyChangeSet", "changeSet { publication { state } }");
  const input = { id: changeSet.id, expectedFingerprint: preview.fingerprint };
  expect((await service.data(apply, { input }, key)).applyChangeSet.changeSet.publication).toEqual({
    state: expect.stringMatching(/^(PENDING|LATE)$/),
  });
  const again = (await service.data(revert, { input: { changeSetId: changeSet.id } }, key)).revertChanges;
  expect([again.selected, again.alreadyUndone]).toEqual([1, 0]);
  expect(await service.refusal(revert, { input: { filter: { actor: "test" } } }, key)).toBe("MISSING_FIELD");
});

test("a return and an undoing are staged instead of made where that is asked for", async () => {
  const { zone, recordId, changeId } = await actors.fixture();
  const change = mutation("changeRecords", "change { id }");
  const made = (await service.data(change, { input: { zone, remove: [recordId] } }, key)).changeRecords.change;
  const staged = "change { id } changeSet { title state } diff { owner type lines { op } }";
  const undo = mutation("revertChange", `alreadyUndone ${staged}`);
  const undoing = { id: made.id, changeSet: true, note: "undo it" };
  const expected = {
    change: null,
    changeSet: { title: "undo it", state: "DRAFT" },
    diff: [{ owner: "www", type: "CNAME", lines: [{ op: "ADDED" }] }],
  };
  expect((await service.data(undo, { input: undoing }, key)).revertChange).toEqual({
    alreadyUndone: false,
    ...expected,
  });
  const revert = mutation("revertDomain", `${staged}`);
  const input = { zone, to: { changeId }, changeSet: true, note: "undo it" };
  const { diff, ...result } = (await service.data(revert, { input }, key)).revertDomain;
  expect(result).toEqual({ change: null, changeSet: expected.changeSet });
  expect(diff).toContainEqual(expected.diff[0]);
  const { domain } = await service.data(`{ domain(by: { zone: "${zone}" }) { records(owner: "www") { totalCount } } }`);
  expect(domain.records.totalCount).toBe(0);
});

test("an edit takes one replacement, and says what is wrong with one", async () => {
  const { zone } = await actors.fixture();
  const refused = (set: object, filter: object = {}) =>
    service.refusal(edit, { input: { filter: { zones: [zone], ...filter }, set } }, key);
  const fromTo = { from: "192.0.2.1", to: "192.0.2.2" };
  expect(await refused({ replace: { address: fromTo, text: fromTo } })).toBe("INVALID_VALUE");
  expect(await refused({ replace: { address: { from: "x", to: "192.0.2.2" } } })).toBe("INVALID_VALUE");
  expect(await refused({ ttl: 60 }, { rdata: { name: "a..b" } })).toBe("INVALID_NAME");
  expect(await refused({ ttl: 60 }, { types: ["WRONG"] })).toBe("UNSUPPORTED_TYPE");
  expect(await refused({ ttl: 60 }, { zones: [] })).toBe("INVALID_VALUE");
});
