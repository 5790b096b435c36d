import { beforeAll, expect, test } from "@jest/globals";
import { createUser } from "../../../src/account/user.ts";
import type { RecordFields } from "../../../src/zone/edit/canonical-record.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import { createDomain } from "../../../src/zone/edit/lifecycle.ts";
import { listRecords } from "../../../src/zone/record.ts";
import { policy, testZones } from "../../setup/session.ts";

const zones = testZones();
let userId: number;
let count = 0;
beforeAll(async () => {
  userId = (await createUser(zones.session(), "owner@example.com")).id;
});

/** One record as `owner type rdata`. */
const record = (line: string): RecordFields => {
  const [owner = "", type = "", ...rdata] = line.split(" ");
  return { owner, type, rdata: rdata.join(" ") };
};
const freshZone = async (lines: readonly string[]) => {
  const zone = `z${++count}.example.com`;
  await createDomain(zones.session(), userId, zone);
  if (lines.length > 0) await changeZone(zones.session(), zone, { add: lines.map(record) });
  return zone;
};
const contents = async (zone: string) =>
  (await listRecords(zones.session(), { zone }, { first: 1000, order: "NAME" })).rows.map(
    ({ id, owner, type, ttl, rdata }) => [id, owner, type, ttl, rdata],
  );

test.each([
  ["a CNAME beside other data", ["a A 192.0.2.1"], ["a CNAME b"], "RECORD_CONFLICT", /a A 192\.0\.2\.1/],
  ["other data beside a CNAME", ["a CNAME b"], ["a TXT x"], "RECORD_CONFLICT", /a CNAME b/],
  ["a second CNAME at a name", ["a CNAME b"], ["a CNAME c"], "RECORD_CONFLICT", /cannot have c/],
  ["a second CNAME in other letter case", ["a CNAME b"], ["A CNAME c"], "RECORD_CONFLICT", /a has the CNAME/],
  ["a CNAME at the apex", [], ["@ CNAME b"], "RECORD_CONFLICT", /@ SOA|@ NS/],
  ["a CNAME at the apex spelled out", [], ["z.example.com. CNAME b"], "OUT_OF_ZONE", /not in the zone/],
  ["two CNAMEs in one change", [], ["a CNAME b", "a CNAME c"], "RECORD_CONFLICT", /cannot have/],
  ["a second DNAME at a name", ["a DNAME b"], ["a DNAME c"], "RECORD_CONFLICT", /DNAME/],
  ["a name below a DNAME", ["a DNAME b"], ["x.a A 192.0.2.1"], "RECORD_CONFLICT", /below a DNAME|lies below/],
  ["a name far below a DNAME", ["a DNAME b"], ["x.y.z.a A 192.0.2.1"], "RECORD_CONFLICT", /lies below/],
  ["a DNAME above a name", ["x.a A 192.0.2.1"], ["a DNAME b"], "RECORD_CONFLICT", /x\.a A/],
  ["a DNAME at the apex of a zone with names", [], ["@ DNAME b.example.net."], "RECORD_CONFLICT", /www CNAME/],
  ["a second SOA", [], ["@ SOA ns1 hm 9 1 1 1 1"], "RECORD_CONFLICT", /SOA/],
  ["an SOA below the apex", [], ["a SOA ns1 hm 9 1 1 1 1"], "RECORD_CONFLICT", /only at the apex/],
  ["a DS at the apex", [], [`@ DS 1 13 2 ${"ab".repeat(32)}`], "RECORD_CONFLICT", /apex/],
  ["an NS at a wildcard", [], ["* NS ns1.example.net."], "RECORD_CONFLICT", /wildcard/],
  ["an NS at a wildcard further down", [], ["*.a NS ns1.example.net."], "RECORD_CONFLICT", /wildcard/],
])("refuses %s", async (_rule, before, add, code, message) => {
  const zone = await freshZone(before as string[]);
  const stood = await contents(zone);
  const change = changeZone(zones.session(), zone, { add: (add as string[]).map(record) });
  await expect(change).rejects.toMatchObject({ code, message: expect.stringMatching(message as RegExp) });
  expect(await contents(zone)).toEqual(stood);
});

