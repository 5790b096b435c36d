/** What one request may ask for: floods are refused by name before they cost anything. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { getIntrospectionQuery } from "graphql";
import { codes } from "../../../src/error-codes.ts";
import { expectCalm, expectRefused } from "../../setup/service/refusal.ts";
import { type Answer, answerOf, mutation, testService } from "../../setup/service/service.ts";

const service = testService();
/** A quarter of a second of one core, in microseconds. */
const quarter = 250_000;
const times = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at)).join(" ");
const spread = (count: number) => times(count, (at) => `...f${at}`);
const fragments = (count: number, on: string, fields: (at: number) => string) =>
  times(count, (at) => `fragment f${at} on ${on} { ${fields(at)} }`);
/** Fragments that each spread the previous one twice. */
const chain = (length: number, field: string, on = "Query") =>
  fragments(length, on, (at) => (at === 0 ? field : `...f${at - 1} ...f${at - 1}`));
const nested = (depth: number, open: string, inside: string, close: string) =>
  open.repeat(depth) + inside + close.repeat(depth);
const policy = "ttlPolicy { min }";
const optional = { specifiedByUrl: true, directiveIsRepeatable: true, inputValueDeprecation: true, oneOf: true };
const standardIntrospection = getIntrospectionQuery({ descriptions: true, schemaDescription: true, ...optional });

beforeAll(async () => {
  for (let round = 0; round < 5; round += 1) await service.graphql("{ ttlPolicy { min } nothing }");
});

/** Sends a request and measures the processor time of this process, µs: the least of three, since other work only adds. */
async function costOf(send: () => Promise<Answer>): Promise<{ answer: Answer; cost: number }> {
  const [first, ...others] = [await measured(send), await measured(send), await measured(send)] as const;
  return { answer: first.answer, cost: Math.min(first.cost, ...others.map(({ cost }) => cost)) };
}

async function measured(send: () => Promise<Answer>): Promise<{ answer: Answer; cost: number }> {
  const start = process.cpuUsage();
  const answer = await send();
  const { user, system } = process.cpuUsage(start);
  return { answer, cost: user + system };
}

/** Sends a body as it is. */
const post = async (body: string) => answerOf(await service.post(body));

