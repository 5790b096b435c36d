/**
 * Plans: the terms under which edits are made, and how an edit of some fields is completed from the record that it edits.
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

  test.each<[rule: string, PreconditionFields]>([
    ["a name is in use", { owner: "a" }],
    ["a name is in use, in any spelling", { owner: "DEEP.er", exists: true, type: null }],
    ["a name is free", { owner: "b", exists: false }],
    ["a name that only has names below it is free", { owner: "er", exists: false }],
    ["an RRset exists", { owner: "a", type: "a" }],
    ["an RRset exists with these data, in any order", { owner: "a", type: "A", rdata: ["192.0.2.2", "192.0.2.1"] }],
    ["equal data may be spelled otherwise", { owner: "c", type: "CNAME", rdata: ["TARGET.EXAMPLE.net."] }],
    ["an RRset does not exist", { owner: "a", type: "AAAA", exists: false }],
    ["an RRset of a free name does not exist", { owner: "b", type: "A", exists: false }],
  ])("holds: %s", async (_rule, precondition) => {
    expect((await change(precondition)).change?.kind).toBe("EDIT");
  });

  test.each<[rule: string, PreconditionFields, code: string]>([
    ["a name is free", { owner: "b" }, "NAME_NOT_IN_USE"],
    ["a name only has names below it", { owner: "er" }, "NAME_NOT_IN_USE"],
    ["a name is in use", { owner: "a", exists: false }, "NAME_IN_USE"],
    ["an RRset does not exist", { owner: "a", type: "TXT" }, "RRSET_MISSING"],
    ["an RRset exists", { owner: "a", type: "A", exists: false }, "RRSET_EXISTS"],
    ["an RRset has more data", { owner: "a", type: "A", rdata: ["192.0.2.1"] }, "RRSET_MISSING"],
    ["an RRset has fewer data", { owner: "deep.er", type: "A", rdata: ["192.0.2.1", "192.0.2.2"] }, "RRSET_MISSING"],
    ["an RRset has other data", { owner: "deep.er", type: "A", rdata: ["192.0.2.9"] }, "RRSET_MISSING"],
    ["there is no RRset that could have data", { owner: "b", type: "A", rdata: ["192.0.2.9"] }, "RRSET_MISSING"],
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

  test("that fails first is the one that is reported, with what stands there", async () => {
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

  test("keeps data that would be no data of another type", async () => {
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
  expect(await reasonsOf(zones.change(zone, { update: [{ id, ttl: 60 }] }))).toEqual(["NOT_FOUND update.0.id"]);
});

test("a record is removed or updated once in a change", async () => {
  const zone = await zones.zone("a A 192.0.2.1");
  const id = await zones.idOf(zone, "a", "A");
  const refused = async (edits: ZoneEdits) => reasonsOf(zones.change(zone, edits));
  expect(await refused({ remove: [id, id] })).toEqual(["INVALID_VALUE remove.1"]);
  expect(await refused({ update: [60, 90].map((ttl) => ({ id, ttl })) })).toEqual(["INVALID_VALUE update.1.id"]);
  expect(await refused({ remove: [id], update: [{ id, ttl: 60 }] })).toEqual(["INVALID_VALUE update.0.id"]);
});
