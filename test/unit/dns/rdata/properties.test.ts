import { describe, expect, test } from "@jest/globals";
import { Malformed } from "../../../../src/dns/malformed.ts";
import { nameText, parseName, parseZoneName, unicodeName, zoneNameWire } from "../../../../src/dns/name.ts";
import { parseRdata, parseRdataFields, printRdata, rdataFields } from "../../../../src/dns/rdata/rdata.ts";
import { recordType, recordTypes } from "../../../../src/dns/rdata/record-type-registry.ts";
import fc from "../../../setup/basics/property.ts";
import { anyName, rdataOf } from "../../../setup/dns/arbitrary-rdata.ts";
import { hostileTexts } from "../../../setup/dns/hostile-texts.ts";
import { expectStable, fuzz } from "../../../setup/dns/rdata-fuzz.ts";

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

describe("the fields of record data make the same data again", () => {
  const typed = recordTypes.filter(({ fields }) => fields.length > 0);
  test.each(typed.map((type) => [type.mnemonic, type] as const))("for %s", (_, type) => {
    const holds = fc.property(rdataOf(type), (text) => {
      const wire = parseRdata(type, text, { origin, context: "master" });
      const again = parseRdataFields(type, rdataFields(type, wire), { origin, context: "field" });
      expect(Buffer.from(again).toString("hex")).toBe(Buffer.from(wire).toString("hex"));
    });
    fc.assert(holds, { numRuns: 50 });
  });
});

test("every example of the table is data of its type", () => {
  for (const type of recordTypes) expectStable(type, parseRdata(type, type.example, { origin, context: "field" }));
});

test("20,000 mutated inputs are taken or Malformed", () => {
  fuzz(20_000, 20260101);
});

describe("a text of 900,000 characters is read or Malformed, and costs what its length explains (bench/parsing.ts)", () => {
  test.each(hostileTexts)("%s", (_, type, text) => {
    try {
      parseRdata(recordType(type), text(900_000), { origin, context: "master" });
    } catch (error) {
      expect(error).toBeInstanceOf(Malformed);
    }
  });
});

describe("a value that is not valid is named by its field:", () => {
  test.each([
    ["MX", { preference: 1, exchange: "a. b." }, "exchange"],
    ["MX", { preference: 1, exchange: "" }, "exchange"],
    ["MX", { preference: 1 }, "exchange"],
    ["MX", { preference: 1.5, exchange: "a." }, "preference"],
    ["SOA", { mname: "a. b.", rname: "", serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 }, "mname"],
    ["CAA", { flags: 0, tag: 'issue" "x', value: "" }, "tag"],
    ["DS", { keyTag: 1, algorithm: 8, digestType: 2, digest: "zz" }, "digest"],
  ])("%s %j", (mnemonic, values, field) => {
    const parse = () => parseRdataFields(recordType(mnemonic), values, { origin, context: "field" });
    expect(parse).toThrow(Malformed);
    expect(parse).toThrow(expect.objectContaining({ field }));
  });
});
