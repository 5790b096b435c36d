import { describe, expect, test } from "@jest/globals";
import { Malformed } from "../../../../src/dns/malformed.ts";
import { zoneNameWire } from "../../../../src/dns/name.ts";
import {
  canonicalRdata,
  checkRdata,
  parseRdata,
  printRdata,
  rdataFields,
  rdataNames,
} from "../../../../src/dns/rdata/rdata.ts";
import { mustBeCreatable, recordType, recordTypes } from "../../../../src/dns/rdata/record-type-registry.ts";
import type { CompletedName } from "../../../../src/dns/text-reader.ts";

const origin = zoneNameWire("example.com");
const parse = (type: string, text: string) => parseRdata(recordType(type), text, { origin, context: "field" });
const print = (type: string, text: string) => printRdata(recordType(type), parse(type, text));

function refusal(use: () => unknown): { reason: string; message: string; field?: string | undefined } {
  try {
    use();
  } catch (error) {
    if (error instanceof Malformed) return { reason: error.reason, message: error.message, field: error.field };
    throw error;
  }
  throw new Error("it was taken");
}

describe("an API field takes", () => {
  test.each([
    ["TXT", "a\\ ", '"a "'],
    ["TXT", " \t(a)\t ", '"(a)"'],
    ["NS", "ns.Example.NET.", "ns.Example.NET."],
    ["CAA", '0 ISSUE "ca.example.net; x=y"', '0 issue "ca.example.net; x=y"'],
    ["AAAA", "1:0:0:2:0:0:0:3", "1:0:0:2::3"],
  ])("%s %j as %j", (type, text, expected) => {
    expect(print(type, text)).toBe(expected);
  });
});

