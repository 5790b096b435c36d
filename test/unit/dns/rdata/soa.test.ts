import { expect, test } from "@jest/globals";
import { rootName } from "../../../../src/dns/name.ts";
import { parseRdata, printRdata } from "../../../../src/dns/rdata/rdata.ts";
import { recordType } from "../../../../src/dns/rdata/record-type-registry.ts";
import { soaMinimum, soaSerial, uncheckedSoaSerial, withSoaSerial } from "../../../../src/dns/rdata/soa.ts";
import { serial } from "../../../../src/dns/serial.ts";

const type = recordType("SOA");
const wireOf = (text: string) => parseRdata(type, text, { origin: rootName, context: "field" });
const soa = wireOf("ns1.example.net. hostmaster.example.net. 4294967295 7200 3600 1209600 300");

test("serial and minimum are read from SOA data, also inside a longer buffer", () => {
  const inside = Buffer.concat([Buffer.from("before"), soa, Buffer.from("after")]).subarray(6, 6 + soa.length);
  for (const wire of [soa, inside]) {
    expect(soaSerial(wire)).toBe(4294967295);
    expect(soaMinimum(wire)).toBe(300);
  }
});

test("another serial changes nothing else, nor the data it was made from", () => {
  const other = withSoaSerial(soa, serial(1));
  expect(printRdata(type, other)).toBe("ns1.example.net. hostmaster.example.net. 1 7200 3600 1209600 300");
  expect(soaSerial(soa)).toBe(4294967295);
});

test("data of a message that is too short for an SOA has no serial", () => {
  const shortest = wireOf(". . 1 2 3 4 5");
  expect(uncheckedSoaSerial(shortest)).toBe(1);
  expect(uncheckedSoaSerial(shortest.subarray(1))).toBeUndefined();
  expect(uncheckedSoaSerial(new Uint8Array(0))).toBeUndefined();
});
