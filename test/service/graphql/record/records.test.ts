/** Writing records by GraphQL. The rules are in test/service/zone/edit, those of data in test/service/vectors. */
import { describe, expect, test } from "@jest/globals";
import { testZone } from "../../../setup/service/graphql-zone.ts";
import { type Json, mutation, testService } from "../../../setup/service/service.ts";

const service = testService();
const zone = testZone(service);

const a = (owner: string, rdata = "192.0.2.1", more: Json = {}) => ({ owner, type: "A", rdata, ...more });
const thousand = Array.from({ length: 1000 }, (_, at) => a(`h${at}`));
const id = expect.stringMatching(/^[1-9]\d{15}$/);
const change = (input: Json) => zone.run("changeRecords", { zone: zone.name, ...input });
const refused = (input: Json) => zone.reasons("changeRecords", { zone: zone.name, ...input });

describe("one record", () => {
  test("is created, edited and deleted, each by one change with the next serial", async () => {
    const { serial } = await zone.read();
    const input = { zone: zone.name.toUpperCase(), owner: `Www2.${zone.name}.`, type: "a", rdata: "192.0.2.1" };
    const created = await zone.run("createRecord", input);
    const stored = { zone: zone.name, owner: "www2", type: "A", ttl: 3600, rdata: "192.0.2.1" };
    expect(created).toEqual({
      record: { id, ...stored, domain: { serial: serial + 1 } },
      change: {
        id,
        kind: "EDIT",
        previousSerial: serial,
        serial: serial + 1,
        actor: expect.stringMatching(/^administrator \([0-9a-f]{8}\)$/),
        source: "GRAPHQL",
      },
      notices: [],
    });
    const of = { recordId: created.record.id };
    const { record } = await zone.run("updateRecord", { ...of, owner: "@", ttl: 0 });
    expect(record).toEqual({ id: of.recordId, ...stored, owner: "@", ttl: 0, domain: { serial: serial + 2 } });
    const deleted = await zone.run("deleteRecord", of);
    expect(deleted).toMatchObject({
      deletedId: of.recordId,
      change: { previousSerial: serial + 2, serial: serial + 3 },
    });
    expect((await zone.read()).records.nodes).toHaveLength(4);
  });

  test("is counted by type in its zone, whose commonest TTL follows, the shortest of several", async () => {
    const counts = "defaultTtl recordCounts { type count }";
    const read = async () => (await service.data(`{ domain(by: { zone: "${zone.name}" }) { ${counts} } }`)).domain;
    await change({ add: [a("one", undefined, { ttl: 60 }), a("two", undefined, { ttl: 60 })] });
    const others = ["CNAME", "SOA"].map((type) => ({ type, count: 1 }));
    const two = ["A", "NS"].map((type) => ({ type, count: 2 }));
    expect(await read()).toEqual({ defaultTtl: 3600, recordCounts: [...two, ...others] });
    await change({ add: [a("three", undefined, { ttl: 60 }), a("four", undefined, { ttl: 60 })] });
    expect(await read()).toEqual({ defaultTtl: 60, recordCounts: [{ type: "A", count: 4 }, two[1], ...others] });
  });

  test("reads what a mutation before it in the same request has left", async () => {
    const create = (owner: string) =>
      `createRecord(input: { zone: "${zone.name}", owner: "${owner}", type: "A", rdata: "192.0.2.1" }) {
        change { serial } record { domain { serial records(types: "A") { totalCount nodes { owner } } } } }`;
    const { a, b } = await service.data(`mutation { a: ${create("a")} b: ${create("b")} }`);
    expect(a.record.domain.serial).toBe(a.change.serial);
    expect(b.record.domain.serial).toBe(b.change.serial);
    expect(b.record.domain.records).toEqual({ totalCount: 2, nodes: [{ owner: "a" }, { owner: "b" }] });
  });

  test("is left as it is by nulls", async () => {
    const of = { recordId: await zone.idOf("www", "CNAME") };
    const before = await service.snapshot(zone.name);
    const nulls = { owner: null, type: null, ttl: null, rdata: null, zone: null };
    const { change: none, record } = await zone.run("updateRecord", { ...of, ...nulls });
    expect([none, record]).toMatchObject([null, { owner: "www", type: "CNAME", ttl: 3600, rdata: `${zone.name}.` }]);
    expect(await service.snapshot(zone.name)).toEqual(before);
  });

  test("is refused with every reason, and nothing moves", async () => {
    const everything = { zone: zone.name, ...a("a..b", "x", { ttl: -1 }) };
    expect(await zone.reasons("createRecord", everything)).toEqual([
      "INVALID_NAME owner",
      "INVALID_TTL ttl",
      "INVALID_RDATA rdata",
    ]);
    const [www, soa] = [await zone.idOf("www", "CNAME"), await zone.idOf("@", "SOA")];
    await zone.run("deleteRecord", { recordId: await zone.idOf("@", "NS") });
    for (const [name, input, reason] of [
      ["updateRecord", { recordId: www, zone: "other.example.com" }, "INVALID_VALUE zone"],
      ["updateRecord", { recordId: www, type: "SOA" }, "INVALID_RDATA type"],
      ["deleteRecord", { recordId: soa }, "PROTECTED_RECORD recordId"],
      ["deleteRecord", { recordId: await zone.idOf("@", "NS") }, "PROTECTED_RECORD recordId"],
      ["deleteRecord", { recordId: "1" }, "NOT_FOUND recordId"],
    ] as const)
      expect([input, await zone.reasons(name, input)]).toEqual([input, [reason]]);
  });
});

