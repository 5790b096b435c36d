/**
 * Edits of many records by GraphQL: what is counted and shown, and the change set that comes of it.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { Actors } from "../setup/actors.ts";
import { testService } from "../setup/service.ts";

const service = testService();
const actors = new Actors(service);
let key: string;
beforeAll(async () => {
  await actors.enter();
  key = actors.key("the owner") as string;
}, 30_000);

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
  const apply = `mutation ($input: ApplyChangeSetInput!) { applyChangeSet(input: $input) { changeSet { state } } }`;
  await service.data(apply, { input: { id: changeSet.id, expectedFingerprint: preview.fingerprint } }, key);
  const again = (await service.data(edit, { input }, key)).editRecords;
  expect([again.matched, again.changeSet, again.preview]).toEqual([0, null, null]);
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
