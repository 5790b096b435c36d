/**
 * The records of a zone while it is changed: one of each identity, one TTL for an RRset, ids that stay, and the SOA that stays.
 */
import { describe, expect, test } from "@jest/globals";
import type { ZoneEdits } from "../../../../src/zone/edit/edit-plan.ts";
import { fieldsOf, reasonsOf, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();

describe("an RRset has one TTL (RFC 2181 §5.2)", () => {
  test("the last written moves its siblings, in the same change", async () => {
    const zone = await zones.zone("a A 192.0.2.1", "a A 192.0.2.2", "a TXT other");
    const { change, removed } = await zones.add(zone, "a 300 A 192.0.2.3");
    expect(removed.map(({ type, ttl }) => [type, ttl])).toEqual([
      ["SOA", 3600],
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

  test("a record that moves to an RRset without saying a TTL takes that one's", async () => {
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

  test("one that is removed may be added again in the same change", async () => {
    const zone = await zones.zone("a A 192.0.2.1");
    const remove = [await zones.idOf(zone, "a", "A")];
    const { change } = await zones.change(zone, { remove, add: [fieldsOf("a 60 A 192.0.2.1")] });
    expect(change).not.toBeNull();
    expect(await zones.lines(zone)).toContain("a 60 A 192.0.2.1");
  });

  test("a record does not take the place of one that stays", async () => {
    const zone = await zones.zone("a A 192.0.2.1", "b A 192.0.2.1");
    const id = await zones.idOf(zone, "a", "A");
    expect(await reasonsOf(zones.change(zone, { update: [{ id, owner: "b" }] }))).toEqual([
      "DUPLICATE_RECORD update.0.owner",
    ]);
  });

  test("records swap their places in one change, and keep their ids", async () => {
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
