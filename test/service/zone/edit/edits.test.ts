/**
 * Edits of a zone: their preconditions, how a partial edit is completed from its record, and the invariants of the records: unique
 * identities, one TTL for an RRset, stable ids, and a permanent SOA.
 */
import { describe, expect, test } from "@jest/globals";
import type { ZoneEdits } from "../../../../src/zone/edit/edit-plan.ts";
import type { PreconditionFields } from "../../../../src/zone/edit/precondition.ts";
import { fieldsOf, reasonsOf, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();
const add = [fieldsOf("new A 192.0.2.9")];

describe("the expected serial", () => {
  test.each([2026112100, 2026112102, 1])(
    "refuses a change of a zone that is not at %d, and tells where it is",
    async (expectedSerial) => {
      const zone = await zones.zone();
      const before = await zones.state(zone);
      await expect(zones.change(zone, { add }, { expectedSerial })).rejects.toMatchObject({
        code: "STALE_SERIAL",
        field: "expectedSerial",
        details: { serial: 2026112101 },
      });
      expect(await zones.state(zone)).toEqual(before);
      expect((await zones.change(zone, { add }, { expectedSerial: 2026112101 })).change?.serial).toBe(2026112102);
    },
  );

  test("is checked before the edits are read", async () => {
    const bad = { add: [fieldsOf("a A x")] };
    const refused = zones.change(await zones.zone(), bad, { expectedSerial: 1 });
    expect(await reasonsOf(refused)).toEqual(["STALE_SERIAL expectedSerial"]);
  });
});

describe("a precondition (RFC 2136 §2.4)", () => {
  const stored = ["a A 192.0.2.1", "a A 192.0.2.2", "c CNAME Target.example.net.", "deep.er A 192.0.2.1"];
  const change = async (precondition: PreconditionFields) =>
    zones.change(await zones.zone(...stored), { add }, { preconditions: [precondition] });

  // test/service/zone/dynamic-update/apply.test.ts has every rule of it.
  test("holds in any spelling of names and data, whether it says that something exists or leaves that out", async () => {
    for (const precondition of [
      { owner: "DEEP.er", exists: true, type: null },
      { owner: "a", type: "a" },
      { owner: "c", type: "CNAME", rdata: ["TARGET.EXAMPLE.net."] },
    ])
      expect((await change(precondition)).change?.kind).toBe("EDIT");
  });

  test.each<[rule: string, PreconditionFields, code: string]>([
    ["a name is free", { owner: "b" }, "NAME_NOT_IN_USE"],
    ["a name is in use", { owner: "a", exists: false }, "NAME_IN_USE"],
    ["an RRset does not exist", { owner: "a", type: "TXT" }, "RRSET_MISSING"],
    ["an RRset exists", { owner: "a", type: "A", exists: false }, "RRSET_EXISTS"],
    ["an RRset has other data", { owner: "deep.er", type: "A", rdata: ["192.0.2.9"] }, "RRSET_MISSING"],
  ])("does not hold: %s", async (_rule, precondition, code) => {
    expect(await reasonsOf(change(precondition))).toEqual([`${code} preconditions.0`]);
  });

  test.each<[rule: string, PreconditionFields, code: string, field: string]>([
    ["data without a type", { owner: "a", rdata: ["192.0.2.1"] }, "INVALID_VALUE", "rdata"],
    [
      "data that must not exist",
      { owner: "a", type: "A", exists: false, rdata: ["192.0.2.1"] },
      "INVALID_VALUE",
      "rdata",
    ],
    ["an empty list of data", { owner: "a", type: "A", rdata: [] }, "INVALID_VALUE", "rdata"],
    ["data of another form", { owner: "a", type: "A", rdata: ["x"] }, "INVALID_RDATA", "rdata"],
    ["an owner that is no name", { owner: "a..b" }, "INVALID_NAME", "owner"],
    ["an owner outside the zone", { owner: "a.example.net." }, "OUT_OF_ZONE", "owner"],
    ["a type that is none", { owner: "a", type: "NONSENSE" }, "UNSUPPORTED_TYPE", "type"],
  ])("is malformed with %s", async (_rule, precondition, code, field) => {
    expect(await reasonsOf(change(precondition))).toEqual([`${code} preconditions.0.${field}`]);
  });

  test("that fails first is reported, with the present records", async () => {
    const preconditions = [{ owner: "a" }, { owner: "a", type: "A", exists: false }, { owner: "b" }];
    await expect(zones.change(await zones.zone(...stored), { add }, { preconditions })).rejects.toMatchObject({
      code: "RRSET_EXISTS",
      message: expect.stringContaining("192.0.2.1"),
    });
  });

  test("is checked on the zone before the change", async () => {
    const zone = await zones.zone();
    const preconditions = [{ owner: "new", exists: false }];
    expect((await zones.change(zone, { add }, { preconditions })).change).not.toBeNull();
    const again = zones.change(zone, { add: [fieldsOf("new A 192.0.2.8")] }, { preconditions });
    expect(await reasonsOf(again)).toEqual(["NAME_IN_USE preconditions.0"]);
  });
});

describe("an edit of some fields", () => {
  test.each([
    [{ owner: "b" }, "b 77 MX 10 mail.example.net."],
    [{ ttl: 60 }, "a 60 MX 10 mail.example.net."],
    [{ rdata: "20 mail.example.net." }, "a 77 MX 20 mail.example.net."],
    [{ type: "TXT", rdata: "x" }, 'a 77 TXT "x"'],
    [{ owner: "@", ttl: 0 }, "@ 0 MX 10 mail.example.net."],
  ])("%j leaves the others as they are", async (edit, line) => {
    const zone = await zones.zone();
    await zones.add(zone, "a 77 MX 10 mail.example.net.");
    const id = await zones.idOf(zone, "a", "MX");
    const { records } = await zones.change(zone, { update: [{ id, ...edit }] });
    expect(records.map(({ owner, ttl, type, rdata }) => `${owner} ${ttl} ${type} ${rdata}`)).toEqual([line]);
    expect(records[0]?.id).toBe(id);
  });

  test("keeps an owner that looks like the zone's own name", async () => {
    const zone = await zones.zone();
    await zones.add(zone, `${zone}.${zone}. A 192.0.2.1`);
    const id = await zones.idOf(zone, zone, "A");
    const { records } = await zones.change(zone, { update: [{ id, rdata: "192.0.2.2" }] });
    expect(records).toMatchObject([{ owner: zone, rdata: "192.0.2.2" }]);
  });

  test("keeps data that would be invalid for another type", async () => {
    const zone = await zones.zone("a A 192.0.2.1");
    const id = await zones.idOf(zone, "a", "A");
    expect(await reasonsOf(zones.change(zone, { update: [{ id, type: "MX" }] }))).toEqual([
      "INVALID_RDATA update.0.type",
    ]);
  });
});

test.each([
  ["of another zone", async () => zones.idOf(await zones.zone(), "www", "CNAME")],
  ["that never was", async () => 1],
])("a record %s is not found, whether it is removed or updated", async (_which, idOf) => {
  const [zone, id] = [await zones.zone(), await idOf()];
  expect(await reasonsOf(zones.change(zone, { remove: [id] }))).toEqual(["NOT_FOUND remove.0"]);
  expect(await reasonsOf(zones.change(zone, { update: [{ id, ttl: 60 }] }))).toEqual(["NOT_FOUND update.0.recordId"]);
});

test("a record is removed or updated once in a change", async () => {
  const zone = await zones.zone("a A 192.0.2.1");
  const id = await zones.idOf(zone, "a", "A");
  const refused = async (edits: ZoneEdits) => reasonsOf(zones.change(zone, edits));
  expect(await refused({ remove: [id, id] })).toEqual(["INVALID_VALUE remove.1"]);
  expect(await refused({ update: [60, 90].map((ttl) => ({ id, ttl })) })).toEqual(["INVALID_VALUE update.1.recordId"]);
  expect(await refused({ remove: [id], update: [{ id, ttl: 60 }] })).toEqual(["INVALID_VALUE update.0.recordId"]);
});

describe("an RRset has one TTL (RFC 2181 §5.2)", () => {
  test("the last written TTL applies to its siblings, in the same change", async () => {
    const zone = await zones.zone("a A 192.0.2.1", "a A 192.0.2.2", "a TXT other");
    const { change, removed } = await zones.add(zone, "a 300 A 192.0.2.3");
    expect(removed.map(({ type, ttl }) => [type, ttl])).toEqual([
      ["A", 3600],
      ["A", 3600],
    ]);
    expect(await zones.lines(zone, /^a /)).toEqual([
      "a 300 A 192.0.2.1",
      "a 300 A 192.0.2.2",
      "a 300 A 192.0.2.3",
      'a 3600 TXT "other"',
    ]);
    expect(change?.serial).toBe((change?.previousSerial as number) + 1);
  });

  test("one change may not give it two", async () => {
    const refused = zones.change(await zones.zone(), {
      add: [fieldsOf("a 300 A 192.0.2.1"), fieldsOf("a 600 A 192.0.2.2")],
    });
    expect(await reasonsOf(refused)).toEqual(["RECORD_CONFLICT add.1.ttl"]);
  });

  test("a record without a TTL takes its RRset's, and without an RRset the operator's default", async () => {
    const zone = await zones.zone();
    await zones.add(zone, "a 77 A 192.0.2.1");
    const { records } = await zones.add(zone, "a A 192.0.2.2", "b A 192.0.2.1");
    expect(records.map(({ ttl }) => ttl)).toEqual([77, 3600]);
  });

  test("a record that moves to an RRset without a TTL takes the TTL of that RRset", async () => {
    const zone = await zones.zone("b A 192.0.2.1");
    await zones.add(zone, "a 77 A 192.0.2.1");
    const id = await zones.idOf(zone, "b", "A");
    const { records } = await zones.change(zone, { update: [{ id, owner: "a", rdata: "192.0.2.2" }] });
    expect(records).toMatchObject([{ id, owner: "a", ttl: 77 }]);
  });
});

describe("the zone holds a record once", () => {
  test.each([
    ["the same", "a MX 10 mail.example.net."],
    ["in another spelling and letter case", "A.{zone}. TYPE15 010 MAIL.Example.NET."],
  ])("a second one is refused: %s", async (_how, line) => {
    const zone = await zones.zone("a MX 10 mail.example.net.");
    expect(await reasonsOf(zones.add(zone, line.replace("{zone}", zone)))).toEqual(["DUPLICATE_RECORD add.0.rdata"]);
  });

  test("also within one change, and whatever its TTL", async () => {
    expect(await reasonsOf(zones.add(await zones.zone(), "x A 192.0.2.1", "x A 192.0.2.1"))).toEqual([
      "DUPLICATE_RECORD add.1.rdata",
    ]);
    const refused = zones.add(await zones.zone("a A 192.0.2.1"), "a 60 A 192.0.2.1");
    expect(await reasonsOf(refused)).toEqual(["DUPLICATE_RECORD add.0.rdata"]);
  });

  test("a removed record may be added again in the same change", async () => {
    const zone = await zones.zone("a A 192.0.2.1");
    const remove = [await zones.idOf(zone, "a", "A")];
    const { change } = await zones.change(zone, { remove, add: [fieldsOf("a 60 A 192.0.2.1")] });
    expect(change).not.toBeNull();
    expect(await zones.lines(zone)).toContain("a 60 A 192.0.2.1");
  });

  test("a record cannot become equal to a record that stays", async () => {
    const zone = await zones.zone("a A 192.0.2.1", "b A 192.0.2.1");
    const id = await zones.idOf(zone, "a", "A");
    expect(await reasonsOf(zones.change(zone, { update: [{ id, owner: "b" }] }))).toEqual([
      "DUPLICATE_RECORD update.0.owner",
    ]);
  });

  test("two records exchange their content in one change, and keep their ids", async () => {
    const zone = await zones.zone("a A 192.0.2.1", "b A 192.0.2.1");
    const [one, two] = [await zones.idOf(zone, "a", "A"), await zones.idOf(zone, "b", "A")];
    const { change } = await zones.change(zone, {
      update: [
        { id: one, owner: "b" },
        { id: two, owner: "a" },
      ],
    });
    expect(change?.serial).toBe((change?.previousSerial as number) + 1);
    expect([await zones.idOf(zone, "b", "A"), await zones.idOf(zone, "a", "A")]).toEqual([one, two]);
  });
});

describe("the SOA stays", () => {
  test("it is not removed, moved, or turned into another record", async () => {
    const zone = await zones.zone();
    const before = await zones.state(zone);
    const id = await zones.idOf(zone, "@", "SOA");
    const reasons = async (edits: ZoneEdits) => reasonsOf(zones.change(zone, edits));
    expect(await reasons({ remove: [id] })).toEqual(["PROTECTED_RECORD remove.0"]);
    expect(await reasons({ update: [{ id, type: "TXT", rdata: "x" }] })).toEqual(["PROTECTED_RECORD update.0.type"]);
    const moved = { id, owner: "sub", rdata: "a. b. 2030010101 1 1 1 1" };
    expect((await reasons({ update: [moved] }))[0]).toMatch(/^RECORD_CONFLICT/);
    expect(await zones.state(zone)).toEqual(before);
  });

  test("and no record is turned into one", async () => {
    const zone = await zones.zone("a A 192.0.2.1");
    const update = [{ id: await zones.idOf(zone, "a", "A"), type: "SOA", rdata: "a. b. 2030010101 1 1 1 1" }];
    expect(await reasonsOf(zones.change(zone, { update }))).toEqual(["PROTECTED_RECORD update.0.type"]);
  });

  test("an edit that leaves its data gets the next serial", async () => {
    const zone = await zones.zone();
    const id = await zones.idOf(zone, "@", "SOA");
    const { change, records } = await zones.change(zone, { update: [{ id, ttl: 90 }] });
    expect(change).toMatchObject({ previousSerial: 2026112101, serial: 2026112102 });
    expect(records).toMatchObject([{ id, type: "SOA", ttl: 90, rdata: expect.stringContaining(" 2026112102 ") }]);
    expect((await zones.change(zone, { update: [{ id, ttl: 90 }] })).change).toBeNull();
  });

  test.each([
    [2026112101, 2036112101, true],
    [2026112101, 2036112102, false],
    [2026112101, 4000000000, false],
    [4290000000, 5032704, true],
    [4290000000, 5032705, false],
  ])("an edit of its serial from %i to %i is near enough: %s; with force it always is", async (from, to, isNear) => {
    const zone = await zones.zone();
    const id = await zones.idOf(zone, "@", "SOA");
    const edit = (serial: number) => ({ update: [{ id, rdata: `a.example.net. b.example.net. ${serial} 1 2 3 4` }] });
    const way = from === 2026112101 ? [] : [4000000000, from];
    for (const serial of way) await zones.change(zone, edit(serial), { force: true });
    const before = await zones.state(zone);
    const attempt = zones.change(zone, edit(to));
    if (isNear) return expect((await attempt).change?.serial).toBe(to);
    expect(await reasonsOf(attempt)).toEqual(["SERIAL_LEAP update.0.rdata"]);
    expect(await zones.state(zone)).toEqual(before);
    expect((await zones.change(zone, edit(to), { force: true })).change?.serial).toBe(to);
  });
});
