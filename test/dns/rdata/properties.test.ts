import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { nameText, parseName, parseZoneName, unicodeName, zoneNameWire } from "../../../src/dns/name.ts";
import { parseRdata, printRdata } from "../../../src/dns/rdata/rdata.ts";
import { recordType, recordTypes } from "../../../src/dns/rdata/record-types.ts";
import { anyName, rdataOf } from "../../setup/arbitrary-rdata.ts";
import { expectStable, fuzz } from "../../setup/rdata-fuzz.ts";

const origin = zoneNameWire("example.org");

describe("text → wire → text → wire is stable", () => {
  test.each(recordTypes.map((type) => [type.mnemonic, type] as const))("for %s", (_, type) => {
    const holds = fc.property(rdataOf(type), (text) => {
      const wire = parseRdata(type, text, { origin, context: "master" });
      expectStable(type, wire);
      const printed = printRdata(type, wire);
      expect(printRdata(type, parseRdata(type, printed, { origin, context: "field" }))).toBe(printed);
    });
    fc.assert(holds, { numRuns: 60 });
  });

  test("for a type known by its number alone", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (wire) => expectStable(recordType("TYPE65280"), wire)));
  });

  test("for names", () => {
    fc.assert(
      fc.property(anyName, (text) => {
        const name = parseName(text, origin);
        expect(parseName(nameText(name))).toEqual(name);
      }),
    );
  });

  test("for zone names in Unicode", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 12 }), (label) => {
        let zone: string;
        try {
          zone = parseZoneName(`${label}.example`);
        } catch {
          return;
        }
        expect(parseZoneName(unicodeName(zone))).toBe(zone);
      }),
    );
  });
});

test("every example of the table is data of its type", () => {
  for (const type of recordTypes) expectStable(type, parseRdata(type, type.example, { origin, context: "field" }));
});

test("20,000 mutated inputs are taken or Malformed", () => {
  fuzz(20_000, 20260101);
});

describe("no input costs more than its length explains", () => {
  const hostile: readonly (readonly [string, string, (size: number) => string])[] = [
    ["blanks", "TXT", (size) => `a${" ".repeat(size)}b`],
    ["open parentheses", "TXT", (size) => "(".repeat(size)],
    ["backslashes", "TXT", (size) => "\\".repeat(size)],
    ["one long word", "TXT", (size) => `"${"x".repeat(size)}"`],
    ["many words", "TXT", (size) => `"a" ${"b ".repeat(size / 2)}`],
    ["digits of a number", "MX", (size) => `${"0".repeat(size)}1 a`],
    ["units of a time", "SOA", (size) => `a b 1 ${"1h".repeat(size / 2)} 1 1 1`],
    ["a long name", "NS", (size) => "a.".repeat(size / 2)],
    ["a long label", "NS", (size) => "é".repeat(size)],
    ["hexadecimal", "TLSA", (size) => `1 1 1 ${"00 ".repeat(size / 3)}`],
    ["base64", "DHCID", (size) => "AAAA ".repeat(size / 5)],
    ["types", "CSYNC", (size) => `1 1 ${"TYPE1234 ".repeat(size / 9)}`],
    ["parameters", "SVCB", (size) => `1 . ${"key9=a ".repeat(size / 7)}`],
    ["a template", "SVCB", (size) => `1 . dohpath=/${"{dns".repeat(size / 4)}`],
    ["commas", "SVCB", (size) => `1 . alpn=${"a,".repeat(size / 2)}`],
    ["prefixes", "APL", (size) => "1:0.0.0.0/0 ".repeat(size / 12)],
    ["RFC 3597", "TYPE65280", (size) => `\\# ${size / 2} ${"0".repeat(size)}`],
  ];

  const cost = (type: string, text: string) => {
    const start = performance.now();
    try {
      parseRdata(recordType(type), text, { origin, context: "master" });
    } catch {}
    return performance.now() - start;
  };

  test.each(hostile)("%s", (_, type, text) => {
    cost(type, text(10_000));
    expect(cost(type, text(900_000))).toBeLessThan(4000);
  });
});
