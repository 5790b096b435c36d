/**
 * The table of record types as a frontend sees it: the tests know a type only by what `recordTypes` says about it.
 */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { zoneNameWire } from "../../../src/dns/name.ts";
import { parseRdata, rdataFields } from "../../../src/dns/rdata/rdata.ts";
import { type RecordType, recordTypes } from "../../../src/dns/rdata/record-type-registry.ts";
import { type Json, mutation, testService } from "../../setup/service/service.ts";

interface FieldInfo {
  readonly name: string;
  readonly kind: string;
  readonly form: "INTEGER" | "TEXT" | "TEXTS";
  readonly max: number | null;
  readonly range: string;
  readonly description: string;
  readonly quoted: boolean;
  readonly optional: boolean;
}

interface TypeInfo {
  readonly mnemonic: string;
  readonly code: number;
  readonly rfc: string;
  readonly description: string;
  readonly example: string;
  readonly creatable: boolean;
  readonly dataType: string | null;
  readonly fields: readonly FieldInfo[];
}

type Value = number | string | readonly string[];

const service = testService();
const zone = "example.com";
let shown: readonly TypeInfo[];
let creatable: readonly TypeInfo[];

const everything = `mnemonic: type code rfc description example creatable dataType
  fields { name kind form max range description quoted optional }`;

beforeAll(async () => {
  await service.domain(zone, await service.user("owner@example.com"));
  shown = (await service.data(`{ recordTypes { ${everything} } }`)).recordTypes;
  creatable = shown.filter((type) => type.creatable);
});

/** Judges records as they are typed; answers the canonical data of each, or the refusals. */
async function check(records: readonly { type: string; rdata: string }[]): Promise<Json[]> {
  const document =
    "query ($zone: String!, $records: [RecordInput!]!) { checkRecords(zone: $zone, records: $records) { rdata refusals { message } } }";
  const sent = records.map((record) => ({ owner: "a", ...record }));
  return (await service.data(document, { zone, records: sent })).checkRecords.map(
    ({ rdata, refusals }: Json) => rdata ?? refusals,
  );
}

/** What a form writes for values that were typed into its fields. */
function compose({ fields }: TypeInfo, values: Readonly<Record<string, Value>>): string {
  const text = ({ name, quoted }: FieldInfo) =>
    [values[name] ?? []].flat().map((value) => (quoted ? `"${value}"` : String(value)));
  return fields.flatMap(text).join(" ");
}

/** A document's selection of the data of every type at once. */
const selection = (types: readonly TypeInfo[]) =>
  types.map(({ dataType, fields }) => `... on ${dataType} { ${fields.map(({ name }) => name).join(" ")} }`).join("\n");

const reading = (type: RecordType, rdata: string) =>
  rdataFields(type, parseRdata(type, rdata, { origin: zoneNameWire(zone), context: "field" }));

