/**
 * Notes of RRsets over GraphQL.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { testService } from "../../setup/service/service.ts";

const service = testService();
const zone = "noted.example.com";
const setNote = `mutation ($input: SetNoteInput!) { setNote(input: $input) {
  note { owner type text actor } warnings notices { code owner type field } } }`;
const write = async (owner: string, type: string, text: string) =>
  (await service.data(setNote, { input: { zone, owner, type, text } })).setNote;
const read =
  'query ($after: String) { domain(by: { zone: "noted.example.com" }) { notes(first: 2, after: $after) { nodes { owner type text } pageInfo { endCursor } totalCount } } }';

beforeAll(async () => {
  await service.domain(zone, await service.user("notes@example.com"));
});

test("notes are written, listed in pages, shown by records, and removed", async () => {
  const actor = expect.stringMatching(/^administrator /);
  expect(await write("@", "ns", "one\ntwo")).toEqual({
    note: { owner: "@", type: "NS", text: "one\ntwo", actor },
    warnings: [],
    notices: [],
  });
  await write("www", "CNAME", "three");
  expect(await write("absent", "TXT", "four")).toMatchObject({
    warnings: [expect.stringMatching(/no TXT record of absent now/)],
    notices: [{ code: "UNKNOWN_RRSET", owner: "absent", type: "TXT", field: "owner" }],
  });
  const { notes } = (await service.data(read)).domain;
  expect(notes).toMatchObject({
    nodes: [
      { owner: "@", type: "NS", text: "one\ntwo" },
      { owner: "absent", type: "TXT", text: "four" },
    ],
    totalCount: 3,
  });
  const next = (await service.data(read, { after: notes.pageInfo.endCursor })).domain.notes;
  expect(next.nodes).toEqual([{ owner: "www", type: "CNAME", text: "three" }]);
  const found = '{ records(filter: { noteContains: "T" }) { nodes { owner type note } totalCount } }';
  expect((await service.data(found)).records).toEqual({
    nodes: [
      { owner: "@", type: "NS", note: "one\ntwo" },
      { owner: "@", type: "NS", note: "one\ntwo" },
      { owner: "www", type: "CNAME", note: "three" },
    ],
    totalCount: 3,
  });
  expect(await write("www", "CNAME", "")).toEqual({ note: null, warnings: [], notices: [] });
  expect((await service.data(found)).records.totalCount).toBe(2);
});

test("a note is no change: nothing is published, and the journal and the serial stay", async () => {
  const before = await service.snapshot(zone);
  await write("@", "SOA", "mine");
  expect(await service.snapshot(zone)).toEqual(before);
});
