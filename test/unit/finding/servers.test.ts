/** What parents and name servers answer wrongly, each beside the same servers as they should be. */
import { expect, test } from "@jest/globals";
import { Flag } from "../../../src/dns/message/header.ts";
import type { ResourceRecord } from "../../../src/dns/message/message-reader.ts";
import { parseName, zoneNameText } from "../../../src/dns/name.ts";
import { recordType } from "../../../src/dns/rdata/record-type-registry.ts";
import { CheckedZone, World } from "../../../src/finding/checked-zone.ts";
import { findingCodes } from "../../../src/finding/finding-code.ts";
import { type Ask, findingsOutside } from "../../../src/finding/outside.ts";
import { ruledRecords } from "../../setup/dns/ruled-records.ts";

const ds = "13 2 9A4C0B7CD1E1A5B0A5D9A5A8B24E4F1F7D2A7BD1C2C6B46E2AD0A9C8D7E6F5A4";
const expiring = (day: string) => `a.example RRSIG SOA 13 2 3600 ${day}000000 20261101000000 2064 a.example. AQID`;
const ns = ["a.example NS ns1.a.example.", "a.example NS ns2.c.example."];
const served = ["a.example SOA ns1.a.example. h.a.example. 5 7200 3600 1209600 3600", ...ns];
const signed = [...served, "a.example DNSKEY 257 3 13 AQID", `a.example CDS 2064 ${ds}`, expiring("20261220")];

/** What each address answers; those of a parent zone and the resolver have no zone of their own. */
const sound: Readonly<Record<string, readonly string[]>> = {
  resolver: [
    "example NS ns.parent.",
    "ns.parent A 192.0.2.1",
    "ns1.a.example A 192.0.2.2",
    "ns2.c.example AAAA 2001:db8::3",
  ],
  "192.0.2.1": [...ns, "ns1.a.example A 192.0.2.2", `a.example DS 2064 ${ds}`],
  "192.0.2.2": signed,
  "2001:db8::3": signed,
};

const without = (lines: readonly string[] | undefined, pattern: RegExp) =>
  lines?.filter((line) => !pattern.test(line)) ?? [];
const unsigned = { "192.0.2.1": without(sound["192.0.2.1"], / DS /), "192.0.2.2": served, "2001:db8::3": served };

const broken: readonly (readonly [string, string, Readonly<Record<string, readonly string[] | undefined>>])[] = [
  ["LAME_SERVER", "does not answer", { "192.0.2.2": undefined }],
  ["LAME_SERVER", "does not serve the zone", { "192.0.2.2": [] }],
  ["LAME_SERVER", "has no address", { resolver: without(sound.resolver, /^ns2/) }],
  ["PARENT_NS_DIFFER", "name servers ns1.a.example", { "192.0.2.1": without(sound["192.0.2.1"], /ns2/) }],
  ["PARENT_NS_DIFFER", "nobody finds it", { ...unsigned, "192.0.2.1": [] }],
  [
    "PARENT_GLUE_DIFFERS",
    "at 192.0.2.9",
    { "192.0.2.1": [...without(sound["192.0.2.1"], / A /), "ns1.a.example A 192.0.2.9"] },
  ],
  ["SERVER_NS_DIFFER", "192.0.2.2", { "192.0.2.2": without(signed, /NS ns2/) }],
  ["SERVER_AHEAD", "serial 7", { ...unsigned, "192.0.2.2": served.map((line) => line.replace(" 5 ", " 7 ")) }],
  ["SERVER_BEHIND", "serial 4", { ...unsigned, "192.0.2.2": served.map((line) => line.replace(" 5 ", " 4 ")) }],
  ["DS_WITHOUT_KEY", "DS of key 2064", { "192.0.2.2": served, "2001:db8::3": served }],
  ["CDS_DIFFERS", "the parent has none", { "192.0.2.1": unsigned["192.0.2.1"] }],
  ["SIGNATURE_EXPIRES", "2026-11-30", { "192.0.2.2": [...without(signed, /RRSIG/), expiring("20261130")] }],
];

const recordOf = (line: string): ResourceRecord =>
  ruledRecords("example", [line]).map(({ owner, type, ttl, wire }) => {
    return { name: parseName(`${owner}.`), type: recordType(type).code, class: 1, ttl, rdata: wire };
  })[0] as ResourceRecord;

async function foundWith(edits: Readonly<Record<string, readonly string[] | undefined>>) {
  const servers = { ...sound, ...edits };
  const ask: Ask = async ({ address }, name, type) => {
    const records = servers[address]?.map(recordOf);
    if (!records) return undefined;
    const isParent = address === "192.0.2.1";
    const asked = records.filter((each) => zoneNameText(each.name) === zoneNameText(name));
    const isReferral = isParent && type === recordType("NS").code;
    const answers = asked.filter((each) => each.type === type || each.type === recordType("RRSIG").code);
    return {
      ...{ id: 0, opcode: 0, rcode: 0, questions: [], edns: undefined, tsig: undefined, tsigAt: 0 },
      // A referral is not authoritative, and a server without the zone neither.
      flags: (isParent ? asked.length > 0 : records.length === 0) ? 0 : Flag.AA,
      answers: isReferral ? [] : answers,
      authority: isReferral ? answers : [],
      additional: isReferral ? records.filter((each) => each.type === recordType("A").code) : [],
    };
  };
  const lines = [...served.map((line) => line.replace("a.example ", "@ ")), "ns1 A 192.0.2.2"];
  const records = ruledRecords("a.example", lines);
  const now = new Date("2026-11-28T12:00:00Z");
  const about = { zone: "a.example", userId: null, serial: 5, ignored: new Set<string>() };
  const zone = new CheckedZone(about, records, new World({ now, secondaries: [], acmeKeys: [] }));
  return findingsOutside(zone, {
    resolver: { address: "resolver", port: 53 },
    ask,
    changedAt: () => new Date("2026-11-28T08:00:00Z"),
    mayAsk: () => true,
    now,
    port: 53,
  });
}

test("servers that are as they should be have no finding, signed or not", async () => {
  expect(await foundWith({})).toEqual([]);
  expect(await foundWith(unsigned)).toEqual([]);
});

test.each(broken)("%s: %s", async (code, part, edits) => {
  const found = await foundWith(edits);
  expect(found.map((each) => each.code)).toEqual([code]);
  expect(found[0]?.message).toContain(part);
});

test("every finding of servers has a case", () => {
  const ofServers = Object.keys(findingCodes).filter((code) =>
    /^(LAME_SERVER|PARENT_|SERVER_|SIGNATURE_|CDS_)/.test(code),
  );
  expect(ofServers.filter((code) => !broken.some(([each]) => each === code))).toEqual([]);
});
