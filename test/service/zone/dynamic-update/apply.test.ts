/**
 * Dynamic updates on sessions: RFC 2136 §3 as a table of the zone before, the update, the rcode of the refusal if any, and the zone after;
 * and the scope of keys. test/service/nameserver/dynamic-update.test.ts sends some of it over the wire.
 */
import { describe, expect, test } from "@jest/globals";
import type { TsigScope } from "../../../../src/account/tsig-scope.ts";
import { readMessage } from "../../../../src/dns/message/message-reader.ts";
import { codes } from "../../../../src/error-codes.ts";
import { Refusal } from "../../../../src/errors.ts";
import { applyUpdate } from "../../../../src/zone/dynamic-update/apply.ts";
import { updateMessage } from "../../../setup/dns/update-client.ts";
import { fieldsOf, refusalOf, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();
/** A key of the zones' user without any bound. */
const unbound = { zones: null, owners: null, types: null };
const anyKey = (): TsigScope => ({ name: "k.example.com", userId: zones.userId, ...unbound });
const update = (zone: string, lines: readonly string[], key = anyKey()) =>
  applyUpdate({ ...zones.session(), source: "update" }, key, readMessage(updateMessage(zone, lines)));
const rcodeOf = (applied: Promise<unknown>) =>
  applied.then(
    () => "NOERROR",
    (error: unknown) => {
      if (error instanceof Refusal) return codes[error.code].rcode;
      throw error;
    },
  );

/** A zone with two NS and these records, each as `owner ttl type rdata`. */
async function zoneOf(lines: readonly string[]): Promise<string> {
  const zone = await zones.zone();
  await zones.change(zone, { remove: [await zones.idOf(zone, "www", "CNAME")], add: lines.map(fieldsOf) });
  return zone;
}

const ns = ["@ 3600 NS ns1.example.net.", "@ 3600 NS ns2.example.net."];
const a1 = "a 300 A 192.0.2.1";
const a2 = "a 300 A 192.0.2.2";
const text = 'a 300 TXT "x"';
const alias = "c 300 CNAME a.example.net.";

/** Before, the message, and what is there after it, or the answer when that is what was there before. */
type Line = readonly [
  rule: string,
  before: readonly string[],
  asked: readonly string[],
  end: readonly string[] | string,
];

const prerequisites: readonly Line[] = [
  ["§2.4.1 an RRset exists", [a1], ["yxrrset a A", "add b 300 A 192.0.2.9"], [a1, "b 300 A 192.0.2.9"]],
  ["§2.4.1 an RRset of that type does not", [a1], ["yxrrset a AAAA", "del a"], "NXRRSET"],
  ["§2.4.1 an RRset of that name does not", [a1], ["yxrrset b A", "del a"], "NXRRSET"],
  ["§2.4.2 an RRset has these data", [a1], ["yxrrset a A 192.0.2.1", "del a A"], []],
  ["§2.4.2 all of them, in any order", [a1, a2], ["yxrrset a A 192.0.2.2", "yxrrset a A 192.0.2.1", "del a"], []],
  ["§2.4.2 it has more", [a1, a2], ["yxrrset a A 192.0.2.1", "del a"], "NXRRSET"],
  ["§2.4.2 it has fewer", [a1], ["yxrrset a A 192.0.2.1", "yxrrset a A 192.0.2.2", "del a"], "NXRRSET"],
  ["§2.4.2 it has others", [a1], ["yxrrset a A 192.0.2.2", "del a"], "NXRRSET"],
  ["§2.4.2 it does not exist", [], ["yxrrset a A 192.0.2.2", "del a"], "NXRRSET"],
  ["§2.4.2 the case of names does not count", [alias], ["yxrrset C CNAME A.EXAMPLE.net.", "del c"], []],
  ["§2.4.3 no such RRset exists", [a1], ["nxrrset a AAAA", "del a"], []],
  ["§2.4.3 but it does", [a1], ["nxrrset a A", "del a"], "YXRRSET"],
  ["§2.4.4 a name is in use", [a1], ["yxdomain a", "del a"], []],
  ["§2.4.4 a name is not", [a1], ["yxdomain b", "del a"], "NXDOMAIN"],
  [
    "§2.4.4 a name that only has names below is not in use",
    ["x.y 300 A 192.0.2.1"],
    ["yxdomain y", "del x.y"],
    "NXDOMAIN",
  ],
  ["§2.4.5 a name is free", [a1], ["nxdomain b", "del a"], []],
  ["§2.4.5 but it is in use", [a1], ["nxdomain a", "del a"], "YXDOMAIN"],
  ["§3.2 the first that fails is told", [a1], ["nxdomain a", "yxrrset b A", "del a"], "YXDOMAIN"],
  ["§3.2 they are judged on the zone before the update", [], ["nxrrset a A", "add a 300 A 192.0.2.1"], [a1]],
  ["§3.2 prerequisites alone", [a1], ["yxdomain a"], "NOERROR"],
];

const updates: readonly Line[] = [
  ["§3.4.2.2 a record is added", [], ["add a 300 A 192.0.2.1"], [a1]],
  ["§3.4.2.2 records join an RRset", [a1], ["add a 300 A 192.0.2.2"], [a1, a2]],
  ["§3.4.2.2 an equal record is not added again", [a1], ["add a 300 A 192.0.2.1"], "NOERROR"],
  ["§3.4.2.2 equal but for letter case", [alias], ["add C 300 CNAME A.EXAMPLE.NET."], "NOERROR"],
  ["§3.4.2.2 an equal record's TTL is taken", [a1], ["add a 60 A 192.0.2.1"], ["a 60 A 192.0.2.1"]],
  ["RFC 2181 §5.2 and its siblings' too", [a1, a2], ["add a 60 A 192.0.2.1"], ["a 60 A 192.0.2.1", "a 60 A 192.0.2.2"]],
  ["RFC 2181 §5.2 one message does not give two", [], ["add a 60 A 192.0.2.1", "add a 300 A 192.0.2.2"], "REFUSED"],
  ["§3.4.2.2 a CNAME beside data is ignored", [a1], ["add a 300 CNAME b"], "NOERROR"],
  ["§3.4.2.2 data beside a CNAME is ignored", [alias], ["add c 300 A 192.0.2.1"], "NOERROR"],
  [
    "§3.4.2.2 ignored alone: the rest is done",
    [alias],
    ["add c 300 A 192.0.2.1", "add a 300 A 192.0.2.1"],
    [a1, alias],
  ],
  ["§3.4.2.2 a CNAME replaces a CNAME", [alias], ["add c 300 CNAME b.example.net."], ["c 300 CNAME b.example.net."]],
  [
    "RFC 6672 §2.4 a DNAME replaces a DNAME",
    ["d 300 DNAME a.example.net."],
    ["add d 300 DNAME b.example.net."],
    ["d 300 DNAME b.example.net."],
  ],
  ["§3.4.2.2 a CNAME at the apex is ignored", [], ["add @ 300 CNAME b.example.net."], "NOERROR"],
  ["§3.4.2.3 an RRset is deleted", [a1, a2, text], ["del a A"], [text]],
  ["§3.4.2.3 an RRset that does not exist", [a1], ["del a MX"], "NOERROR"],
  ["§3.4.2.3 all RRsets of a name are deleted", [a1, text, alias], ["del a"], [alias]],
  ["§3.4.2.3 of the apex all but SOA and NS", ['@ 300 TXT "x"', "@ 300 A 192.0.2.1"], ["del @"], []],
  ["§3.4.2.3 the NS at the apex are not deleted as an RRset", [], ["del @ NS"], "NOERROR"],
  ["§3.4.2.3 the SOA is not deleted", [], ["del @ SOA"], "NOERROR"],
  ["§3.4.2.3 elsewhere NS are", ["s 300 NS ns.example.net."], ["del s NS"], []],
  ["§3.4.2.4 a record is deleted", [a1, a2], ["del a A 192.0.2.1"], [a2]],
  ["§3.4.2.4 a record that does not exist", [a1], ["del a A 192.0.2.9"], "NOERROR"],
  ["§3.4.2.4 one of the apex NS is deleted", [], ["del @ NS ns1.example.net."], [ns[1] as string]],
  ["§3.4.2.4 but never the last", [], ["del @ NS ns1.example.net.", "del @ NS ns2.example.net."], [ns[1] as string]],
  ["§3.4.2.4 the last NS elsewhere is", ["s 300 NS ns.example.net."], ["del s NS ns.example.net."], []],
  ["§3.4.2 in order: deleted, then added", [a1], ["del a A", "add a 300 A 192.0.2.2"], [a2]],
  ["§3.4.2 in order: added, then deleted", [a1], ["add a 300 A 192.0.2.2", "del a A"], []],
  ["§3.4.2 deleted and added again is no change", [a1], ["del a A", "add a 300 A 192.0.2.1"], "NOERROR"],
  [
    "§3.4.2 data make room for a CNAME",
    [a1],
    ["del a", "add a 300 CNAME b.example.net."],
    ["a 300 CNAME b.example.net."],
  ],
  ["§3.4.2 a CNAME makes room for data", [alias], ["del c CNAME", "add c 300 A 192.0.2.1"], ["c 300 A 192.0.2.1"]],
  [
    "a dummy NS keeps the apex from being without, as DNSControl does",
    [],
    [
      "add @ 3600 NS dummy.example.net.",
      "del @ NS ns1.example.net.",
      "del @ NS ns2.example.net.",
      "add @ 3600 NS ns9.example.net.",
      "del @ NS dummy.example.net.",
    ],
    ["@ 3600 NS ns9.example.net."],
  ],
  ["the zone's rules: nothing below a DNAME", ["d 300 DNAME b.example.net."], ["add x.d 300 A 192.0.2.1"], "REFUSED"],
  ["the zone's rules: no wildcard NS", [], ["add * 300 NS ns.example.net."], "REFUSED"],
  ["the zone's rules: no DS at the apex", [], [`add @ 300 DS 1 13 2 ${"AB".repeat(32)}`], "REFUSED"],
  ["§3.4.2 all or nothing", [], ["add a 300 A 192.0.2.1", "add * 300 NS ns.example.net."], "REFUSED"],
  ["§3.4.1 a name outside the zone", [], ["add a.example.net. 300 A 192.0.2.1"], "NOTZONE"],
  ["§3.2.5 a prerequisite outside the zone", [], ["yxdomain a.example.net."], "NOTZONE"],
  ["a type that a signer owns", [], ["add a 300 NSEC b.example.net. A"], "REFUSED"],
  ["a TTL above 2^31-1 (RFC 2181 §8)", [], ["add a 2147483648 A 192.0.2.1"], "REFUSED"],
  ["§3.1 nothing at all", [], [], "NOERROR"],
];

test.each([...prerequisites, ...updates].map((line) => ({ line })))("$line.0", async ({ line }) => {
  const [, before, asked, end] = line;
  const zone = await zoneOf(before);
  const stored = await zones.state(zone);
  const [{ serial: last } = { serial: 0 }] = (await zones.journal(zone)).slice(-1);
  expect(await rcodeOf(update(zone, asked))).toBe(typeof end === "string" ? end : "NOERROR");
  if (typeof end === "string") return expect(await zones.state(zone)).toEqual(stored);
  const expected = end.some((each) => each.startsWith("@ 3600 NS ")) ? end : [...end, ...ns];
  const lines = await zones.lines(zone, /^(?!@ \d+ SOA)/);
  expect(lines.toSorted()).toEqual(expected.toSorted());
  expect((await zones.journal(zone)).slice(3)).toEqual([]);
  expect((await zones.journal(zone)).at(-1)).toMatchObject({
    previousSerial: last,
    serial: last + 1,
    source: "update",
  });
});

test("the present SOA with its serial is a valid prerequisite (RFC 2136 §2.4.2)", async () => {
  const zone = await zoneOf([]);
  const [soa = ""] = await zones.lines(zone, / SOA /);
  const unless = (serial: number) => `yxrrset ${soa.replace(/^@ \d+/, "@").replace(/\d{10}/, String(serial))}`;
  expect(await rcodeOf(update(zone, [unless(2026112101), "add a 300 A 192.0.2.1"]))).toBe("NXRRSET");
  expect(await rcodeOf(update(zone, [unless(2026112102), "add a 300 A 192.0.2.1"]))).toBe("NOERROR");
});

test("an SOA is taken when its serial grows (RFC 1982), and ignored when it does not", async () => {
  const zone = await zoneOf([]);
  const before = await zones.state(zone);
  const soa = (serial: number) => [`add @ 3600 SOA a.example.net. b.example.net. ${serial} 1 2 3 4`];
  for (const serial of [2026112102, 2026112101]) expect((await update(zone, soa(serial))).change).toBeNull();
  expect(await zones.state(zone)).toEqual(before);
  const { change } = await update(zone, soa(2026112109));
  expect(change).toMatchObject({ previousSerial: 2026112102, serial: 2026112109 });
  expect(await zones.lines(zone)).toContain("@ 3600 SOA a.example.net. b.example.net. 2026112109 1 2 3 4");
});

describe("a key", () => {
  const add = ["add a 300 A 192.0.2.1"];
  const change = async (scope: Partial<TsigScope>, lines: readonly string[] = add) =>
    update(await zones.zone(), lines, { ...anyKey(), ...scope });

  test("is the actor that the journal names", async () => {
    expect((await change({ name: "web" })).change?.actor).toBe("web (TSIG)");
  });

  test.each<[what: string, scope: Partial<TsigScope>, code: string | undefined]>([
    ["of the zone's user that names no zones", {}, undefined],
    ["of the zone's user that names it", { zones: ["z*.example.com"] }, undefined],
    ["of the zone's user that names others", { zones: ["example.net"] }, "FORBIDDEN"],
    ["of another user", { userId: 1 }, "NOT_FOUND"],
    ["of another user that names it", { userId: 1, zones: ["*.example.com"] }, "NOT_FOUND"],
    ["of no user that names no zones", { userId: null }, "FORBIDDEN"],
    ["of no user that names it", { userId: null, zones: ["*.example.com"] }, undefined],
  ])("%s reaches a zone, or does not", async (_what, scope, code) => {
    if (code === undefined) expect((await change(scope)).change?.kind).toBe("EDIT");
    else expect((await refusalOf(change(scope))).code).toBe(code);
  });

  const acme = { owners: ["_acme-challenge*"], types: ["TXT"] };
  test.each([
    ["add _acme-challenge 120 TXT t"],
    ["add _acme-challenge.www 120 TXT t"],
    ["del _acme-challenge.www TXT"],
  ])("that is bound to owners and types writes there: %s", async (line) => {
    expect(await rcodeOf(change(acme, [line]))).toBe("NOERROR");
  });

  test.each([
    ["add a 300 TXT x", /may not write at a, only at _acme-challenge\*/],
    ["add www 300 TXT x", /may not write at www/],
    ["add _acme-challenge 300 A 192.0.2.1", /may not write A, only TXT/],
    ["del _acme-challenge", /may not write all types at once/],
  ])("and nowhere else: %s", async (line, message) => {
    await expect(change(acme, ["add _acme-challenge 120 TXT t", line])).rejects.toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringMatching(message),
    });
  });

  test("gets no information about names that it may not write: its scope is checked before the prerequisites", async () => {
    expect((await refusalOf(change(acme, ["yxdomain none", "add a 300 TXT x"]))).code).toBe("FORBIDDEN");
  });
});
