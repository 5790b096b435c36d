/** The rules that a zone must keep, checked on the zone as it would be after the whole change. */
import { expect, test } from "@jest/globals";
import { changeZone } from "../../../../src/zone/edit/change-zone.ts";
import { messagesOf } from "../../../setup/zones/messages.ts";
import { policy, fieldsOf as record, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();
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
])("refuses %s", async (_rule, stored, add, code, message) => {
  const zone = await zones.zone(...(stored as string[]));
  const before = await zones.state(zone);
  const change = zones.change(zone, { add: (add as string[]).map(record) });
  await expect(change).rejects.toMatchObject({ code, message: expect.stringMatching(message as RegExp) });
  expect(await zones.state(zone)).toEqual(before);
});

test("a refusal beside a CNAME names the id of the record that is stored", async () => {
  const zone = await zones.zone();
  const { id } = (await zones.records(zone)).find(({ owner }) => owner === "www") as { id: number };
  const added = zones.change(zone, { add: [record("www A 192.0.2.1")] });
  const message = new RegExp(`www CNAME \\S+ \\(id ${id}\\) cannot be beside www A 192\\.0\\.2\\.1; remove one`);
  await expect(added).rejects.toMatchObject({ message: expect.stringMatching(message) });
  await zones.change(zone, { remove: [id], add: [record("www A 192.0.2.1")] });
});

test.each([
  ["a CNAME in place of other data", ["a A 192.0.2.1"], "a", ["a CNAME b"]],
  ["data in place of a CNAME", ["a CNAME b"], "a", ["a A 192.0.2.1", "a AAAA 2001:db8::1"]],
  ["a DNAME in place of what was below it", ["x.a A 192.0.2.1"], "x.a", ["a DNAME b"]],
  ["names in place of a DNAME above them", ["a DNAME b"], "a", ["x.a A 192.0.2.1"]],
])("judges the zone after the whole change: accepts %s", async (_rule, before, owner, add) => {
  const zone = await zones.zone(...(before as string[]));
  const rows = (await zones.records(zone)).filter((each) => each.owner === owner);
  const { change } = await zones.change(zone, {
    remove: rows.map(({ id }) => id),
    add: (add as string[]).map(record),
  });
  expect(change?.previousSerial).toBe((change?.serial as number) - 1);
});

test("the last NS at the apex stays, but may be replaced in one change", async () => {
  const zone = await zones.zone();
  const rows = (await zones.records(zone)).filter(({ type }) => type === "NS");
  const remove = rows.map(({ id }) => id);
  await expect(zones.change(zone, { remove })).rejects.toMatchObject({ code: "PROTECTED_RECORD" });
  await zones.change(zone, { remove, add: [record("@ NS ns9.example.net.")] });
  expect(await zones.lines(zone, / NS /)).toEqual(["@ 3600 NS ns9.example.net."]);
});

test("an RRset stays small enough for one message", async () => {
  const zone = await zones.zone();
  const strings = (at: number) => Array.from({ length: 80 }, () => `"${String(at).padEnd(255, "x")}"`).join(" ");
  const add = [1, 2, 3].map((at) => ({ owner: "big", type: "TXT", rdata: strings(at) }));
  expect((await zones.change(zone, { add })).added).toHaveLength(3);
  const more = zones.change(zone, { add: [{ owner: "big", type: "TXT", rdata: strings(4) }] });
  await expect(more).rejects.toMatchObject({ code: "RECORD_CONFLICT", message: expect.stringContaining("65,535") });
});

test("an RRset and a name stay within the limits above which BIND drops a zone, unless the operator lifts them", async () => {
  const zone = await zones.zone();
  const rrset = Array.from({ length: 101 }, (_, at) => record(`many A 192.0.2.${at}`));
  const types = Array.from({ length: 101 }, (_, at) => record(`many TYPE${65280 + at} \\# 1 00`));
  for (const add of [rrset, types, [record("r RESINFO qnamemin"), record("r RESINFO exterr=15")]]) {
    await expect(zones.change(zone, { add })).rejects.toMatchObject({ code: "RECORD_CONFLICT" });
  }
  expect((await zones.change(zone, { add: rrset.slice(1) })).added).toHaveLength(100);
  const lifted = { ...zones.session(), policy: { ...policy, ownerLimits: { records: 0, types: 0 } } };
  expect((await changeZone(lifted, zone, { add: [...rrset.slice(0, 1), ...types] })).added).toHaveLength(102);
});

test.each([
  ["an MX that points at a CNAME", ["m CNAME n"], "@ MX 10 m", /points at the CNAME m/],
  ["an SRV that points at a CNAME", ["m CNAME n"], "_s._tcp SRV 1 1 1 m", /points at the CNAME m/],
  ["an NS in the zone without an address", [], "sub NS ns", /has no address/],
  ["an MX in the zone without an address", [], "@ MX 10 mail", /names a host in this zone that has no address/],
  ["an SRV in the zone without an address", [], "_s._tcp SRV 1 1 1 host", /add an A or AAAA record at host/],
  ["an address as a mail server", [], "@ MX 10 192.0.2.1.", /points at 192\.0\.2\.1, an address; write the name/],
  ["an address as a target", [], "w CNAME 192.0.2.1.", /points at 192\.0\.2\.1, an address/],
  ["a second SPF policy", ["@ TXT v=spf1 -all"], '@ TXT "v=spf1 mx -all"', /several SPF policies/],
  ["data below a delegation", ["sub NS ns1.example.net."], "x.sub TXT hidden", /below the delegation at sub/],
])("accepts %s with a warning", async (_rule, before, line, message) => {
  const zone = await zones.zone(...(before as string[]));
  const changed = await zones.change(zone, { add: [record(line as string)] });
  expect(messagesOf(changed)).toEqual([expect.stringMatching(message as RegExp)]);
});
