/** What lists can be filtered by, what selects one object, and lists within lists: never by one query for each row. */
import { beforeAll, describe, expect, jest, test } from "@jest/globals";
import pg from "pg";
import { eventually } from "../../../setup/basics/eventually.ts";
import { textOf } from "../../../setup/database/statement-text.ts";
import { type Json, testService } from "../../../setup/service/service.ts";

const service = testService();
const zone = "big.example.com";
let userId: string;
beforeAll(async () => {
  userId = await service.user("owner@example.com");
  const otherId = await service.user("other@example.com");
  await service.domain(zone, userId);
  for (let at = 0; at < 20; at += 1) await service.domain(`z${at}.example.net`, at % 2 ? userId : otherId);
});

describe("a filter", () => {
  test.each<[string, number | readonly string[]]>([
    [`records(filter: { owner: "WWW", zone: "BIG.example.com." })`, ["CNAME"]],
    [`records(filter: { owner: "www.${zone}.", zone: "${zone}" })`, ["CNAME"]],
    [`records(filter: { owner: "@", types: "soa", zone: "${zone}" })`, ["SOA"]],
    [`records(filter: { zone: "${zone}", types: ["SOA", "ns"] })`, ["SOA", "NS", "NS"]],
    [`records(filter: { zone: "${zone}", ownerPrefix: "WW" })`, ["CNAME"]],
    [`records(filter: { ownerPrefix: "ww", types: "CNAME" })`, 21],
    [`records(filter: { owner: "", types: "NS" })`, 42],
    [`records(filter: { rdataContains: "NS1.zone", zone: "${zone}" })`, ["SOA", "NS"]],
    [`records(filter: { zone: "nowhere.example.com" })`, 0],
    [`records(filter: { userId: "1000000000999999" })`, 0],
    ["records(filter: { owner: null, types: null, zone: null, userId: null })", 84],
    [`domains(filter: { zone: "Big.Example.COM." })`, 1],
    [`domains(filter: { zoneContains: "G.EXAMPLE" })`, 1],
    [`domains(filter: { zones: ["BIG.example.com.", "absent.example"] })`, 1],
    [`domains(filter: { zones: [] })`, 0],
    [`domains(filter: { zoneContains: "_" })`, 0],
    [`users(filter: { email: "OWNER@Example.com" })`, 1],
  ])("%s leaves what it says", async (list, expected) => {
    const fields = list.startsWith("records") ? "id type" : "id";
    const document = `{ list: ${list.replace(")", ", first: 1000)")} { totalCount nodes { ${fields} } } }`;
    const { nodes, totalCount } = (await service.data(document)).list;
    expect(typeof expected === "number" ? nodes.length : nodes.map(({ type }: Json) => type)).toEqual(expected);
    expect(totalCount).toBe(nodes.length);
  });

  test("by the time of creation does not include its end", async () => {
    const [first, second] = ["z0.example.net", "z1.example.net"];
    await service.sql("update domain set created_at = '2026-01-01' where zone = $1", [first]);
    await service.sql("update domain set created_at = '2026-02-01' where zone = $1", [second]);
    const range = 'createdSince: "2026-01-01T00:00:00Z", createdBefore: "2026-02-01T00:00:00Z"';
    const { domains } = await service.data(`{ domains(filter: { ${range} }) { totalCount nodes { zone } } }`);
    expect(domains).toEqual({ totalCount: 1, nodes: [{ zone: first }] });
    for (const list of ["users", "apiKeys", "updateRefusals"].map((name) => `${name}(filter: { ${range} })`))
      expect((await service.data(`{ list: ${list} { totalCount } }`)).list.totalCount).toBe(0);
    const document = `{ domain(by: { zone: "${first}" }) { none: changes(${range}) { totalCount }
      all: changes(createdSince: "2026-01-01T00:00:00Z") { totalCount } } }`;
    expect((await service.data(document)).domain).toEqual({ none: { totalCount: 0 }, all: { totalCount: 1 } });
  });

  test("reads owners as the zone does, and is refused by the name of its field", async () => {
    const ofZone = (args: string) => `{ domain(by: { zone: "${zone}" }) { records(${args}) { nodes { owner } } } }`;
    for (const owner of ["www", "WWW", `www.${zone}.`])
      expect((await service.data(ofZone(`owner: "${owner}"`))).domain.records.nodes).toEqual([{ owner: "www" }]);
    for (const [document, code, field] of [
      [ofZone(`owner: "www.${zone}"`), "AMBIGUOUS_NAME", "owner"],
      [ofZone('owner: "www.example.net."'), "OUT_OF_ZONE", "owner"],
      [ofZone('types: ["AX"]'), "UNSUPPORTED_TYPE", "types.0"],
      [`{ records(filter: { owner: "www.${zone}." }) { nodes { id } } }`, "MISSING_FIELD", "zone"],
    ] as const)
      expect((await service.graphql(document)).body.errors[0].extensions).toMatchObject({ code, field });
  });
});