describe("recordTypes", () => {
  test("shows every row of the table, by number", () => {
    expect(
      shown.map(({ mnemonic, code, rfc, description, example, creatable }) => ({
        mnemonic,
        code,
        rfc,
        description,
        example,
        creatable,
      })),
    ).toEqual(
      recordTypes.map(({ mnemonic, code, rfc, description, example, creatable }) => ({
        mnemonic,
        code,
        rfc,
        description,
        example,
        creatable,
      })),
    );
  });

  test("shows the fields of each in the order of their text, but none that the wire alone has", () => {
    const names = (type: { fields: readonly { name: string; silent?: true }[] }) =>
      type.fields.filter(({ silent }) => !silent).map(({ name }) => name);
    expect(shown.map(names)).toEqual(recordTypes.map(names));
  });

  test("says what a form needs", () => {
    expect(shown.find(({ mnemonic }) => mnemonic === "MX")).toEqual({
      mnemonic: "MX",
      code: 15,
      rfc: "RFC 1035 §3.3.9",
      description: "mail server of a domain",
      example: "10 mail.example.net.",
      creatable: true,
      dataType: "MxData",
      fields: [
        {
          name: "preference",
          kind: "u16",
          form: "INTEGER",
          max: 65535,
          range: "a number from 0 to 65535",
          description: "the lowest is tried first",
          quoted: false,
          optional: false,
        },
        {
          name: "exchange",
          kind: "name",
          form: "TEXT",
          max: null,
          range: "a domain name; without a trailing dot it is relative to the zone",
          description: "the mail server; a dot alone means that the domain has no mail server",
          quoted: false,
          optional: false,
        },
      ],
    });
  });

  test("describes every type and field, and gives numbers alone a greatest one", () => {
    for (const type of shown) {
      expect(type.description).not.toBe("");
      for (const { name, form, max, range, description } of type.fields) {
        expect(`${type.mnemonic} ${name}: ${range}, ${description}`).toMatch(/^\S+ \S+: .+, .+$/);
        expect([name, max !== null]).toEqual([name, form === "INTEGER"]);
      }
    }
  });

  test("tells what cannot be created, and has no object type for it", () => {
    const not = shown.filter((type) => !type.creatable);
    expect(not.map(({ mnemonic }) => mnemonic)).toEqual(["MD", "MF", "RRSIG", "NSEC", "NSEC3"]);
    expect(not.map(({ dataType }) => dataType)).toEqual(not.map(() => null));
  });

  test.each([
    ["mx", "MX", "MxData", 2],
    ["TYPE15", "MX", "MxData", 2],
    ["TYPE65280", "TYPE65280", "RawData", 0],
  ])("asked for %s shows %s alone", async (type, mnemonic, dataType, fields) => {
    const document =
      "query ($type: RecordType) { recordTypes(type: $type) { mnemonic: type dataType fields { name } } }";
    const { recordTypes: found } = await service.data(document, { type });
    expect(found).toEqual([{ mnemonic, dataType, fields: expect.any(Array) }]);
    expect(found[0].fields).toHaveLength(fields);
  });

  test.each(["ANY", "TYPE251", "MAIL", "TYPE65536", ""])("asked for %j refuses", async (type) => {
    const document = "query ($type: RecordType) { recordTypes(type: $type) { mnemonic: type } }";
    const { body } = await service.graphql(document, { type });
    expect(body.errors[0].extensions).toMatchObject({ code: "UNSUPPORTED_TYPE", field: "type" });
  });

  test("gives one name one GraphQL type in all types, so that any of them can be selected together", () => {
    const forms = new Map<string, Set<string>>();
    for (const { name, form, kind, max } of shown.flatMap(({ fields }) => fields)) {
      const wide = (max ?? 0) > 2147483647;
      forms.set(name, (forms.get(name) ?? new Set()).add(kind === "serial" ? "Serial" : wide ? "Float" : form));
    }
    expect([...forms].filter(([, kinds]) => kinds.size > 1)).toEqual([]);
  });
});

describe("a form", () => {
  test("may offer every example: it is accepted, and its canonical form is accepted as itself", async () => {
    const canonical = await check(creatable.map(({ mnemonic, example }) => ({ type: mnemonic, rdata: example })));
    const again = await check(creatable.map(({ mnemonic }, at) => ({ type: mnemonic, rdata: canonical[at] })));
    expect(canonical.filter((rdata) => typeof rdata !== "string")).toEqual([]);
    expect(again).toEqual(canonical);
  });

  test.each<[string, Record<string, Value>, string]>([
    ["A", { address: "192.0.2.1" }, "192.0.2.1"],
    ["MX", { preference: 10, exchange: "mail" }, "10 mail.example.com."],
    [
      "TXT",
      { strings: ["v=spf1 mx -all", 'with a \\" quote; and more'] },
      '"v=spf1 mx -all" "with a \\" quote; and more"',
    ],
    ["SRV", { priority: 1, weight: 2, port: 443, target: "www.example.net." }, "1 2 443 www.example.net."],
    ["CAA", { flags: 0, tag: "issue", value: "ca.example.net; policy=ev" }, '0 issue "ca.example.net; policy=ev"'],
    ["HTTPS", { priority: 1, target: ".", parameters: ["alpn=h2,h3", "port=8443"] }, '1 . alpn="h2,h3" port=8443'],
    ["HTTPS", { priority: 0, target: "www.example.net." }, "0 www.example.net."],
    [
      "NAPTR",
      {
        order: 100,
        preference: 10,
        flagLetters: "U",
        services: "E2U+sip",
        regexp: "!^.*$!sip:a@example.com!",
        replacement: ".",
      },
      '100 10 "U" "E2U+sip" "!^.*$!sip:a@example.com!" .',
    ],
    [
      "SOA",
      {
        mname: "ns1",
        rname: "admin",
        serial: 4294967295,
        refresh: 7200,
        retry: 3600,
        expire: 1209600,
        minimum: 4294967295,
      },
      "ns1.example.com. admin.example.com. 4294967295 7200 3600 1209600 4294967295",
    ],
  ])("writes %s from the values of its fields", async (mnemonic, values, expected) => {
    const type = shown.find((each) => each.mnemonic === mnemonic) as TypeInfo;
    expect(await check([{ type: mnemonic, rdata: compose(type, values) }])).toEqual([expected]);
  });
});