describe("many records", () => {
  const data = (rows: Json[]) => rows.map(({ owner, rdata }) => `${owner} ${rdata}`);

  test("are removed, updated and added by one serial and one journal row", async () => {
    await change({ add: [a("old"), a("kept")] });
    const { serial } = await zone.read();
    const [old, kept] = [await zone.idOf("old", "A"), await zone.idOf("kept", "A")];
    const result = await change({ remove: [old], update: [{ recordId: kept, rdata: "192.0.2.9" }], add: [a("new")] });
    const serials = { previousSerial: serial, serial: serial + 1 };
    expect(result.change).toMatchObject(serials);
    expect(data(result.records)).toEqual(["kept 192.0.2.9", "new 192.0.2.1"]);
    expect(result.records[0].id).toBe(kept);
    expect(data(result.removed)).toEqual(["old 192.0.2.1", "kept 192.0.2.1"]);
    expect(data(result.added).toSorted()).toEqual(["kept 192.0.2.9", "new 192.0.2.1"]);
    const { changes } = await zone.read();
    const [removed, added] = [{ nodes: result.removed }, { nodes: result.added }];
    expect(changes.nodes.at(-1)).toEqual({ ...serials, removed, added });
  });

  test("change nothing when one of them is bad, and every reason names its place", async () => {
    const www = await zone.idOf("www", "CNAME");
    const ns = (await zone.read()).records.nodes.filter(({ type }: Json) => type === "NS").map((each: Json) => each.id);
    for (const [edits, reasons] of [
      [
        { update: [{ recordId: www, rdata: "a..b." }], add: [a("fine"), a("bad", "x")] },
        ["INVALID_RDATA update.0.rdata", "INVALID_RDATA add.1.rdata"],
      ],
      [{ add: [a("x"), a("x")] }, ["DUPLICATE_RECORD add.1.rdata"]],
      [{ add: [a("x", "192.0.2.1", { ttl: 60 }), a("x", "192.0.2.2", { ttl: 90 })] }, ["RECORD_CONFLICT add.1.ttl"]],
      [{ remove: ns }, [`PROTECTED_RECORD remove.${ns.length - 1}`]],
      [{ add: [...thousand, a("more")] }, ["INVALID_VALUE add"]],
      [{ update: thousand.concat(a("more")).map(() => ({ recordId: "1" })) }, ["INVALID_VALUE update"]],
      [{ remove: thousand.concat(a("more")).map(() => "1") }, ["INVALID_VALUE remove"]],
      [{ add: [a("www")], dryRun: true }, ["RECORD_CONFLICT add.0.owner"]],
    ] as const)
      expect(await refused(edits)).toEqual(reasons);
  });

  test("are refused with the row of each in its sentence", async () => {
    const sentence = async (...add: Json[]) => {
      const { body } = await service.graphql(mutation("changeRecords", "notices { code }"), {
        input: { zone: zone.name, add },
      });
      return body.errors[0].message;
    };
    const ns = (await zone.read()).records.nodes.find(({ type }: Json) => type === "NS").rdata;
    expect(await sentence(a("fine"), a("www"))).toMatch(/^add\.1: .*cannot be beside/);
    expect(await sentence(a("fine"), { owner: "@", type: "NS", rdata: ns })).toMatch(/^add\.1: The zone already holds/);
    expect(await sentence(a("twice"), a("twice"))).toMatch(/^add\.1: The change has twice A .* twice; leave one out/);
  });

  test("are only judged in a dry run, which tells the difference", async () => {
    const before = await service.snapshot(zone.name);
    const edits = { remove: [await zone.idOf("www", "CNAME")], add: [a("www")] };
    const dry = await change({ ...edits, dryRun: true });
    expect(await service.snapshot(zone.name)).toEqual(before);
    expect(dry).toMatchObject({ change: null, records: [] });
    const { removed, added, notices } = await change(edits);
    expect({ removed, added, notices }).toEqual({ removed: dry.removed, added: dry.added, notices: dry.notices });
  });

  test("wait for the preconditions", async () => {
    const when = (precondition: Json) => refused({ add: [a("a")], preconditions: [precondition] });
    expect(await when({ owner: "www", exists: false })).toEqual(["NAME_IN_USE preconditions.0"]);
    expect(await when({ owner: "www", type: "A" })).toEqual(["RRSET_MISSING preconditions.0"]);
    expect(await when({ owner: "www", rdata: ["192.0.2.9"] })).toEqual(["INVALID_VALUE preconditions.0.rdata"]);
    const preconditions = [{ owner: "www", type: "CNAME", rdata: [`${zone.name}.`] }];
    expect((await change({ add: [a("a")], preconditions })).change).not.toBeNull();
  });

  test("change nothing by nulls and empty lists", async () => {
    const before = await service.snapshot(zone.name);
    const nothing = { records: [], removed: [], added: [], change: null, notices: [] };
    expect(await change({ add: null, update: [], remove: null })).toEqual(nothing);
    expect(await service.snapshot(zone.name)).toEqual(before);
  });
});