describe("QUERY_TOO_COMPLEX is the answer, within a quarter of a second of one core, to", () => {
  test.each<[string, string]>([
    ["22 fragments that each spread the previous one twice", `{ ...f21 } ${chain(22, policy)}`],
    ["20 such fragments over introspection", `{ __schema { ...f19 } } ${chain(20, "types { name }", "__Schema")}`],
    ["101 fragments", `{ ${spread(101)} } ${fragments(101, "Query", () => "__typename")}`],
    ["300 aliases", `{ ${times(300, (at) => `a${at}: ${policy}`)} }`],
    [
      "31 aliases of a mutation",
      `mutation { ${times(31, (at) => `a${at}: deleteUser(input: { by: { id: 1 } }) { deletedId }`)} }`,
    ],
    ["1990 times one field", `{ ${times(1990, () => "__typename")} }`],
    ["240 times one field with a selection", `{ ${times(240, () => policy)} }`],
    ["the same in fragments", `{ ${spread(2)} } ${fragments(2, "Query", () => times(120, () => policy))}`],
    [
      "the same in a fragment that nobody uses",
      `{ __typename } ${fragments(1, "Query", () => times(480, () => policy))}`,
    ],
    ["11 levels", `{ users { nodes { ${nested(3, "domains { nodes { user { ", "id", " } } }")} } } }`],
    ["300 directives", `{ ttlPolicy { min ${times(300, () => "@include(if: true)")} } }`],
    ["31 directives on a query", `query ${times(31, () => "@a")} { __typename }`],
    ["5001 tokens", `{ ${times(4999, () => "a")} }`],
    ["60000 tokens", `{ ${times(60000, () => "a")} }`],
    [
      "2001 fields",
      `{ domains { nodes { ${spread(21)} } } } ${fragments(21, "Domain", (at) => times(100, (field) => `x${at}x${field}`))}`,
    ],
    ["types within types", `{ __type(name: "Query") { ${nested(40, "fields { type { ", "name", " } }")} } }`],
    [
      "types many times over",
      `{ __schema { types { ${times(5, (i) => `a${i}: fields { type { ${times(4, (j) => `a${i}${j}: fields { name }`)} } }`)} } } }`,
    ],
    ["a page of 200 domains with 50 records each", "{ domains(first: 200) { nodes { records { nodes { id } } } } }"],
    ["domains of users of domains", "{ users { nodes { domains { nodes { records { nodes { id } } } } } } }"],
    [
      "10000 rows, each under 20 names",
      `{ domains(first: 10) { nodes { records(first: 900) { ${times(20, (at) => `a${at}: nodes { id }`)} } } } }`,
    ],
    [
      "pages whose size is a variable's default",
      "query ($n: Int! = 1000) { domains(first: $n) { nodes { records(first: $n) { nodes { id } } } } }",
    ],
    ["pages within pages", "{ domains(first: 100) { nodes { changes { nodes { added { nodes { owner } } } } } } }"],
  ])("%s", async (_flood, query) => {
    const { answer, cost } = await costOf(() => service.graphql(query));
    expectRefused(answer, "QUERY_TOO_COMPLEX");
    expect(answer.body.data).toBeUndefined();
    expect(cost).toBeLessThan(quarter);
  });

  test("pages within the records that a mutation answers, and nothing is written", async () => {
    const userId = await service.user("owner@example.com");
    await service.domain("big.example.com", userId);
    const before = await service.snapshot("big.example.com");
    const document = mutation("changeRecords", "records { domain { records(first: 1000) { nodes { id } } } }");
    const add = Array.from({ length: 100 }, (_, at) => ({ owner: `h${at}`, type: "A", rdata: "192.0.2.1" }));
    const { answer, cost } = await costOf(() => service.graphql(document, { input: { zone: "big.example.com", add } }));
    expectRefused(answer, "QUERY_TOO_COMPLEX");
    expect(cost).toBeLessThan(quarter);
    expect(await service.snapshot("big.example.com")).toEqual(before);
  });
});

describe("a refusal of what was sent is the answer, within a quarter of a second of one core, to", () => {
  const check = `query ($records: [RecordInput!]!) { checkRecords(zone: "example.com", records: $records) { ok } }`;
  const checking = (records: string) => `{ checkRecords(zone: "example.com", records: ${records}) { ok } }`;
  const body = (query: string, variables = "{}") => `{"query":${JSON.stringify(query)},"variables":${variables}}`;
  const ofRecords = (records: string) => body(check, `{"records":${records}}`);
  const many = (item: (at: number) => string) => Array.from({ length: 8000 }, (_, at) => item(at)).join();
  const createUser = mutation("createUser", "user { id }");
  const wrong = ["records.0", "INVALID_VALUE"] as const;
  const noOwner = ["records.owner", "MISSING_FIELD"] as const;
  test.each<[string, string, string?, (keyof typeof codes)?]>([
    ["450 unknown fields", body(`{ ${times(450, (at) => `x${at}`)} }`)],
    ["fragments in a circle", body("{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }")],
    ["45 fragments that all spread each other", body(`{ ...f0 } ${fragments(45, "Query", () => spread(45))}`)],
    ["lists 900 deep in the text", body(checking(nested(900, "[", "", "]"))), ...wrong],
    ["objects 400 deep in the text", body(checking(nested(400, "{ a: ", "1", "}"))), ...noOwner],
    ["lists 50000 deep in a variable", ofRecords(nested(50000, "[", "", "]")), ...wrong],
    ["objects 10000 deep in a variable", ofRecords(nested(10000, '{"a":', "1", "}")), ...noOwner],
    ["8000 bad objects in a variable", ofRecords(`[${many(() => '{"a":1}')}]`), "records.0.owner", "MISSING_FIELD"],
    ["8000 variables too many", body(check, `{${many((at) => `"v${at}":1`)}}`), "records", "MISSING_FIELD"],
    ["450 variables that nobody uses", body(`query (${times(450, (at) => `$v${at}: Int`)}) { __typename }`), "v0"],
    [
      "a TTL over 2^31",
      ofRecords('[{"owner":"a","type":"A","rdata":"192.0.2.1","ttl":2147483648}]'),
      "records.0.ttl",
      "INVALID_TTL",
    ],
    ["a prototype", body(createUser, '{"input":{"email":"a@b.example","__proto__":{"role":"admin"}}}'), "__proto__"],
    ["a batch", '[{"query":"{ __typename }"},{"query":"{ __typename }"}]'],
    ["a query that is no text", '{"query":{"a":1}}'],
    ["no query", "{}"],
    ["no body", ""],
  ])("%s", async (_case, ...[text, field, code = "BAD_REQUEST"]) => {
    const { answer, cost } = await costOf(() => post(text));
    expectRefused(answer, code);
    expect(answer.body.errors[0].extensions.field).toBe(field);
    expect(answer.body.errors.length).toBeLessThanOrEqual(51);
    expect(cost).toBeLessThan(quarter);
  });
});