describe("an API field refuses", () => {
  test.each([
    [
      "MX",
      "10 mail.example.com",
      "ambiguous-name",
      /; write \S+ for the full name, or \S+ for the name in this zone\.$/,
    ],
    ["MX", "70000 a", "rdata", /^preference is "70000"; write a number from 0 to 65535\.$/],
    ["A", "not an address", "rdata", /^address is "not an address"; write an IPv4 address/],
    ["A", 'not an "address', "rdata", /^address is "not"; write an IPv4 address/],
    ["MX", "ten mail a", "rdata", /^preference is "ten"; write a number from 0 to 65535\.$/],
    ["MX", "10", "rdata", /^exchange is missing/],
    ["MX", "10 a;b", "rdata", /semicolon/],
    ["MX", "10 a b", "rdata", /"b" follows the last field/],
    ["TXT", 'a"b', "rdata", /bare quote/],
    ["TXT", "a\nb", "rdata", /control character/],
    ["TXT", "a\\", "rdata", /ends in a backslash/],
    ["TXT", "a\\\x7f", "rdata", /control character/],
    ["SVCB", "1 . no-default-alpn", "rdata", /^parameters: no-default-alpn is given without alpn/],
    ["SVCB", "1 . key7=\\239\\187\\191/{?dns}", "rdata", /^parameters: key7 is not a path/],
    ["A", "192.0.2.1\nevil A 6.6.6.6", "rdata", /line break/],
    ["MX", "\n10 a.", "rdata", /line break/],
    ["TXT", '"a"\n', "rdata", /line break/],
    ["TYPE65280", "0a", "rdata", /\\# length hex/],
    ["TYPE65280", "\\# 2 0a", "rdata", /1 octets follow/],
    ["TYPE15", "\\# 3 000a00 ff", "rdata", /octets/],
  ])("%s %j", (type, text, reason, message) => {
    const refused = refusal(() => parse(type, text));
    expect(refused.reason).toBe(reason);
    expect(refused.message).toMatch(message);
  });

  test("with a message that names the field and clips the input", () => {
    const refused = refusal(() => parse("MX", `${"9".repeat(5000)} a`));
    expect(refused.field).toBe("preference");
    expect(refused.message.length).toBeLessThan(200);
  });
});

describe("wire is refused", () => {
  test.each([
    ["A", "c00002"],
    ["TXT", ""],
    ["TXT", "0561"],
    ["NS", "c000"],
    ["MX", "000a00ff"],
    ["CAA", "000061"],
    ["CDNSKEY", "01010308"],
    ["DS", "ec450501aa"],
    ["CSYNC", "00000001000300020100"],
    ["APL", "0001180200"],
    ["SVCB", "000100000200020000"],
  ])("for %s %s", (type, hex) => {
    expect(refusal(() => checkRdata(recordType(type), Buffer.from(hex, "hex"))).reason).toBe("rdata");
  });
});

test("relative names of several labels are refused in a field, and reported where a file has them completed", () => {
  const completed: CompletedName[] = [];
  const onCompleted = (name: CompletedName) => completed.push(name);
  const soa = "ns1 host.master.example.net 1 1 1 1 1";
  const { reason, message, field } = refusal(() => parse("SOA", soa));
  expect({ reason, message, field }).toEqual({
    reason: "ambiguous-name",
    message:
      'rname is "host.master.example.net"; write host.master.example.net. for the full name, ' +
      "or host.master.example.net.example.com. for the name in this zone.",
    field: "rname",
  });
  parseRdata(recordType("SOA"), soa, { origin, context: "master", onCompleted });
  expect(completed).toEqual([
    { field: "rname", written: "host.master.example.net", name: "host.master.example.net.example.com." },
  ]);
});

test("equality looks through the letter case of names alone", () => {
  const same = (type: string, a: string, b: string) => {
    const row = recordType(type);
    return Buffer.compare(canonicalRdata(row, parse(type, a)), canonicalRdata(row, parse(type, b))) === 0;
  };
  expect(same("MX", "010 A.", "10 a.")).toBe(true);
  expect(same("SVCB", "1 A. alpn=h2", "1 a. alpn=h2")).toBe(true);
  expect(same("IPSECKEY", "1 3 1 A. AQID", "1 3 1 a. AQID")).toBe(true);
  expect(same("HIP", "1 AA AQID A. B.", "1 aa AQID a. b.")).toBe(true);
  expect(same("TXT", '"A"', '"a"')).toBe(false);
  expect(same("CAA", '0 issue "A"', '0 issue "a"')).toBe(false);
});

test("the fields and names of record data", () => {
  const fields = (type: string, text: string) => rdataFields(recordType(type), parse(type, text));
  expect(fields("MX", "10 a.")).toEqual({ preference: 10, exchange: "a." });
  expect(fields("TXT", '"a" "b"')).toEqual({ strings: ["a", "b"] });
  expect(fields("HIP", "2 AA AQID a.")).toEqual({
    algorithm: 2,
    hit: "AA",
    publicKey: "AQID",
    rendezvousServers: ["a."],
  });
  expect(fields("TYPE65280", "\\# 1 00")).toEqual({});
  expect(rdataNames(recordType("SOA"), parse("SOA", "a. b. 1 1 1 1 1")).map(({ field }) => field)).toEqual([
    "mname",
    "rname",
  ]);
  expect(rdataNames(recordType("IPSECKEY"), parse("IPSECKEY", "1 1 1 192.0.2.1 AQID"))).toEqual([]);
});

describe("types", () => {
  test.each([
    ["type065280", "type"],
    ["TYPE41", "type"],
    ["__proto__", "type"],
    ["", "type"],
  ])("%j is %s", (text, expected) => {
    let mnemonic: string;
    try {
      ({ mnemonic } = recordType(text));
    } catch (error) {
      mnemonic = (error as Malformed).reason;
    }
    expect(mnemonic).toBe(expected);
  });

  test("of a signer and those that servers refuse are not for users to create", () => {
    const refused = [...recordTypes, recordType("NULL"), recordType("TYPE65280")].filter((type) => !type.creatable);
    expect(refused.map(({ mnemonic }) => mnemonic)).toEqual(["MD", "MF", "RRSIG", "NSEC", "NSEC3", "NULL"]);
    expect(refusal(() => mustBeCreatable(recordType("RRSIG"))).message).toMatch(/signer/);
    expect(mustBeCreatable(recordType("MX")).mnemonic).toBe("MX");
  });

  test("have codes, mnemonics and field names of their own, and say what they are", () => {
    expect(new Set(recordTypes.map(({ code }) => code)).size).toBe(recordTypes.length);
    expect(new Set(recordTypes.map(({ mnemonic }) => mnemonic)).size).toBe(recordTypes.length);
    for (const { fields, description, rfc } of recordTypes) {
      expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length);
      expect([description, rfc, ...fields.flatMap((field) => [field.description, field.range])]).not.toContain("");
    }
  });
});