const changed = "recordId owner type ttl rdata";

test("the records of a change have their ids, but where they are only checked, or added by an import", async () => {
  const besidesSoa = (rows: Json[]) =>
    rows.filter(({ type }) => type !== "SOA").map(({ recordId, owner }) => `${recordId} ${owner}`);
  const selection = `records { id } removed { ${changed} } added { ${changed} }`;
  const write = (input: Json) => service.mutate("changeRecords", { zone: zone.name, ...input }, selection);
  expect(besidesSoa((await write({ add: [a("one")], dryRun: true })).added)).toEqual(["null one"]);
  const first = await write({ add: [a("one"), a("two")] });
  const [one, two] = first.records.map((each: Json) => each.id);
  expect(besidesSoa(first.added)).toEqual([`${one} one`, `${two} two`]);
  const second = await write({ remove: [two], update: [{ recordId: one, ttl: 60 }], add: [a("three")] });
  expect(besidesSoa(second.removed)).toEqual([`${two} two`, `${one} one`]);
  expect(besidesSoa(second.added)).toEqual([`${second.records[1].id} three`, `${one} one`]);
  const journal = `query ($zone: String!) { domain(by: { zone: $zone }) { changes(first: 1) { nodes {
    removed { nodes { ${changed} } } added { nodes { ${changed} } } } } } }`;
  const [stored] = (await service.data(journal, { zone: zone.name })).domain.changes.nodes;
  expect([stored.removed.nodes, stored.added.nodes]).toEqual([second.removed, second.added]);
  const file = { zone: zone.name, mode: "MERGE", text: "one 300 A 192.0.2.1\ntwo 60 A 192.0.2.2\n" };
  const imported = await service.mutate("importZone", file, selection.replace("records { id }", ""));
  expect([besidesSoa(imported.removed), besidesSoa(imported.added)]).toEqual([
    [`${one} one`],
    [`${one} one`, "null two"],
  ]);
});

describe("each mutation of a zone", () => {
  const inputs: readonly [string, (id: string) => Json][] = [
    ["changeRecords", () => ({ zone: zone.name, add: [a("x")] })],
    ["createRecord", () => ({ zone: zone.name, ...a("x") })],
    ["updateRecord", (recordId) => ({ recordId, ttl: 60 })],
    ["deleteRecord", (recordId) => ({ recordId })],
    ["importZone", () => ({ zone: zone.name, mode: "MERGE", text: "x A 192.0.2.7\n" })],
    ["deleteDomain", () => ({ by: { zone: zone.name } })],
  ];

  test.each(inputs)("expects a serial and keeps the note of its author: %s", async (name, fields) => {
    const input = fields(await service.record(zone.name, "there", "A", "192.0.2.1"));
    const { serial } = await zone.read();
    const note = "moved to the new provider ✓";
    if (name !== "deleteDomain") {
      const stale = { input: { ...input, expectedSerial: serial - 1 } };
      const { errors } = (await service.graphql(mutation(name, "notices { code }"), stale)).body;
      const refusal = { code: "STALE_SERIAL", field: "expectedSerial", details: { serial } };
      expect(errors[0].extensions).toMatchObject(refusal);
      input.expectedSerial = serial;
    }
    const { change: made } = await service.mutate(name, { ...input, note }, "change { note previousSerial }");
    expect(made).toMatchObject({ note, previousSerial: serial });
  });

  test("also createDomain; there is none where none is given", async () => {
    const userId = await service.user(`notes@${zone.name}`);
    const fresh = { zone: `new.${zone.name}`, userId, note: "for the fair" };
    expect((await service.mutate("createDomain", fresh, "change { note }")).change.note).toBe("for the fair");
    for (const none of [{ note: "" }, {}]) {
      const input = { zone: zone.name, add: [a(`n${none.note ?? "o"}`)], ...none };
      expect((await service.mutate("changeRecords", input, "change { note }")).change.note).toBeNull();
    }
  });

  test.each([
    ["500 characters", "x".repeat(500), undefined],
    ["501 characters", "x".repeat(501), "INVALID_VALUE"],
    ["two lines", "one\ntwo", "INVALID_VALUE"],
  ])("with a note of %s", async (_, note, code) => {
    const input = { zone: zone.name, add: [a("x")], note };
    expect(await service.refusal(mutation("changeRecords", "notices { code }"), { input })).toBe(code);
  });
});
