/**
 * Record data as typed fields in inputs: what `data` shows of a record makes the same record again, for every type, and every value is
 * checked as its text is.
 */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { type GraphQLInputObjectType, type GraphQLObjectType, type GraphQLSchema, getNamedType } from "graphql";
import { recordTypes } from "../../../src/dns/rdata/record-type-registry.ts";
import { createSchema } from "../../../src/graphql/schema/schema.ts";
import { testZone } from "../../setup/service/graphql-zone.ts";
import { type Json, mutation, testService } from "../../setup/service/service.ts";

const service = testService();
const zone = testZone(service);
const typed = recordTypes.filter(({ creatable, fields }) => creatable && fields.length > 0);

let schema: GraphQLSchema;
beforeAll(async () => {
  schema = await createSchema();
});

const fieldsOf = (name: string) => (schema.getType(name) as GraphQLObjectType | GraphQLInputObjectType).getFields();

test("every input has the fields of its object type, with their types and descriptions", () => {
  const inputs = Object.values(fieldsOf("RecordDataInput")).map(({ type }) => String(getNamedType(type)));
  expect(inputs).toHaveLength(typed.length);
  for (const input of inputs) {
    const shown = Object.values(fieldsOf(input)).map(({ name, type, description }) => [
      name,
      `${type}`.replace(/!$/, ""),
      description,
    ]);
    const output = Object.values(fieldsOf(input.replace(/Input$/, "")));
    expect(shown).toEqual(
      output.map(({ name, type, description }) => [name, `${type}`.replace(/!$/, ""), description]),
    );
  }
});

const check = (records: Json[]) =>
  service
    .data(
      "query ($zone: String!, $records: [RecordInput!]!) { checkRecords(zone: $zone, records: $records) { ok type rdata refusals { code field message } } }",
      {
        zone: zone.name,
        records,
      },
    )
    .then((data) => data.checkRecords);

/** The data of a record as `data` shows it, as the input for another. */
async function dataOf(type: string, rdata: string): Promise<Json> {
  const { recordTypes: infos } = await service.data(
    "query ($type: RecordType) { recordTypes(type: $type) { dataType dataInput fields { name } } }",
    { type },
  );
  const [{ dataType, dataInput, fields }] = infos;
  const selected = fields.map(({ name }: Json) => name).join(" ");
  const { createRecord } = await service.data(
    mutation("createRecord", `record { id data { ... on ${dataType} { ${selected} } } }`),
    { input: { zone: zone.name, owner: "shown", type, rdata } },
  );
  return { [dataInput]: createRecord.record.data };
}

test.each(typed.filter(({ mnemonic }) => mnemonic !== "SOA").map(({ mnemonic, example }) => [mnemonic, example]))(
  "%s is written from the fields that it shows",
  async (type, example) => {
    const [{ rdata }] = await check([{ owner: "a", type, rdata: example }]);
    const data = await dataOf(type, example);
    expect(await check([{ owner: "a", data }])).toEqual([{ ok: true, type, rdata, refusals: [] }]);
  },
);

describe("typed data", () => {
  test("creates, updates and changes records, whose type it says", async () => {
    const { record } = await zone.run("createRecord", {
      zone: zone.name,
      owner: "@",
      data: { mx: { preference: 10, exchange: "mail" } },
    });
    expect(record).toMatchObject({ type: "MX", rdata: `10 mail.${zone.name}.` });
    const updated = await zone.run("updateRecord", {
      id: record.id,
      data: { mx: { preference: 20, exchange: "mail" } },
    });
    expect(updated.record.rdata).toBe(`20 mail.${zone.name}.`);
    const { records } = await zone.run("changeRecords", {
      zone: zone.name,
      add: [
        { owner: "t", data: { txt: { strings: ["one two", 'quoted "three"'] } } },
        { owner: "c", type: "CAA", data: { caa: { flags: 0, tag: "issue", value: "ca.example.net" } } },
      ],
    });
    expect(records.map(({ rdata }: Json) => rdata)).toEqual([
      '"one two" "quoted \\"three\\""',
      '0 issue "ca.example.net"',
    ]);
  });

  test.each<[string, Json, string, string | undefined]>([
    ["beside rdata", { rdata: "1 a.", data: { mx: { preference: 1, exchange: "a." } } }, "INVALID_VALUE", "data"],
    ["of another type", { type: "TXT", data: { mx: { preference: 1, exchange: "a." } } }, "INVALID_VALUE", "type"],
    ["of two types", { data: { a: { address: "192.0.2.1" }, aaaa: { address: "::1" } } }, "INVALID_VALUE", "data"],
    ["of no type", { data: {} }, "INVALID_VALUE", "data"],
    ["missing, and no rdata", { type: "A" }, "MISSING_FIELD", "rdata"],
    ["missing, and no type", { rdata: "192.0.2.1" }, "MISSING_FIELD", "type"],
    ["without a field", { data: { mx: { preference: 1 } } }, "MISSING_FIELD", "data.mx.exchange"],
    [
      "with a number beyond its range",
      { data: { mx: { preference: 65536, exchange: "a." } } },
      "INVALID_RDATA",
      "data.mx.preference",
    ],
    [
      "with a negative number",
      { data: { mx: { preference: -1, exchange: "a." } } },
      "INVALID_RDATA",
      "data.mx.preference",
    ],
    [
      "with a name that is none",
      { data: { mx: { preference: 1, exchange: "a..b." } } },
      "INVALID_RDATA",
      "data.mx.exchange",
    ],
    [
      "with two names in one",
      { data: { mx: { preference: 1, exchange: "a. b." } } },
      "INVALID_RDATA",
      "data.mx.exchange",
    ],
    [
      "with a value that reaches into the next",
      { data: { soa: soa({ mname: "a. b.", rname: "" }) } },
      "INVALID_RDATA",
      "data.soa.mname",
    ],
    [
      "with a backslash that is no escape",
      { data: { txt: { strings: ["fine \\\\ \\100", "C:\\temp"] } } },
      "INVALID_RDATA",
      "data.txt.strings.1",
    ],
    ["with an address that is none", { data: { a: { address: "192.0.2.256" } } }, "INVALID_RDATA", "data.a.address"],
  ])("%s is refused", async (_case, fields, code, field) => {
    expect(await zone.reasons("createRecord", { zone: zone.name, owner: "x", ...fields })).toEqual([[code, field]]);
  });

  test("is named as it was sent, with its row, where it conflicts", async () => {
    const a = { owner: "x", data: { a: { address: "192.0.2.1" } } };
    expect(await zone.reasons("changeRecords", { zone: zone.name, add: [a, a] })).toEqual([
      ["DUPLICATE_RECORD", "add.1.data"],
    ]);
    const bad = { owner: "x", data: { a: { address: "nowhere" } } };
    expect(await zone.reasons("changeRecords", { zone: zone.name, add: [a, bad] })).toEqual([
      ["INVALID_RDATA", "add.1.data.a.address"],
    ]);
  });
});

function soa(fields: Json): Json {
  return { mname: "a.", rname: "b.", serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1, ...fields };
}
