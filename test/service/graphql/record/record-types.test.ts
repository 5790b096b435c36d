/** The types of records as a frontend knows them, by what `recordTypes` says alone. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { zoneNameWire } from "../../../../src/dns/name.ts";
import { parseRdata, rdataFields } from "../../../../src/dns/rdata/rdata.ts";
import { type RecordType, recordTypes } from "../../../../src/dns/rdata/record-type-registry.ts";
import { typedRecordTypes } from "../../../../src/graphql/schema/record/record-data.ts";
import { type Json, testService } from "../../../setup/service/service.ts";

type Value = number | string | readonly string[];

const service = testService();
const zone = "example.com";
let shown: readonly Json[];
let creatable: readonly Json[];

const everything = `mnemonic: type code rfc description example creatable
  fields { name kind form max range description quoted optional choices { value name } }`;

beforeAll(async () => {
  await service.domain(zone, await service.user("owner@example.com"));
  shown = (await service.data(`{ recordTypes { ${everything} } }`)).recordTypes;
  creatable = shown.filter((type) => type.creatable);
});

/** Judges records as they are typed, at the owner `a` where they name none. */
async function check(records: readonly Json[], selection: string): Promise<Json[]> {
  const document = `query ($zone: String!, $records: [RecordInput!]!) {
    checkRecords(zone: $zone, records: $records) { ${selection} } }`;
  const sent = records.map((record) => ({ owner: "a", ...record }));
  return (await service.data(document, { zone, records: sent })).checkRecords;
}

/** The canonical data of each, or the refusals. */
const canonical = async (records: readonly Json[]) =>
  (await check(records, "rdata refusals { message }")).map(({ rdata, refusals }) => rdata ?? refusals);

/** What a form writes for values that were typed into its fields. */
function compose({ fields }: Json, values: Readonly<Record<string, Value>>): string {
  const text = ({ name, quoted }: Json) =>
    [values[name] ?? []].flat().map((value) => (quoted ? `"${value}"` : String(value)));
  return fields.flatMap(text).join(" ");
}

const isTyped = ({ mnemonic }: Json) => typedRecordTypes.some((type) => type.mnemonic === mnemonic);

/** The name of the object type of a type's data. */
const sharedTypes = new Map(
  Object.entries({
    AddressData: "A AAAA",
    AliasData: "CNAME DNAME",
    SvcbData: "HTTPS SVCB",
    TlsaData: "SMIMEA TLSA",
  }).flatMap(([name, types]) => types.split(" ").map((mnemonic) => [mnemonic, name] as const)),
);
const dataTypeOf = (mnemonic: string) =>
  sharedTypes.get(mnemonic) ?? `${mnemonic.charAt(0)}${mnemonic.slice(1).toLowerCase()}Data`;

/** A document's selection of the data of several types at once. */
const selection = (types: readonly Json[]) =>
  types
    .map(
      ({ mnemonic, fields }) => `... on ${dataTypeOf(mnemonic)} { ${fields.map(({ name }: Json) => name).join(" ")} }`,
    )
    .join("\n");

const reading = (type: RecordType, rdata: string) =>
  rdataFields(type, parseRdata(type, rdata, { origin: zoneNameWire(zone), context: "field" }));

