/**
 * What the journal says of a change: which records it removed and added, why it was made, and through which interface.
 */
import { describe, expect, test } from "@jest/globals";
import { testZone } from "../../setup/service/graphql-zone.ts";
import { type Json, testService } from "../../setup/service/service.ts";

const service = testService();
const zone = testZone(service);

const changed = "recordId owner type ttl rdata";
const changeRecords = `mutation ($input: ChangeRecordsInput!) { changeRecords(input: $input) {
  records { id } removed { ${changed} } added { ${changed} } change { id note } } }`;
const journal = `query ($zone: String!) { domain(by: { zone: $zone }) { changes { nodes {
  id kind door note removed { nodes { ${changed} } } added { nodes { ${changed} } } } } } }`;

const change = async (input: Json) =>
  (await service.data(changeRecords, { input: { zone: zone.name, ...input } })).changeRecords;
const changes = async () => (await service.data(journal, { zone: zone.name })).domain.changes.nodes as Json[];
const a = (owner: string, rdata = "192.0.2.1") => ({ owner, type: "A", rdata });

describe("the records of a change have their ids", () => {
  const besidesSoa = (rows: Json[]) =>
    rows.filter(({ type }) => type !== "SOA").map(({ recordId, owner }) => [recordId, owner]);

  test("when they are added, edited and removed, in the answer and in the journal", async () => {
    const first = await change({ add: [a("one"), a("two")] });
    const [one, two] = first.records.map(({ id }: Json) => id);
    expect(besidesSoa(first.added)).toEqual([
      [one, "one"],
      [two, "two"],
    ]);
    const second = await change({ remove: [two], update: [{ id: one, ttl: 60 }], add: [a("three")] });
    const three = second.records[1].id;
    expect(besidesSoa(second.removed)).toEqual([
      [two, "two"],
      [one, "one"],
    ]);
    expect(besidesSoa(second.added)).toEqual([
      [three, "three"],
      [one, "one"],
    ]);
    const [stored] = await changes();
    expect([stored.removed.nodes, stored.added.nodes]).toEqual([second.removed, second.added]);
  });

  test("not when they are only checked, nor when an import adds them", async () => {
    const dry = await change({ add: [a("one")], dryRun: true });
    expect(besidesSoa(dry.added)).toEqual([[null, "one"]]);
    const id = (await change({ add: [a("one")] })).records[0].id;
    const imported = await service.data(
      `mutation ($input: ImportZoneInput!) { importZone(input: $input) { removed { ${changed} } added { ${changed} } } }`,
      { input: { zone: zone.name, mode: "MERGE", text: "one 60 A 192.0.2.1\ntwo 60 A 192.0.2.2\n" } },
    );
    expect(besidesSoa(imported.importZone.removed)).toEqual([[id, "one"]]);
    expect(besidesSoa(imported.importZone.added)).toEqual([
      [id, "one"],
      [null, "two"],
    ]);
  });
});

describe("a change has the note of its author", () => {
  const inputs: readonly [string, string, (id: string) => Json][] = [
    ["changeRecords", "ChangeRecordsInput", () => ({ zone: zone.name, add: [a("x")] })],
    ["createRecord", "CreateRecordInput", () => ({ zone: zone.name, ...a("x") })],
    ["updateRecord", "UpdateRecordInput", (id) => ({ id, ttl: 60 })],
    ["deleteRecord", "DeleteRecordInput", (id) => ({ id })],
    ["importZone", "ImportZoneInput", () => ({ zone: zone.name, mode: "MERGE", text: "x A 192.0.2.7\n" })],
    ["deleteDomain", "DeleteDomainInput", () => ({ zone: zone.name })],
  ];

  test.each(inputs)("by %s", async (mutation, input, fields) => {
    const id = (await change({ add: [a("there")] })).records[0].id;
    const document = `mutation ($input: ${input}!) { ${mutation}(input: $input) { change { note } } }`;
    const run = async (note: string | null) =>
      (await service.data(document, { input: { ...fields(id), note } }))[mutation].change.note;
    expect(await run("moved to the new provider ✓")).toBe("moved to the new provider ✓");
  });

  test("which is null where there is none", async () => {
    expect((await change({ add: [a("x")], note: "" })).change.note).toBeNull();
    expect((await change({ add: [a("y")] })).change.note).toBeNull();
  });

  test("by createDomain", async () => {
    const userId = await service.user("notes@example.com");
    const { createDomain } = await service.data(
      "mutation ($input: CreateDomainInput!) { createDomain(input: $input) { change { note } } }",
      { input: { zone: "noted.example.org", userId, note: "for the fair" } },
    );
    expect(createDomain.change.note).toBe("for the fair");
  });

  test.each([
    ["500 characters", "x".repeat(500), undefined],
    ["501 characters", "x".repeat(501), "INVALID_VALUE"],
    ["two lines", "one\ntwo", "INVALID_VALUE"],
  ])("of %s", async (_, note, code) => {
    expect(await service.refusal(changeRecords, { input: { zone: zone.name, add: [a("x")], note } })).toBe(code);
  });
});

test("an import expects a serial, as edits do", async () => {
  const { serial } = await zone.read();
  const input = (expectedSerial: number) => ({ zone: zone.name, mode: "MERGE", text: "x A 192.0.2.1", expectedSerial });
  const importZone = "mutation ($input: ImportZoneInput!) { importZone(input: $input) { change { previousSerial } } }";
  const [refusal] = (await service.graphql(importZone, { input: input(serial - 1) })).body.errors;
  expect(refusal.extensions).toMatchObject({ code: "STALE_SERIAL", field: "expectedSerial", details: { serial } });
  const imported = await service.data(importZone, { input: input(serial) });
  expect(imported.importZone.change.previousSerial).toBe(serial);
});

test("a change by the console says so", async () => {
  await service.sql("update change set door = 'console' where zone = $1", [zone.name]);
  expect((await changes())[0].door).toBe("CONSOLE");
});
