/**
 * Notes of RRsets over GraphQL and by the command line.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { parse, validate } from "graphql";
import { notesRow, setNoteRow } from "../../src/cli/annotations.ts";
import { createSchema } from "../../src/graphql/schema/schema.ts";
import { zonesmith } from "../setup/process.ts";
import { adminKey, testService } from "../setup/service.ts";

const service = testService();
const zone = "noted.example.com";
const setNote = `mutation ($input: SetNoteInput!) { setNote(input: $input) {
  note { owner type text actor } warnings notices { code owner type field } } }`;
const write = async (owner: string, type: string, text: string) =>
  (await service.data(setNote, { input: { zone, owner, type, text } })).setNote;
const read =
  'query ($after: String) { domain(by: { zone: "noted.example.com" }) { notes(first: 2, after: $after) { nodes { owner type text } pageInfo { endCursor } totalCount } } }';

async function run(...words: string[]): Promise<[number | null, string, string]> {
  const command = zonesmith(words, { ZONESMITH_URL: service.url, ZONESMITH_API_KEY: adminKey });
  const code = await command.ended();
  const { stdout, stderr } = command.output();
  return [code, stdout, stderr];
}

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

test("the command line writes, lists and removes notes", async () => {
  const schema = await createSchema();
  expect([notesRow, setNoteRow].flatMap(({ document }) => validate(schema, parse(document)))).toEqual([]);
  expect(await run("note", zone, "www", "CNAME", "ask", "Jane")).toEqual([0, "www CNAME has the note.\n", ""]);
  expect((await run("note", zone))[1]).toMatch(
    /^OWNER +TYPE +BY +WHEN +NOTE\n[\s\S]*^www +CNAME +administrator .* ask Jane$/m,
  );
  expect((await run("note", zone))[1]).toMatch(/^@ +NS +.* one \/ two$/m);
  expect(await run("note", zone, "later", "A", "x")).toEqual([
    0,
    expect.any(String),
    expect.stringMatching(/^warning: There is no A/),
  ]);
  expect(await run("note", zone, "www", "CNAME", "--remove")).toEqual([0, "www CNAME has no note.\n", ""]);
  expect((await run("note", zone))[1]).not.toContain("www");
  for (const words of [["www"], ["www", "A"], ["www", "A", "x", "--remove"]])
    expect(await run("note", zone, ...words)).toEqual([
      2,
      "",
      expect.stringMatching(/an owner, a type and a text, or --remove/),
    ]);
});
