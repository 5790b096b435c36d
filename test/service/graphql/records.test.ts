/**
 * Writing records one at a time: what is answered, what is stored, and what refusals say and leave alone.
 */
import { describe, expect, test } from "@jest/globals";
import { testZone } from "../../setup/service/graphql-zone.ts";
import { type Json, testService } from "../../setup/service/service.ts";

const service = testService();
const zone = testZone(service);

describe("one record", () => {
  test("is created, edited and deleted, each by one change with the next serial", async () => {
    const { serial } = await zone.read();
    const created = await zone.run("createRecord", {
      zone: zone.name.toUpperCase(),
      owner: `Www2.${zone.name}.`,
      type: "a",
      rdata: "192.0.2.1",
    });
    expect(created).toEqual({
      record: {
        id: expect.stringMatching(/^[1-9]\d{15}$/),
        zone: zone.name,
        owner: "www2",
        type: "A",
        ttl: 3600,
        rdata: "192.0.2.1",
        domain: { serial: serial + 1 },
      },
      change: {
        id: expect.stringMatching(/^[1-9]\d{15}$/),
        kind: "EDIT",
        previousSerial: serial,
        serial: serial + 1,
        actor: expect.stringMatching(/^administrator \([0-9a-f]{8}\)$/),
        door: "GRAPHQL",
      },
      warnings: [],
    });
    const { id } = created.record;
    const edited = await zone.run("updateRecord", { id, owner: "@", ttl: 0 });
    expect(edited.record).toEqual({
      id,
      zone: zone.name,
      owner: "@",
      type: "A",
      ttl: 0,
      rdata: "192.0.2.1",
      domain: { serial: serial + 2 },
    });
    const deleted = await zone.run("deleteRecord", { id });
    expect(deleted).toMatchObject({ deletedId: id, change: { previousSerial: serial + 2, serial: serial + 3 } });
    expect((await zone.read()).records.nodes).toHaveLength(4);
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

  test.each([
    ["the same content", {}],
    ["the same data in another spelling", { owner: "WWW", type: "cname", rdata: "@" }],
    ["nulls, which leave fields as they are", { owner: null, type: null, ttl: null, rdata: null, zone: null }],
  ])("does not move by an edit to %s", async (_case, edit: Json) => {
    const id = await zone.idOf("www", "CNAME");
    const before = await service.snapshot(zone.name);
    const { change: none, record } = await zone.run("updateRecord", { ...edit, id });
    expect(none).toBeNull();
    expect(record).toMatchObject({ id, owner: "www", type: "CNAME", ttl: 3600, rdata: `${zone.name}.` });
    expect(await service.snapshot(zone.name)).toEqual(before);
  });

  test.each([
    [
      "a record that exists",
      { owner: "www", type: "CNAME", rdata: "WWW.example.net." },
      [["RECORD_CONFLICT", "owner"]],
    ],
    ["data of another form", { owner: "a", type: "A", rdata: "192.0.2" }, [["INVALID_RDATA", "rdata"]]],
    ["an owner outside", { owner: "a.example.net.", type: "A", rdata: "192.0.2.1" }, [["OUT_OF_ZONE", "owner"]]],
    ["an unknown type", { owner: "a", type: "NONSENSE", rdata: "x" }, [["UNSUPPORTED_TYPE", "type"]]],
    ["a negative TTL", { owner: "a", type: "A", ttl: -1, rdata: "192.0.2.1" }, [["INVALID_TTL", "ttl"]]],
    [
      "everything wrong at once",
      { owner: "a..b", type: "A", ttl: -1, rdata: "x" },
      [
        ["INVALID_NAME", "owner"],
        ["INVALID_TTL", "ttl"],
        ["INVALID_RDATA", "rdata"],
      ],
    ],
    [
      "another expected serial",
      { owner: "a", type: "A", rdata: "192.0.2.1", expectedSerial: 1 },
      [["STALE_SERIAL", "expectedSerial"]],
    ],
  ])("is refused with %s, and nothing moves", async (_case, input, expected) => {
    expect(await zone.reasons("createRecord", { zone: zone.name, ...input })).toEqual(expected);
  });

  test("keeps its zone, and the SOA and the last name server stay", async () => {
    const id = await zone.idOf("www", "CNAME");
    expect(await zone.reasons("updateRecord", { id, zone: "other.example.com" })).toEqual([["INVALID_VALUE", "zone"]]);
    expect(await zone.reasons("updateRecord", { id, type: "SOA" })).toEqual([["INVALID_RDATA", "type"]]);
    expect(await zone.reasons("deleteRecord", { id: await zone.idOf("@", "SOA") })).toEqual([
      ["PROTECTED_RECORD", "id"],
    ]);
    await zone.run("deleteRecord", { id: await zone.idOf("@", "NS") });
    expect(await zone.reasons("deleteRecord", { id: await zone.idOf("@", "NS") })).toEqual([
      ["PROTECTED_RECORD", "id"],
    ]);
    expect(await zone.reasons("deleteRecord", { id: "1" })).toEqual([["NOT_FOUND", "id"]]);
    expect(await zone.reasons("deleteRecord", { id: "9".repeat(30) })).toEqual([["INVALID_VALUE", "id"]]);
  });

  test.each([
    ["a target that is a CNAME", { owner: "@", type: "MX", rdata: "10 www" }, ["points at the CNAME www"]],
    ["a name server in the zone without an address", { owner: "sub", type: "NS", rdata: "ns" }, ["no address"]],
  ])("is accepted with a warning: %s", async (_case, input, says) => {
    const { change: made, warnings } = await zone.run("createRecord", { zone: zone.name, ...input });
    expect(made).not.toBeNull();
    expect(warnings).toEqual(says.map((text) => expect.stringContaining(text)));
  });
});
