/**
 * Lists filtered, and lists within lists: never by one query for each row.
 */
import { beforeAll, describe, expect, test } from "@jest/globals";
import pg from "pg";
import { eventually } from "../../setup/basics/eventually.ts";
import { type Json, testService } from "../../setup/service/service.ts";

const service = testService();
const zone = "big.example.com";
beforeAll(async () => {
  const userId = await service.user("owner@example.com");
  const otherId = await service.user("other@example.com");
  await service.domain(zone, userId);
  for (let at = 0; at < 20; at += 1) await service.domain(`z${at}.example.net`, at % 2 ? userId : otherId);
});

describe("a filter", () => {
  const www = `{ owner: "WWW", zone: "BIG.example.com." }`;
  test.each<[string, (rows: Json[]) => void]>([
    [`records(filter: ${www})`, (rows) => expect(rows.map(({ type }) => type)).toEqual(["CNAME"])],
    [`records(filter: { owner: "www.${zone}.", zone: "${zone}" })`, (rows) => expect(rows).toHaveLength(1)],
    [
      `records(filter: { owner: "@", types: "soa", zone: "${zone}" })`,
      (rows) => expect(rows.map(({ type }) => type)).toEqual(["SOA"]),
    ],
    [`records(filter: { owner: "", types: "NS" })`, (rows) => expect(rows).toHaveLength(42)],
    [
      `records(filter: { rdataContains: "NS1.zone", zone: "${zone}" })`,
      (rows) => expect(rows.map(({ type }) => type)).toEqual(["SOA", "NS"]),
    ],
    [`records(filter: { rdataContains: "%" })`, (rows) => expect(rows).toEqual([])],
    [`records(filter: { zone: "nowhere.example.com" })`, (rows) => expect(rows).toEqual([])],
    [`records(filter: { userId: "1000000000999999" })`, (rows) => expect(rows).toEqual([])],
    [
      "records(filter: { owner: null, types: null, zone: null, userId: null })",
      (rows) => expect(rows.length).toBeGreaterThan(40),
    ],
    [`domains(filter: { zone: "Big.Example.COM." })`, (rows) => expect(rows).toHaveLength(1)],
    [`domains(filter: { zoneContains: "G.EXAMPLE" })`, (rows) => expect(rows).toHaveLength(1)],
    [`domains(filter: { zones: ["BIG.example.com.", "absent.example"] })`, (rows) => expect(rows).toHaveLength(1)],
    [`domains(filter: { zones: [] })`, (rows) => expect(rows).toEqual([])],
    [`domains(filter: { zoneContains: "_" })`, (rows) => expect(rows).toEqual([])],
    [`users(filter: { email: "OWNER@Example.com" })`, (rows) => expect(rows).toHaveLength(1)],
  ])("%s leaves what it says", async (list, judge) => {
    const fields = list.startsWith("records") ? "id type" : "id";
    const { body } = await service.graphql(
      `{ list: ${list.replace(")", ", first: 1000)")} { totalCount nodes { ${fields} } } }`,
    );
    expect(body.errors).toBeUndefined();
    judge(body.data.list.nodes);
    expect(body.data.list.totalCount).toBe(body.data.list.nodes.length);
  });

  test("on the records of a zone reads owners as the zone does", async () => {
    const ask = (owner: string) =>
      service.graphql(
        `{ domain(by: { zone: "${zone}" }) { records(owner: "${owner}") { totalCount nodes { owner } } } }`,
      );
    for (const owner of ["www", "WWW", `www.${zone}.`])
      expect((await ask(owner)).body.data.domain.records).toEqual({ totalCount: 1, nodes: [{ owner: "www" }] });
    expect((await ask(`www.${zone}`)).body.errors[0].extensions).toMatchObject({
      code: "AMBIGUOUS_NAME",
      field: "owner",
    });
    expect((await ask("www.example.net.")).body.errors[0].extensions).toMatchObject({
      code: "OUT_OF_ZONE",
      field: "owner",
    });
  });
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
  const { query } = pg.Client.prototype;
  const sent: string[] = [];
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    sent.push(typeof args[0] === "string" ? args[0] : (args[0] as { text: string }).text);
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    await service.data(document);
  } finally {
    pg.Client.prototype.query = query;
  }
  return sent.filter((text) => !text.includes("api_key")).toSorted();
}

test("an argument of a nested list that is wrong is refused as that of a list of its own", async () => {
  const { body } = await service.graphql(
    `{ domain(by: { zone: "${zone}" }) { records(types: ["AX"]) { nodes { id } } } }`,
  );
  expect(body.errors[0].extensions).toMatchObject({ code: "UNSUPPORTED_TYPE", field: "types.0" });
});