test("a persisted query is refused, of which there are none", async () => {
  const answer = await post('{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"00"}}}');
  expect(answer.body.errors[0].extensions.code).toBe("BAD_REQUEST");
});

test.each([
  ["users", 'users(filter: { email: "VALUE" })', "email"],
  ["domains", 'domains(filter: { zoneContains: "VALUE" })', "zoneContains"],
  ["domains by zone", 'domains(filter: { zone: "VALUE" })', "zone"],
  ["records", 'records(filter: { rdataContains: "VALUE" })', "rdataContains"],
  ["records by owner", 'records(filter: { owner: "VALUE" })', "owner"],
  ["records by type", 'records(filter: { types: "VALUE" })', "types.0"],
])("control characters and endless texts in a filter of %s are refused by its name", async (_list, list, field) => {
  for (const value of ["a\\u0000b", "a\\u0007", "a".repeat(3000)]) {
    const answer = await service.graphql(`{ ${list.replace("VALUE", value)} { totalCount } }`);
    expectCalm(answer);
    const { code, field: named } = answer.body.errors[0].extensions;
    expect([codes[code as keyof typeof codes].status, named]).toEqual([422, field]);
  }
});

test("the standard introspection query is answered to the holder of a key", async () => {
  const { data } = (await service.graphql(standardIntrospection)).body;
  expect(data.__schema.queryType.name).toBe("Query");
  const { status } = await service.graphql(standardIntrospection, {}, null);
  expect(status).toBe(401);
});

describe("within a quarter of a second of one core is answered", () => {
  const page = (first: number, count: number, fields: (at: number) => string, spreads = spread(count)) =>
    `{ domains(first: ${first}) { nodes { __typename ${spreads} } } } ${fragments(count, "Domain", fields)}`;
  const base = "id zone serial createdAt";
  const records = "records(first: 5) { __typename nodes { __typename id owner type ttl rdata } }";
  const domains = `domains(first: 1) { nodes { ${base} } }`;

  test.each<[string, string]>([
    ["a page of 60 components", page(20, 60, () => `__typename ${base} user { __typename id email } ${records}`)],
    ["100 fragments of the same 15 fields", page(1, 100, () => `${base} user { id email createdAt ${domains} }`)],
    [
      "100 fragments, each in the one before",
      page(1, 100, (at) => `${base} ${at < 99 ? `...f${at + 1}` : ""}`, "...f0"),
    ],
  ])("%s", async (_page, query) => {
    await service.graphql(query);
    const { answer, cost } = await costOf(() => service.graphql(query));
    expect(answer.body.errors).toBeUndefined();
    expect(cost).toBeLessThan(quarter);
  });
});

test("a query over a limit has one error, with the limit and what the query has", async () => {
  const deep = `{ ${times(12, () => "domains { nodes { user {")} id ${"} } }".repeat(12)} }`;
  const { errors } = (await service.graphql(deep)).body;
  expect(errors).toHaveLength(1);
  expect(errors[0].extensions).toMatchObject({ code: "QUERY_TOO_COMPLEX", details: { limit: 10, value: 37 } });
});
