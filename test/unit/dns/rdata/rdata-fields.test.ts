/**
 * Record data from the values of its fields: whatever data a type can have, its fields make the same data again.
 */
import { describe, expect, test } from "@jest/globals";
import { Malformed } from "../../../../src/dns/malformed.ts";
import { zoneNameWire } from "../../../../src/dns/name.ts";
import { parseRdata, parseRdataFields, rdataFields } from "../../../../src/dns/rdata/rdata.ts";
import { recordType } from "../../../../src/dns/rdata/record-type-registry.ts";
import fc from "../../../setup/basics/property.ts";
import { everyType, rdataOf } from "../../../setup/dns/arbitrary-rdata.ts";

const options = { origin: zoneNameWire("example.com"), context: "master" } as const;
const typed = everyType.filter(({ fields }) => fields.length > 0);

test.each(typed.map((type) => [type.mnemonic, type] as const))("the fields of %s", (_mnemonic, type) => {
  fc.assert(
    fc.property(rdataOf(type), (text) => {
      const wire = parseRdata(type, text, options);
      const again = parseRdataFields(type, rdataFields(type, wire), { ...options, context: "field" });
      expect(Buffer.from(again).toString("hex")).toBe(Buffer.from(wire).toString("hex"));
    }),
    { numRuns: 50 },
  );
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
    const parse = () => parseRdataFields(recordType(mnemonic), values, { ...options, context: "field" });
    expect(parse).toThrow(Malformed);
    expect(parse).toThrow(expect.objectContaining({ field }));
  });
});