describe("Record.data", () => {
  /** The records of the zone with their data, every type selected at once. */
  async function stored(): Promise<
    Map<string, { rdata: string; data: Record<string, Value> & { __typename: string } }>
  > {
    const raw = "... on RawData { hex length }";
    const document = `{ records(filter: { zone: "${zone}" }, first: 200) { nodes { type rdata data { __typename ${raw} ${selection(creatable)} } } } }`;
    const { records } = await service.data(document);
    return new Map(records.nodes.map((record: Json) => [record.type, record]));
  }

  beforeAll(async () => {
    const add = creatable
      .filter(({ mnemonic }) => mnemonic !== "SOA")
      .map(({ mnemonic, code, example }) => ({ owner: `t${code}`, type: mnemonic, rdata: example }));
    add.push({ owner: "raw", type: "TYPE65280", rdata: "\\# 4 0a000001" });
    const document = mutation("changeRecords", "records { id }");
    await service.data(document, { input: { zone, add } });
  });

  test("of each type is what the table reads in its example, all types selected at once", async () => {
    const records = await stored();
    const expected = recordTypes.filter(({ creatable, mnemonic }) => creatable && !/^(SOA|NS|CNAME)$/.test(mnemonic));
    expect(expected.map(({ mnemonic }) => [mnemonic, records.get(mnemonic)?.data])).toEqual(
      expected.map((type) => [
        type.mnemonic,
        {
          __typename: shown.find(({ mnemonic }) => mnemonic === type.mnemonic)?.dataType,
          ...reading(type, type.example),
        },
      ]),
    );
  });

  test("makes the same record again when a form writes it", async () => {
    const records = await stored();
    const written = creatable.map((type) => ({
      type: type.mnemonic,
      rdata: compose(type, records.get(type.mnemonic)?.data ?? {}),
    }));
    expect(await check(written)).toEqual(creatable.map(({ mnemonic }) => records.get(mnemonic)?.rdata));
  });

  test("of a type known by its number alone is raw", async () => {
    expect((await stored()).get("TYPE65280")?.data).toEqual({ __typename: "RawData", hex: "0a000001", length: 4 });
  });

  test("shows numbers beyond 2147483647 whole", async () => {
    const { records } = await service.data(
      `{ records(filter: { zone: "${zone}", types: "SOA" }) { nodes { id serial: rdata } } }`,
    );
    const document = `mutation ($input: UpdateRecordInput!) { updateRecord(input: $input) { record {
      data { ... on SoaData { mname serial refresh minimum } } } } }`;
    const rdata = "ns1 hostmaster 4000000000 4294967295 1 2 4294967295";
    const { updateRecord } = await service.data(document, { input: { id: records.nodes[0].id, rdata, force: true } });
    expect(updateRecord.record.data).toEqual({
      mname: "ns1.example.com.",
      serial: 4000000000,
      refresh: 4294967295,
      minimum: 4294967295,
    });
  });

  test("of octets that are no text is escaped as between quotes", async () => {
    const document = `mutation ($input: CreateRecordInput!) { createRecord(input: $input) { record {
      data { ... on TxtData { strings } } } } }`;
    const input = { zone, owner: "octets", type: "TXT", rdata: '"\\255 \\"; é" ""' };
    expect((await service.data(document, { input })).createRecord.record.data).toEqual({
      strings: ['\\255 \\"; \\195\\169', ""],
    });
  });

  test("is read for the longest data there is", async () => {
    const rdata = Array.from({ length: 32 }, () => `"${"\\255".repeat(255)}"`).join(" ");
    const document = `mutation ($input: CreateRecordInput!) { createRecord(input: $input) { record {
      rdata data { ... on TxtData { strings } } } } }`;
    const { record } = (await service.data(document, { input: { zone, owner: "long", type: "TXT", rdata } }))
      .createRecord;
    expect(record.data.strings.map((each: string) => `"${each}"`).join(" ")).toBe(record.rdata);
  });
});