test("a selector is exactly one of its fields, in the document as in a variable", async () => {
  const document = "query ($by: DomainSelector!) { domain(by: $by) { zone } }";
  expect((await service.data(document, { by: { zone: "BIG.Example.com." } })).domain.zone).toBe(zone);
  const one = {
    message: expect.stringMatching(/send exactly one of its fields/),
    extensions: { code: "INVALID_VALUE" },
  };
  for (const by of [{}, { zone: null }, { zone, id: "1" }]) {
    const text = JSON.stringify(by).replaceAll(/"(\w+)":/g, "$1: ");
    for (const answer of [
      await service.graphql(document, { by }),
      await service.graphql(`{ domain(by: ${text}) { id } }`),
    ])
      expect([answer.status, answer.body.errors[0]]).toMatchObject([answer.body.data ? 200 : 422, one]);
  }
});

test("nested lists send the same statements for 2 rows as for 20", async () => {
  const document = (
    first: number,
  ) => `{ domains(first: ${first}) { totalCount nodes { user { email domains(first: 1) { totalCount } }
    records(first: 5) { totalCount nodes { owner domain { zone user { email } } } }
    changes(first: 2) { totalCount nodes { id added(first: 5) { totalCount nodes { owner } } removed(first: 5) { nodes { owner } } } } } } }`;
  expect((await statements(document(2))).length).toBeGreaterThan(5);
  // The publisher of the same process sends statements of its own now and then.
  await eventually(async () => expect(await statements(document(20))).toEqual(await statements(document(2))));
});

/** The statements that go to PostgreSQL while a document is answered, sorted, without those that look for the key. */
async function statements(document: string): Promise<string[]> {
  const query = jest.spyOn(pg.Client.prototype, "query");
  await service.data(document);
  const sent = query.mock.calls.map(([each]) => textOf(each));
  query.mockRestore();
  return sent.filter((text) => !text.includes("api_key")).toSorted();
}

describe("unicode", () => {
  test.each([
    ["bücher.example", "xn--bcher-kva.example", "bücher.example"],
    ["XN--BCHER-KVA.example.net", "xn--bcher-kva.example.net", "bücher.example.net"],
    ["0/26.2.0.192.in-addr.arpa", "0/26.2.0.192.in-addr.arpa", "0/26.2.0.192.in-addr.arpa"],
  ])("of the zone %s stored as %s is %s, which finds it", async (given, stored, unicode) => {
    await service.domain(given, userId);
    const { domain } = await service.data(`{ domain(by: { zone: "${unicode}" }) { zone zoneUnicode } }`);
    expect(domain).toEqual({ zone: stored, zoneUnicode: unicode });
  });

  test("of a zone whose label is no A-label, from when that was not asked, is as it is stored", async () => {
    await service.domain("former.example", userId);
    await service.sql("update domain set zone = 'xn--a.example' where zone = 'former.example'");
    const { domain } = await service.data(`{ domain(by: { zone: "xn--a.example" }) { zone zoneUnicode } }`);
    expect(domain).toEqual({ zone: "xn--a.example", zoneUnicode: "xn--a.example" });
  });

  test.each([
    ["straße", "xn--strae-oqa", "straße"],
    ["*.ΔΟΚΙΜΉ", "*.xn--jxalpdlp", "*.δοκιμή"],
    ["_sip._tcp", "_sip._tcp", "_sip._tcp"],
    ["a\\.b", "a\\046b", "a\\046b"],
    ["@", "@", "@"],
  ])("of the owner %s stored as %s is %s, which finds it", async (given, owner, ownerUnicode) => {
    await service.record(zone, given, "LP", "1 locator.example.net.");
    const document = "query ($filter: RecordFilter) { records(filter: $filter) { nodes { owner ownerUnicode } } }";
    const { records } = await service.data(document, { filter: { zone, owner: ownerUnicode, types: "LP" } });
    expect(records.nodes).toEqual([{ owner, ownerUnicode }]);
  });

  test("of whole labels in a filter", async () => {
    const names = ["mueller-shop.zuerich.example", "müller.shop.zürich.example"];
    for (const name of names) await service.domain(name, userId);
    await service.record(zone, "müller.shop", "A", "192.0.2.1");
    const document = `query ($part: String!) { domains(filter: { zoneContains: $part }) { nodes { zoneUnicode } }
      records(filter: { zone: "${zone}", ownerPrefix: $part }) { nodes { ownerUnicode } } }`;
    const [ascii, unicode] = names.map((zoneUnicode) => [{ zoneUnicode }]);
    const owner = [{ ownerUnicode: "müller.shop" }];
    for (const [part, domains, records] of [
      ["Müller", unicode, owner],
      ["müller.shop", unicode, owner],
      ["shop.Zürich", unicode, []],
      ["mueller", ascii, []],
    ])
      expect(await service.data(document, { part })).toEqual({
        domains: { nodes: domains },
        records: { nodes: records },
      });
  });
});