describe("recordTypes", () => {
  test("shows every row of the table, by number, but for the fields that the wire alone has", () => {
    const row = ({ mnemonic, code, rfc, description, example, creatable, fields }: Json) => ({
      ...{ mnemonic, code, rfc, description, example, creatable },
      fields: fields.filter(({ silent }: Json) => !silent).map(({ name }: Json) => name),
    });
    expect(shown.map(row)).toEqual(recordTypes.map(row));
  });

  test("says what a form needs", () => {
    const { fields, ...type } = shown.find(({ mnemonic }) => mnemonic === "MX");
    expect(type).toMatchObject({ code: 15, rfc: "RFC 1035 §3.3.9", creatable: true });
    const common = { description: expect.any(String), quoted: false, optional: false, choices: [] };
    const range = "a domain name; without a trailing dot it is relative to the zone";
    const number = { kind: "u16", form: "INTEGER", max: 65535, range: "a number from 0 to 65535" };
    expect(fields).toEqual([
      { name: "preference", ...number, ...common },
      { name: "exchange", kind: "name", form: "TEXT", max: null, range, ...common },
    ]);
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

  test("names choices of fields, each once and within its range", () => {
    const choicesOf = (type: string, field: string) =>
      shown.find(({ mnemonic }) => mnemonic === type).fields.find(({ name }: Json) => name === field).choices;
    expect(choicesOf("DS", "digestType")).toEqual([
      { value: "1", name: "SHA-1" },
      { value: "2", name: "SHA-256" },
      { value: "4", name: "SHA-384" },
    ]);
    expect(choicesOf("DS", "algorithm")).toContainEqual({ value: "13", name: "ECDSAP256SHA256" });
    const fields = shown.flatMap((type) => type.fields).filter(({ choices }) => choices.length > 0);
    expect(fields.length).toBeGreaterThan(20);
    for (const { form, max, choices } of fields) {
      expect(form).toBe("INTEGER");
      const values: string[] = choices.map(({ value }: Json) => value);
      expect(values.filter((value) => Number(value) > max)).toEqual([]);
      expect(new Set(values).size).toBe(values.length);
    }
  });

  test("tells what cannot be created", () => {
    const not = shown.filter((type) => !type.creatable).map(({ mnemonic }) => mnemonic);
    expect(not).toEqual(["MD", "MF", "RRSIG", "NSEC", "NSEC3"]);
  });

  const ask = "query ($type: RecordType) { recordTypes(type: $type) { mnemonic: type fields { name } } }";
  test.each([
    ["mx", "MX", 2],
    ["TYPE15", "MX", 2],
    ["TYPE65280", "TYPE65280", 0],
  ])("asked for %s shows %s alone", async (type, mnemonic, fields) => {
    const { recordTypes: found } = await service.data(ask, { type });
    expect(found).toEqual([{ mnemonic, fields: expect.any(Array) }]);
    expect(found[0].fields).toHaveLength(fields);
  });

  test.each(["ANY", "TYPE251", "MAIL", "TYPE65536", ""])("asked for %j refuses", async (type) => {
    const { body } = await service.graphql(ask, { type });
    expect(body.errors[0].extensions).toMatchObject({ code: "UNSUPPORTED_TYPE", field: "type" });
  });
});

describe("a form", () => {
  test("may offer every example: it is accepted, its canonical form as itself, and so is what is written of its fields", async () => {
    const examples = creatable.map(({ mnemonic, example }) => ({ type: mnemonic, rdata: example }));
    const rdata = await canonical(examples);
    expect(await canonical(examples.map(({ type }, at) => ({ type, rdata: rdata[at] })))).toEqual(rdata);
    const written = recordTypes
      .filter((each) => each.creatable)
      .map((type) => ({
        type: type.mnemonic,
        rdata: compose(
          shown.find(({ mnemonic }) => mnemonic === type.mnemonic),
          reading(type, type.example) as Record<string, Value>,
        ),
      }));
    expect(await canonical(written)).toEqual(rdata);
  });

  test.each<[string, Record<string, Value>, string]>([
    ["MX", { preference: 10, exchange: "mail" }, "10 mail.example.com."],
    ["TXT", { strings: ["v=spf1 -all", 'a \\" quote; and more'] }, '"v=spf1 -all" "a \\" quote; and more"'],
    ["CAA", { flags: 0, tag: "issue", value: "ca.example.net; policy=ev" }, '0 issue "ca.example.net; policy=ev"'],
    ["HTTPS", { priority: 1, target: ".", parameters: ["alpn=h2,h3", "port=8443"] }, '1 . alpn="h2,h3" port=8443'],
    ["HTTPS", { priority: 0, target: "www.example.net." }, "0 www.example.net."],
  ])("writes %s from the values of its fields", async (mnemonic, values, expected) => {
    const type = shown.find((each) => each.mnemonic === mnemonic);
    expect(await canonical([{ type: mnemonic, rdata: compose(type, values) }])).toEqual([expected]);
  });

  test("shows a good record as it would be stored, with what is probably wrong, and a bad one as a refusal in its row", async () => {
    const row = "ok owner type ttl rdata refusals { code field message } notices { code field message }";
    const records = [
      { owner: "WWW", type: "a", rdata: "192.0.2.1", ttl: 300 },
      { owner: "a..b", type: "A", rdata: "192.0.2.1" },
      { type: "TXT", rdata: "v=spf1" },
    ];
    const [good, bad, cut] = await check(records, row);
    const stored = { owner: "www", type: "A", ttl: 300, rdata: "192.0.2.1" };
    expect(good).toEqual({ ok: true, ...stored, refusals: [], notices: [] });
    const message = expect.stringMatching(/^\S.{5,}\.$/s);
    const refusals = [{ code: "INVALID_NAME", field: "owner", message }];
    const nothing = { owner: null, type: null, ttl: null, rdata: null };
    expect(bad).toEqual({ ok: false, ...nothing, refusals, notices: [] });
    const damaged = expect.stringMatching(/^rdata is "v=spf1" alone/);
    expect(cut.notices).toEqual([{ code: "DAMAGED_TEXT", field: "rdata", message: damaged }]);
  });
});

describe("Record.data", () => {
  /** The records of the zone with their data, every type selected at once. */
  async function stored(): Promise<Map<string, Json>> {
    const data = `data { __typename ${selection(creatable.filter(isTyped))} }`;
    const list = `records(filter: { zone: "${zone}" }, first: 200) { nodes { type rdata ${data} } }`;
    return new Map((await service.data(`{ ${list} }`)).records.nodes.map((record: Json) => [record.type, record]));
  }

  beforeAll(async () => {
    const add = creatable
      .filter(({ mnemonic }) => mnemonic !== "SOA")
      .map(({ mnemonic, code, example }) => ({ owner: `t${code}`, type: mnemonic, rdata: example }));
    add.push({ owner: "raw", type: "TYPE65280", rdata: "\\# 4 0a000001" });
    await service.mutate("changeRecords", { zone, add }, "records { id }");
  });

  test("of each type that people write is what the table reads in its example, and null of any other", async () => {
    const records = await stored();
    for (const type of recordTypes.filter((each) => each.creatable && !/^(SOA|NS|CNAME)$/.test(each.mnemonic))) {
      const { data } = records.get(type.mnemonic);
      const values = { __typename: dataTypeOf(type.mnemonic), ...reading(type, type.example) };
      expect([type.mnemonic, data]).toEqual([type.mnemonic, isTyped(type) ? values : null]);
    }
    expect(records.get("TYPE65280").data).toBeNull();
  });

  test("makes the same record again when a form writes it", async () => {
    const records = await stored();
    const typed = creatable.filter(isTyped);
    const written = typed.map((type) => ({
      type: type.mnemonic,
      rdata: compose(type, records.get(type.mnemonic).data),
    }));
    expect(await canonical(written)).toEqual(typed.map(({ mnemonic }) => records.get(mnemonic).rdata));
  });

  test("shows numbers beyond 2147483647 whole", async () => {
    const { records } = await service.data(`{ records(filter: { zone: "${zone}", types: "SOA" }) { nodes { id } } }`);
    const rdata = "ns1 hostmaster 4000000000 4294967295 1 2 4294967295";
    const data = "record { data { ... on SoaData { serial refresh minimum } } }";
    const { record } = await service.mutate(
      "updateRecord",
      { recordId: records.nodes[0].id, rdata, force: true },
      data,
    );
    expect(record.data).toEqual({ serial: 4000000000, refresh: 4294967295, minimum: 4294967295 });
  });

  test("of octets that are no text is escaped as between quotes, also of the longest data there is", async () => {
    const create = async (owner: string, rdata: string) => {
      const input = { zone, owner, type: "TXT", rdata };
      return (await service.mutate("createRecord", input, "record { rdata data { ... on TxtData { strings } } }"))
        .record;
    };
    expect((await create("octets", '"\\255 \\"; é" ""')).data.strings).toEqual(['\\255 \\"; \\195\\169', ""]);
    const long = Array.from({ length: 32 }, () => `"${"\\255".repeat(255)}"`).join(" ");
    const { rdata, data } = await create("long", long);
    expect(data.strings.map((each: string) => `"${each}"`).join(" ")).toBe(rdata);
  });
});