test.each([
  ["a CNAME in place of other data", ["a A 192.0.2.1"], "a", ["a CNAME b"]],
  ["data in place of a CNAME", ["a CNAME b"], "a", ["a A 192.0.2.1", "a AAAA 2001:db8::1"]],
  ["a DNAME in place of what was below it", ["x.a A 192.0.2.1"], "x.a", ["a DNAME b"]],
  ["names in place of a DNAME above them", ["a DNAME b"], "a", ["x.a A 192.0.2.1"]],
])("judges the zone after the whole change: accepts %s", async (_rule, before, owner, add) => {
  const zone = await freshZone(before as string[]);
  const { rows } = await listRecords(zones.session(), { zone, owner: owner as string }, { first: 10, order: "NAME" });
  const { change } = await changeZone(zones.session(), zone, {
    remove: rows.map(({ id }) => id),
    add: (add as string[]).map(record),
  });
  expect(change?.previousSerial).toBe((change?.serial as number) - 1);
});

test("the last NS at the apex stays, but may be replaced in one change", async () => {
  const zone = await freshZone([]);
  const { rows } = await listRecords(zones.session(), { zone, type: "NS" }, { first: 10, order: "NAME" });
  const remove = rows.map(({ id }) => id);
  await expect(changeZone(zones.session(), zone, { remove })).rejects.toMatchObject({ code: "PROTECTED_RECORD" });
  await changeZone(zones.session(), zone, { remove, add: [record("@ NS ns9.example.net.")] });
  expect((await contents(zone)).filter(([, , type]) => type === "NS").map((row) => row[4])).toEqual([
    "ns9.example.net.",
  ]);
});

test("an RRset stays small enough for one message", async () => {
  const zone = await freshZone([]);
  const strings = (at: number) => Array.from({ length: 80 }, () => `"${String(at).padEnd(255, "x")}"`).join(" ");
  const add = [1, 2, 3].map((at) => ({ owner: "big", type: "TXT", rdata: strings(at) }));
  expect((await changeZone(zones.session(), zone, { add })).added).toHaveLength(4);
  const more = changeZone(zones.session(), zone, { add: [{ owner: "big", type: "TXT", rdata: strings(4) }] });
  await expect(more).rejects.toMatchObject({ code: "RECORD_CONFLICT", message: expect.stringContaining("65,535") });
});

test("an RRset and a name stay within the limits that BIND drops a zone over, unless the operator lifts them", async () => {
  const zone = await freshZone([]);
  const rrset = Array.from({ length: 101 }, (_, at) => record(`many A 192.0.2.${at}`));
  const types = Array.from({ length: 101 }, (_, at) => record(`many TYPE${65280 + at} \\# 1 00`));
  for (const add of [rrset, types, [record("r RESINFO qnamemin"), record("r RESINFO exterr=15")]]) {
    await expect(changeZone(zones.session(), zone, { add })).rejects.toMatchObject({ code: "RECORD_CONFLICT" });
  }
  expect((await changeZone(zones.session(), zone, { add: rrset.slice(1) })).added).toHaveLength(101);
  const lifted = { ...zones.session(), policy: { ...policy, ownerLimits: { records: 0, types: 0 } } };
  expect((await changeZone(lifted, zone, { add: [...rrset.slice(0, 1), ...types] })).added).toHaveLength(103);
});

test("one TTL for an RRset: the last written moves its siblings, in the same change", async () => {
  const zone = await freshZone(["a A 192.0.2.1", "a A 192.0.2.2", "a TXT other"]);
  const { change, removed } = await changeZone(zones.session(), zone, {
    add: [{ owner: "a", type: "A", ttl: 300, rdata: "192.0.2.3" }],
  });
  expect(removed.map(({ type, ttl }) => [type, ttl])).toEqual([
    ["SOA", 3600],
    ["A", 3600],
    ["A", 3600],
  ]);
  expect((await contents(zone)).filter(([, owner]) => owner === "a").map(([, , type, ttl]) => [type, ttl])).toEqual([
    ["A", 300],
    ["A", 300],
    ["A", 300],
    ["TXT", 3600],
  ]);
  expect(change?.serial).toBe((change?.previousSerial as number) + 1);
});

