/**
 * Record data in the form that all types share: fields with their values as text, and the named choices of a field.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { zoneNameWire } from "../../../src/dns/name.ts";
import { parseRdata, rdataFields } from "../../../src/dns/rdata/rdata.ts";
import { type RecordType, recordTypes } from "../../../src/dns/rdata/record-type-registry.ts";
import { type Json, testService } from "../../setup/service/service.ts";

const service = testService();
const zone = "example.com";
const creatable = recordTypes.filter((type) => type.creatable);
beforeAll(async () => {
  await service.domain(zone, await service.user("owner@example.com"));
});

const reading = (type: RecordType, rdata: string) =>
  rdataFields(type, parseRdata(type, rdata, { origin: zoneNameWire(zone), context: "field" }));

test("the fields of every record are those of its type, in their order, with the values that data has", async () => {
  const examples = creatable.map(({ mnemonic, example }) => ({
    owner: `x.${mnemonic.toLowerCase()}`,
    type: mnemonic,
    rdata: example,
  }));
  const document =
    "query ($zone: String!, $records: [RecordInput!]!) { checkRecords(zone: $zone, records: $records) { fields { name values } } }";
  const { checkRecords } = await service.data(document, { zone, records: examples });
  for (const [at, type] of creatable.entries()) {
    const { mnemonic, example } = type;
    const expected = Object.entries(reading(type, example)).map(([name, value]) => ({
      name,
      values: [value].flat().map(String),
    }));
    expect([mnemonic, checkRecords[at].fields]).toEqual([mnemonic, expected]);
  }
  await service.record(zone, "@", "MX", "10 mail");
  const { records } = await service.data('{ records(filter: { types: "MX" }) { nodes { fields { name values } } } }');
  expect(records.nodes[0].fields).toEqual([
    { name: "preference", values: ["10"] },
    { name: "exchange", values: [`mail.${zone}.`] },
  ]);
});

test("a named choice of a field is a value that it takes", async () => {
  const types = (
    await service.data("{ recordTypes { type creatable fields { name form max choices { value name } } } }")
  ).recordTypes;
  const choicesOf = (type: string, name: string) =>
    types.find((each: Json) => each.type === type).fields.find((field: Json) => field.name === name).choices;
  expect(choicesOf("DS", "digestType")).toEqual([
    { value: "1", name: "SHA-1" },
    { value: "2", name: "SHA-256" },
    { value: "4", name: "SHA-384" },
  ]);
  expect(choicesOf("DS", "algorithm")).toContainEqual({ value: "13", name: "ECDSAP256SHA256" });
  expect(choicesOf("MX", "preference")).toEqual([]);
  const fields = types.flatMap((type: Json) => type.fields).filter((field: Json) => field.choices.length > 0);
  expect(fields.length).toBeGreaterThan(20);
  for (const { form, max, choices } of fields) {
    expect(form).toBe("INTEGER");
    for (const { value } of choices) expect(Number(value)).toBeLessThanOrEqual(max);
    expect(new Set(choices.map(({ value }: Json) => value)).size).toBe(choices.length);
  }
});
