/**
 * Writing many records of a zone at once: all or none, one serial, one row of the journal.
 */
import { describe, expect, test } from "@jest/globals";
import { testZone } from "../../setup/service/graphql-zone.ts";
import { type Json, mutation, testService } from "../../setup/service/service.ts";

const service = testService();
const zone = testZone(service);

describe("many records", () => {
  const a = (owner: string, rdata = "192.0.2.1", ttl?: number) => ({
    owner,
    type: "A",
    rdata,
    ...(ttl !== undefined && { ttl }),
  });

  const nameServer = async () =>
    (await zone.read()).records.nodes.find(({ type }: Json) => type === "NS").rdata as string;

  test("are removed, updated and added by one serial and one journal row, the SOA first", async () => {
    await zone.run("changeRecords", { zone: zone.name, add: [a("old"), a("kept")] });
    const { serial } = await zone.read();
    const [old, kept] = [await zone.idOf("old", "A"), await zone.idOf("kept", "A")];
    const result = await zone.run("changeRecords", {
      zone: zone.name,
      remove: [old],
      update: [{ id: kept, rdata: "192.0.2.9" }],
      add: [a("new")],
    });
    expect(result.change).toMatchObject({ previousSerial: serial, serial: serial + 1 });
    expect(result.records.map((record: Json) => [record.owner, record.rdata])).toEqual([
      ["kept", "192.0.2.9"],
      ["new", "192.0.2.1"],
    ]);
    expect(result.records[0].id).toBe(kept);
    const data = (rows: Json[]) => rows.map(({ owner, type, rdata }) => (type === "SOA" ? "SOA" : `${owner} ${rdata}`));
    expect(data(result.removed)).toEqual(["SOA", "old 192.0.2.1", "kept 192.0.2.1"]);
    expect(data(result.added)[0]).toBe("SOA");
    expect(data(result.added).slice(1).toSorted()).toEqual(["kept 192.0.2.9", "new 192.0.2.1"]);
    const { changes } = await zone.read();
    expect(changes.nodes.at(-1)).toEqual({
      previousSerial: serial,
      serial: serial + 1,
      removed: { nodes: result.removed },
      added: { nodes: result.added },
    });
  });

  test("change nothing when one of them is bad, and every reason names its place", async () => {
    const id = await zone.idOf("www", "CNAME");
    expect(
      await zone.reasons("changeRecords", {
        zone: zone.name,
        update: [{ id, rdata: "a..b." }, { id, ttl: 60 }, { id: "1000000000999999" }],
        add: [a("fine"), a("bad", "x", -1), { owner: "c", type: "ANY", rdata: "x" }],
      }),
    ).toEqual([
      ["INVALID_RDATA", "update.0.rdata"],
      ["INVALID_VALUE", "update.1.id"],
      ["NOT_FOUND", "update.2.id"],
      ["INVALID_TTL", "add.1.ttl"],
      ["INVALID_RDATA", "add.1.rdata"],
      ["UNSUPPORTED_TYPE", "add.2.type"],
    ]);
    expect(await zone.reasons("changeRecords", { zone: zone.name, add: [a("x"), a("x")] })).toEqual([
      ["DUPLICATE_RECORD", "add.1.rdata"],
    ]);
    expect(
      await zone.reasons("changeRecords", { zone: zone.name, add: [a("x", "192.0.2.1", 60), a("x", "192.0.2.2", 90)] }),
    ).toEqual([["RECORD_CONFLICT", "add.1.ttl"]]);
    const ns = (await zone.read()).records.nodes.filter(({ type }: Json) => type === "NS");
    expect(
      await zone.reasons("changeRecords", { zone: zone.name, remove: ns.map((record: Json) => record.id) }),
    ).toEqual([["PROTECTED_RECORD", `remove.${ns.length - 1}`]]);
  });

  test("are refused with the row of each in its sentence, also where it conflicts with the zone", async () => {
    const rows = [a("fine"), a("www"), { owner: "@", type: "NS", rdata: await nameServer() }];
    const { body } = await service.graphql(mutation("changeRecords", "warnings"), {
      input: { zone: zone.name, add: rows.slice(0, 2), remove: [] },
    });
    const [conflict] = body.errors[0].extensions.details.reasons;
    expect(conflict).toMatchObject({ code: "RECORD_CONFLICT", field: "add.1.owner" });
    expect([conflict.message, body.errors[0].message]).toEqual([
      expect.stringMatching(/^add\.1: .*cannot be beside/),
      expect.stringMatching(/^add\.1: /),
    ]);
    const twice = await service.graphql(mutation("changeRecords", "warnings"), {
      input: { zone: zone.name, add: rows.toSpliced(1, 1) },
    });
    expect(twice.body.errors[0].message).toMatch(/^add\.1: The zone already holds/);
  });

  test.each([
    ["add", { add: Array.from({ length: 1001 }, (_, at) => a(`h${at}`)) }],
    ["update", { update: Array.from({ length: 1001 }, () => ({ id: "1" })) }],
    ["remove", { remove: Array.from({ length: 1001 }, () => "1") }],
  ])("are 1000 at most in a call: %s", async (field, edits) => {
    expect(await zone.reasons("changeRecords", { zone: zone.name, ...edits })).toEqual([["INVALID_VALUE", field]]);
  });

  test("may be 1000 in one change", async () => {
    const add = Array.from({ length: 1000 }, (_, at) => a(`h${at}`));
    const { records, change: made } = await zone.run("changeRecords", { zone: zone.name, add });
    expect(records.map(({ owner }: Json) => owner)).toEqual(add.map(({ owner }) => owner));
    const { added } = (await service.data(`{ change(id: "${made.id}") { added { totalCount } } }`)).change;
    expect(added.totalCount).toBe(1001);
  });

  test("are only judged in a dry run, which tells the difference", async () => {
    const before = await service.snapshot(zone.name);
    const edits = {
      zone: zone.name,
      remove: [await zone.idOf("www", "CNAME")],
      add: [a("www"), { owner: "@", type: "MX", rdata: "10 www" }],
    };
    const dry = await zone.run("changeRecords", { ...edits, dryRun: true });
    expect(await service.snapshot(zone.name)).toEqual(before);
    expect(dry).toMatchObject({ change: null, records: [] });
    const wet = await zone.run("changeRecords", edits);
    expect({ removed: wet.removed, added: wet.added, warnings: wet.warnings }).toEqual({
      removed: dry.removed,
      added: dry.added,
      warnings: dry.warnings,
    });
    expect(await zone.reasons("changeRecords", { zone: zone.name, add: [a("www")], dryRun: true })).toEqual([
      ["DUPLICATE_RECORD", "add.0.rdata"],
    ]);
  });

  test("wait for the expected serial", async () => {
    const { serial } = await zone.read();
    expect(await zone.reasons("changeRecords", { zone: zone.name, add: [a("a")], expectedSerial: serial - 1 })).toEqual(
      [["STALE_SERIAL", "expectedSerial"]],
    );
    await zone.run("changeRecords", { zone: zone.name, add: [a("a")], expectedSerial: serial });
    expect(
      await zone.reasons("updateRecord", { id: await zone.idOf("a", "A"), ttl: 60, expectedSerial: serial }),
    ).toEqual([["STALE_SERIAL", "expectedSerial"]]);
    expect(await zone.reasons("deleteRecord", { id: await zone.idOf("a", "A"), expectedSerial: serial })).toEqual([
      ["STALE_SERIAL", "expectedSerial"],
    ]);
  });

  test("name a record that one change adds twice", async () => {
    const { body } = await service.graphql(mutation("changeRecords", "warnings"), {
      input: { zone: zone.name, add: [a("twice"), a("twice")] },
    });
    expect(body.errors[0].message).toMatch(/^add\.1: The change has twice A .* twice; leave one out/);
  });

  test("wait for the preconditions", async () => {
    const change = (precondition: Json) =>
      zone.reasons("changeRecords", { zone: zone.name, add: [a("a")], preconditions: [precondition] });
    expect(await change({ owner: "www", exists: false })).toEqual([["NAME_IN_USE", "preconditions.0"]]);
    expect(await change({ owner: "www", type: "A" })).toEqual([["RRSET_MISSING", "preconditions.0"]]);
    expect(await change({ owner: "www", rdata: ["192.0.2.9"] })).toEqual([["INVALID_VALUE", "preconditions.0.rdata"]]);
    const preconditions = [{ owner: "www", type: "CNAME", rdata: [`${zone.name}.`] }];
    const { change: made } = await zone.run("changeRecords", { zone: zone.name, add: [a("a")], preconditions });
    expect(made).not.toBeNull();
  });

  test.each([
    ["no edits at all", {}],
    ["nulls and empty lists", { add: null, update: [], remove: null }],
  ])("change nothing by %s", async (_case, edits) => {
    const before = await service.snapshot(zone.name);
    expect(await zone.run("changeRecords", { zone: zone.name, ...edits })).toEqual({
      records: [],
      removed: [],
      added: [],
      change: null,
      warnings: [],
    });
    expect(await service.snapshot(zone.name)).toEqual(before);
  });
});
