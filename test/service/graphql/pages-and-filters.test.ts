/**
 * Pages in both directions, and what lists can be filtered by.
 */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { type Json, testService } from "../../setup/service/service.ts";

const service = testService();
const zones = ["a.example.com", "b.example.com", "c.example.com"];
let userId: string;

beforeAll(async () => {
  userId = await service.user("pages@example.com");
  for (const zone of zones) {
    await service.domain(zone, userId);
    for (const owner of ["host1", "host2", "mail"]) await service.record(zone, owner, "A", "192.0.2.1");
  }
});

interface Row {
  readonly id: string;
}

const info = "pageInfo { hasNextPage hasPreviousPage startCursor endCursor }";
const lists: readonly [string, (page: string) => string, (data: Json) => Json][] = [
  ["records of all zones", (page) => `{ records(${page}) { nodes { id } ${info} } }`, (data) => data.records],
  [
    "records, newest first",
    (page) => `{ records(orderBy: CREATED_DESC, ${page}) { nodes { id } ${info} } }`,
    (data) => data.records,
  ],
  [
    "records of one zone",
    (page) => `{ domain(by: { zone: "b.example.com" }) { records(${page}) { nodes { id } ${info} } } }`,
    (data) => data.domain.records,
  ],
  ["domains", (page) => `{ domains(${page}) { nodes { id } ${info} } }`, (data) => data.domains],
  [
    "domains by name, descending",
    (page) => `{ domains(orderBy: ZONE_DESC, ${page}) { nodes { id } ${info} } }`,
    (data) => data.domains,
  ],
  [
    "changes",
    (page) => `{ domain(by: { zone: "c.example.com" }) { changes(${page}) { nodes { id } ${info} } } }`,
    (data) => data.domain.changes,
  ],
];

describe.each(lists)("%s", (_list, document, pick) => {
  const read = async (page: string) => pick(await service.data(document(page)));
  const ids = (page: { nodes: Row[] }) => page.nodes.map(({ id }) => id);

  test("are read from the end by last and before, in the order of the list", async () => {
    const all = ids(await read("first: 1000"));
    expect(all.length).toBeGreaterThanOrEqual(3);
    const read2: string[] = [];
    for (let before: string | undefined, more = true; more; ) {
      const page = await read(`last: 2${before ? `, before: "${before}"` : ""}`);
      expect(page.pageInfo.hasNextPage).toBe(before !== undefined);
      read2.unshift(...ids(page));
      [before, more] = [page.pageInfo.startCursor, page.pageInfo.hasPreviousPage];
    }
    expect(read2).toEqual(all);
  });

  test("are read between two cursors", async () => {
    const all = await read("first: 1000");
    const inner = await read(`after: "${all.pageInfo.startCursor}", before: "${all.pageInfo.endCursor}"`);
    expect(ids(inner)).toEqual(ids(all).slice(1, -1));
  });

  test("are not read from both ends at once, nor before a cursor of another list", async () => {
    const refused = async (page: string) => {
      const { body } = await service.graphql(document(page));
      return [body.errors[0].extensions.code, body.errors[0].extensions.field];
    };
    expect(await refused("first: 1, last: 1")).toEqual(["INVALID_VALUE", "last"]);
    expect(await refused('last: 1, before: "x"')).toEqual(["INVALID_VALUE", "before"]);
    expect(await refused("last: 0")).toEqual(["INVALID_VALUE", "last"]);
  });
});

test("pages from the end count as rows", async () => {
  const document = "{ domains(last: 200) { nodes { records(last: 100) { nodes { id } } } } }";
  expect(await service.refusal(document)).toBe("QUERY_TOO_COMPLEX");
});

test.each([
  ['records(filter: { zone: "a.example.com", types: [SOA, NS] }) { nodes { type } }', ["SOA", "NS", "NS"]],
  ['records(filter: { zone: "a.example.com", ownerPrefix: "HOST" }) { nodes { owner } }', ["host1", "host2"]],
  ['records(filter: { ownerPrefix: "mai", types: A }) { nodes { zone } }', zones],
])("%s", async (list, expected) => {
  const document = `{ ${list.replace("[SOA, NS]", '["SOA", "ns"]').replace("types: A", 'types: "A"')} }`;
  const { records } = await service.data(document);
  expect(records.nodes.flatMap((node: Json) => Object.values(node))).toEqual(expected);
});

test("a list is filtered by the time of creation, the end of which does not belong to it", async () => {
  await service.sql("update domain set created_at = '2026-01-01' where zone = 'a.example.com'");
  await service.sql("update domain set created_at = '2026-02-01' where zone = 'b.example.com'");
  const range = 'createdSince: "2026-01-01T00:00:00Z", createdBefore: "2026-02-01T00:00:00Z"';
  const { domains } = await service.data(`{ domains(filter: { ${range} }) { totalCount nodes { zone } } }`);
  expect(domains).toEqual({ totalCount: 1, nodes: [{ zone: "a.example.com" }] });
  for (const list of [
    `users(filter: { ${range} })`,
    `apiKeys(filter: { ${range} })`,
    `updateRefusals(filter: { ${range} })`,
  ])
    expect((await service.data(`{ list: ${list} { totalCount } }`)).list.totalCount).toBe(0);
  const document = `{ domain(by: { zone: "a.example.com" }) { none: changes(${range}) { totalCount } all: changes(createdSince: "2026-01-01T00:00:00Z") { totalCount } } }`;
  expect((await service.data(document)).domain).toEqual({ none: { totalCount: 0 }, all: { totalCount: 4 } });
});

describe("a selector is exactly one of its fields:", () => {
  test.each([
    ["nothing", "by: {}"],
    ["two", `by: { id: "1", zone: "a.example.com" }`],
    ["null", "by: { zone: null }"],
  ])("%s", async (_case, by) => {
    const { status, body } = await service.graphql(`{ domain(${by}) { id } }`);
    expect([status, body.errors[0].extensions.code]).toEqual([422, "INVALID_VALUE"]);
    expect(body.errors[0].message).toMatch(/send exactly one of its fields/);
  });

  test("as a variable", async () => {
    const document = "query ($by: DomainSelector!) { domain(by: $by) { zone } }";
    expect((await service.data(document, { by: { zone: "A.Example.com." } })).domain.zone).toBe("a.example.com");
    for (const by of [{}, { zone: null }, { zone: "a.example.com", id: "1" }]) {
      const { body } = await service.graphql(document, { by });
      expect(body.errors[0]).toMatchObject({
        message: expect.stringMatching(/send exactly one/),
        extensions: { code: "INVALID_VALUE" },
      });
    }
  });
});

test("an absolute owner needs its zone", async () => {
  const { body } = await service.graphql('{ records(filter: { owner: "www.a.example.com." }) { nodes { id } } }');
  expect(body.errors[0].extensions).toMatchObject({ code: "MISSING_FIELD", field: "zone" });
});
