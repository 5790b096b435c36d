/** Record data as typed fields in inputs: what `data` shows of a record makes the same record again. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { type GraphQLInputObjectType, type GraphQLObjectType, type GraphQLSchema, getNamedType } from "graphql";
import { typedRecordTypes as typed } from "../../../../src/graphql/schema/record/record-data.ts";
import { createSchema } from "../../../../src/graphql/schema/schema.ts";
import { testZone } from "../../../setup/service/graphql-zone.ts";
import { type Json, testService } from "../../../setup/service/service.ts";

const service = testService();
const zone = testZone(service);

let schema: GraphQLSchema;
beforeAll(async () => {
  schema = await createSchema();
});

const fieldsOf = (name: string) => (schema.getType(name) as GraphQLObjectType | GraphQLInputObjectType).getFields();

test("every input has the fields of its object type, with their types and descriptions", () => {
  const inputs = Object.values(fieldsOf("RecordDataInput")).map(({ type }) => String(getNamedType(type)));
  expect(inputs).toHaveLength(typed.length);
  const described = (type: string) =>
    Object.values(fieldsOf(type)).map(
      (each) => `${each.name}: ${`${each.type}`.replace(/!$/, "")} ${each.description}`,
    );
  for (const input of inputs) expect(described(input)).toEqual(described(input.replace(/Input$/, "")));
});

async function check(records: Json[]): Promise<Json[]> {
  const document = `query ($zone: String!, $records: [RecordInput!]!) {
    checkRecords(zone: $zone, records: $records) { ok type rdata refusals { code field message } } }`;
  return (await service.data(document, { zone: zone.name, records })).checkRecords;
}

/** The data of a record as `data` shows it, as the input for another. */
async function dataOf(type: string, rdata: string): Promise<Json> {
  const { type: dataInput } = fieldsOf("RecordDataInput")[type.toLowerCase()] as { readonly type: unknown };
  const dataType = String(dataInput).replace(/Input$/, "");
  const selected = Object.keys(fieldsOf(dataType)).join(" ");
  const input = { zone: zone.name, owner: "shown", type, rdata };
  const created = await service.mutate("createRecord", input, `record { data { ... on ${dataType} { ${selected} } } }`);
  return { [type.toLowerCase()]: created.record.data };
}

test.each(typed.filter(({ mnemonic }) => mnemonic !== "SOA").map(({ mnemonic, example }) => [mnemonic, example]))(
  "%s is written from the fields that it shows",
  async (type, example) => {
    const [{ rdata }] = await check([{ owner: "a", type, rdata: example }]);
    const data = await dataOf(type, example);
    expect(await check([{ owner: "a", data }])).toEqual([{ ok: true, type, rdata, refusals: [] }]);
  },
);

const mx = (preference: number, exchange: string) => ({ data: { mx: { preference, exchange } } });
const soa = { mname: "a. b.", rname: "", serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 };

describe("typed data", () => {
  test("creates, updates and changes records, whose type it says", async () => {
    const { record } = await zone.run("createRecord", { zone: zone.name, owner: "@", ...mx(10, "mail") });
    expect(record).toMatchObject({ type: "MX", rdata: `10 mail.${zone.name}.` });
    const updated = await zone.run("updateRecord", { recordId: record.id, ...mx(20, "mail") });
    expect(updated.record.rdata).toBe(`20 mail.${zone.name}.`);
    const caa = { flags: 0, tag: "issue", value: "ca.example.net" };
    const { records } = await zone.run("changeRecords", {
      zone: zone.name,
      add: [
        { owner: "t", data: { txt: { strings: ["one two", 'quoted "three"'] } } },
        { owner: "c", type: "CAA", data: { caa } },
      ],
    });
    const data = ['"one two" "quoted \\"three\\""', '0 issue "ca.example.net"'];
    expect(records.map(({ rdata }: Json) => rdata)).toEqual(data);
  });

  test.each<[string, Json, string]>([
    ["beside rdata", { rdata: "1 a.", ...mx(1, "a.") }, "INVALID_VALUE data"],
    ["of another type", { type: "TXT", ...mx(1, "a.") }, "INVALID_VALUE type"],
    ["of two types", { data: { a: { address: "192.0.2.1" }, aaaa: { address: "::1" } } }, "INVALID_VALUE data"],
    ["of no type", { data: {} }, "INVALID_VALUE data"],
    ["missing, and no rdata", { type: "A" }, "MISSING_FIELD rdata"],
    ["missing, and no type", { rdata: "192.0.2.1" }, "MISSING_FIELD type"],
    ["without a field", { data: { mx: { preference: 1 } } }, "MISSING_FIELD data.mx.exchange"],
    ["with a number beyond its range", mx(65536, "a."), "INVALID_RDATA data.mx.preference"],
    ["with a negative number", mx(-1, "a."), "INVALID_RDATA data.mx.preference"],
    ["with a name that is none", mx(1, "a..b."), "INVALID_RDATA data.mx.exchange"],
    ["with two names in one", mx(1, "a. b."), "INVALID_RDATA data.mx.exchange"],
    ["with a value that reaches into the next", { data: { soa } }, "INVALID_RDATA data.soa.mname"],
    [
      "with a backslash that is no escape",
      { data: { txt: { strings: ["fine \\\\ \\100", "C:\\temp"] } } },
      "INVALID_RDATA data.txt.strings.1",
    ],
    ["with an address that is none", { data: { a: { address: "192.0.2.256" } } }, "INVALID_RDATA data.a.address"],
  ])("%s is refused", async (_case, fields, reason) => {
    expect(await zone.reasons("createRecord", { zone: zone.name, owner: "x", ...fields })).toEqual([reason]);
  });

  test("is named as it was sent, with its row, where it conflicts", async () => {
    const a = (address: string) => ({ owner: "x", data: { a: { address } } });
    const reasons = (last: string) =>
      zone.reasons("changeRecords", { zone: zone.name, add: [a("192.0.2.1"), a(last)] });
    expect(await reasons("192.0.2.1")).toEqual(["DUPLICATE_RECORD add.1.data"]);
    expect(await reasons("nowhere")).toEqual(["INVALID_RDATA add.1.data.a.address"]);
  });
});