test("one change may not give an RRset two TTLs", async () => {
  const zone = await freshZone([]);
  const add = [300, 600].map((ttl, at) => ({ owner: "a", type: "A", ttl, rdata: `192.0.2.${at + 1}` }));
  await expect(changeZone(zones.session(), zone, { add })).rejects.toMatchObject({
    code: "RECORD_CONFLICT",
    field: "add.1.ttl",
  });
});

test("a record without a TTL takes its RRset's", async () => {
  const zone = await freshZone([]);
  await changeZone(zones.session(), zone, { add: [{ owner: "a", type: "A", ttl: 77, rdata: "192.0.2.1" }] });
  const { records } = await changeZone(zones.session(), zone, { add: [record("a A 192.0.2.2")] });
  expect(records[0]?.ttl).toBe(77);
});

test("several refusals are reported together, each with its field", async () => {
  const zone = await freshZone([]);
  const add = [record("a A 192.0.2.256"), record("b..c A 192.0.2.1"), record("d NIX 1")];
  const error = await changeZone(zones.session(), zone, { add }).catch((refusal) => refusal);
  expect(error.reasons.map(({ code, field }: { code: string; field: string }) => [code, field])).toEqual([
    ["INVALID_RDATA", "add.0.rdata"],
    ["INVALID_NAME", "add.1.owner"],
    ["UNSUPPORTED_TYPE", "add.2.type"],
  ]);
});

test.each([
  ["a relative name with dots in RDATA", [], "a CNAME b.example.net", /became b\.example\.net\.z\d+\.example\.com\./],
  ["an MX that points at a CNAME", ["m CNAME n"], "@ MX 10 m", /points at the CNAME m/],
  ["an SRV that points at a CNAME", ["m CNAME n"], "_s._tcp SRV 1 1 1 m", /points at the CNAME m/],
  ["an NS in the zone without an address", [], "sub NS ns", /has no address/],
  ["data below a delegation", ["sub NS ns1.example.net."], "x.sub TXT hidden", /below the delegation at sub/],
])("accepts %s with a warning", async (_rule, before, line, message) => {
  const zone = await freshZone(before as string[]);
  const { warnings } = await changeZone(zones.session(), zone, { add: [record(line as string)] });
  expect(warnings).toEqual([expect.stringMatching(message as RegExp)]);
});

test("records swap their data in one change", async () => {
  const zone = await freshZone(["a A 192.0.2.1", "b A 192.0.2.1"]);
  const { rows } = await listRecords(zones.session(), { zone, type: "A" }, { first: 10, order: "NAME" });
  const update = rows.map(({ id, owner }) => ({ id, owner: owner === "a" ? "b" : "a" }));
  const { change } = await changeZone(zones.session(), zone, { update });
  expect(change?.serial).toBe((change?.previousSerial as number) + 1);
  const swapped = await listRecords(zones.session(), { zone, type: "A" }, { first: 10, order: "NAME" });
  expect(swapped.rows.map(({ id, owner }) => [id, owner])).toEqual(
    rows.toReversed().map(({ id }, at) => [id, "ab"[at]]),
  );
});

test("a record does not take the place of one that stays", async () => {
  const zone = await freshZone(["a A 192.0.2.1", "b A 192.0.2.1"]);
  const { rows } = await listRecords(zones.session(), { zone, type: "A" }, { first: 10, order: "NAME" });
  const update = rows.map(({ id }) => ({ id, owner: "b" }));
  await expect(changeZone(zones.session(), zone, { update })).rejects.toMatchObject({ code: "DUPLICATE_RECORD" });
});
