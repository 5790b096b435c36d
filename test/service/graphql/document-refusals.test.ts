/** What graphql-js and Apollo refuse, in our codes, with the field that was sent and what to write instead. */
import { describe, expect, test } from "@jest/globals";
import { codes } from "../../../src/error-codes.ts";
import { adminKey, answerOf, mutation, testService } from "../../setup/service/service.ts";

const service = testService();

const createRecord = mutation("createRecord", "record { id }");
const changeRecords = mutation("changeRecords", "change { id }");
const record = { zone: "example.com", owner: "a", type: "A", rdata: "192.0.2.1", ttl: 3600 };

const refusalOf = async (query: string, variables: object = {}, more: object = {}) => {
  const answer = await answerOf(await service.post({ query, variables, ...more }));
  const { message, extensions } = answer.body.errors[0];
  expect(answer.status).toBe(codes[extensions.code as keyof typeof codes].status);
  return { code: extensions.code, field: extensions.field, message };
};

/** A refusal by its code and field, and what its sentence says to write. */
type Refused = readonly [string, RegExp];
const wholeSeconds = /; write whole seconds/;
const missing = (field: string): Refused => [`MISSING_FIELD ${field}`, /is missing; send it\.$/];
const isNull = (field: string): Refused => [`MISSING_FIELD ${field}`, /is null; send a value\.$/];
const add = (...rows: object[]) => ({ input: { zone: "a", add: rows } });
const orderBy = (type: string) => `query ($o: ${type}) { domains(orderBy: $o) { totalCount } }`;
const oneOf = /; write one of ZONE, ZONE_DESC, CREATED, CREATED_DESC, EXCEPTION\.$/;

async function expectRefused(query: string, variables: object, [reason, message]: Refused): Promise<void> {
  const { code, field, message: said } = await refusalOf(query, variables);
  expect([`${code} ${field}`, said]).toEqual([reason, expect.stringMatching(message)]);
}

describe("a value", () => {
  test.each<[string, object, Refused]>([
    ["no TTL", { ttl: "abc" }, ["INVALID_TTL ttl", wholeSeconds]],
    ["no text", { zone: 5 }, ["INVALID_VALUE zone", /; write one text, in quotes\.$/]],
    ["no type", { type: 5 }, ["INVALID_VALUE type", /^type: write a mnemonic/]],
    ["like a path", { expectedSerial: 'x at "evil"; y' }, ["INVALID_VALUE expectedSerial", /: write a whole number/]],
    ["like another message", { zone: ["must not be null."] }, ["INVALID_VALUE zone", /; write one text/]],
    ["null", { zone: null }, isNull("zone")],
    ["none", { zone: undefined }, missing("zone")],
    ["of no field", { zome: 1 }, ["BAD_REQUEST zome", /one that it has\. Did you mean "zone" or "note"\?$/]],
  ])("of an input is %s", async (_, fields, refused) => {
    await expectRefused(createRecord, { input: { ...record, ...fields } }, refused);
  });

  test.each<[string, string, object, Refused]>([
    ["none inside a list", changeRecords, add({ type: "A", rdata: "a" }), missing("add.0.owner")],
    [
      "no TTL, in a list, by another name",
      changeRecords.replaceAll("$input", "$i"),
      { i: add({ ...record, zone: undefined, ttl: "abc" }).input },
      ["INVALID_TTL add.0.ttl", /^add\.0\.ttl is not a TTL; write whole seconds/],
    ],
    ["no object", createRecord, { input: 5 }, ["INVALID_VALUE input", /; write a value of the type CreateRecordInput/]],
    ["none for a variable", createRecord, {}, missing("input")],
    ["null for a variable", createRecord, { input: null }, isNull("input")],
    ["no value of an enum", orderBy("DomainOrder!"), { o: "ZON" }, ["INVALID_VALUE o", oneOf]],
    ["null for an argument by a variable", orderBy("DomainOrder = ZONE"), { o: null }, isNull("orderBy")],
  ])("of a variable is %s", async (_, query, variables, refused) => {
    await expectRefused(query, variables, refused);
  });

  const a = '{owner: "b", type: "A", rdata: "c"}';
  const adding = (rows: string) =>
    `mutation { changeRecords(input: {zone: "a", add: [${rows}]}) { notices { code } } }`;
  test.each<[string, Refused]>([
    [adding(a.replace("}", ', ttl: "d"}')), ["INVALID_TTL add.0.ttl", wholeSeconds]],
    [adding(`${a}, ${a.replace('"c"', "5")}`), ["INVALID_VALUE add.1.rdata", /^add\.1\.rdata is not valid/]],
    [adding('{type: "A", rdata: "a"}'), missing("add.0.owner")],
    ['{ domains(first: "5") { totalCount } }', ["INVALID_VALUE first", /; write a whole number, without quotes\.$/]],
    ["{ domains(orderBy: ZON) { totalCount } }", ["INVALID_VALUE orderBy", oneOf]],
    ["{ domains(filter: {id: 1.5}) { totalCount } }", ["INVALID_VALUE id", /^id: write the digits of an id\.$/]],
    ["{ records(filter: {types: 5}) { totalCount } }", ["INVALID_VALUE types", /^types: write a mnemonic/]],
    ["{ record(id: [1]) { id } }", ["INVALID_VALUE id", /^id: write the digits of an id\.$/]],
    ['{ checkRecords(zone: "a", records: [5]) { ok } }', ["INVALID_VALUE records.0", /of the type RecordInput/]],
    ["{ record { id } }", missing("id")],
    ["{ record(id: null) { id } }", isNull("id")],
    ['mutation { createUser(input: {email: "", role: 1}) { user { id } } }', ["BAD_REQUEST role", /; leave it out/]],
    ["{ __typename @skip }", missing("if")],
  ])("in the document %s", async (query, refused) => {
    await expectRefused(query, {}, refused);
  });
});

test.each<[string, RegExp, string?]>([
  ["", /Send \{"query": "…"\}/],
  ["{", /Write the whole document/],
  ['{ a: "b }', /Close the string/],
  ["{ % }", /Write a GraphQL document/],
  ["{ nothing }", /Write a field that schema\.graphql has/],
  ["{ domian }", /Did you mean "domain" or "domains"\? Write a field/],
  ["{ users(limit: 5) { totalCount } }", /Leave it out, or write an argument/, "limit"],
  ["{ users }", /Write the fields you want in braces/],
  ["{ ttlPolicy { min { x } } }", /Leave out its braces/],
  ["{ ttlPolicy { a: min a: max } }", /Write an alias/],
  ["{ ...a }", /Define it in the same document/],
  ["{ ttlPolicy { min } } fragment a on Query { __typename }", /Spread it/],
  ["{ ...a } fragment a on Query { ...a }", /closes the circle/],
  ["{ ... on String { x } }", /Write it on a type that can be there/],
  ["{ ... on Nope { id } }", /Write the name of a type/],
  ["query ($a: Int) { __typename }", /Use it, or leave out its declaration/, "a"],
  ["{ domain(by: { zone: $a }) { id } }", /Declare it after the operation's name/, "a"],
  ["query ($a: Int) { domain(by: { zone: $a }) { id } }", /Declare it with the type that is expected/, "a"],
  ["query ($a: User) { __typename }", /Declare it with a scalar/, "a"],
  ["{ __typename } { __typename }", /Send one operation/],
  ["query a { __typename } query a { __typename }", /Leave out the others, or rename them/],
  ['{ domain(by: { zone: "a", zone: "b" }) { id } }', /Leave out the others, or rename them/],
  ["{ __typename @nope }", /Leave it out, or write @include/],
  ["query @skip(if: true) { __typename }", /Write it once, on a field/],
  ["{ __typename @skip(if: true) @skip(if: true) }", /Write it once, on a field/],
  ["type A { b: Int }", /Leave it out/],
  ["subscription { a: __typename b: __typename }", /Select one field/],
  ['subscription { domainChanged(zone: "a") { cursor } }', /Send a subscription with Accept: text/],
])("%s", async (...[query, message, field]) => {
  expect(await refusalOf(query)).toEqual({ code: "BAD_REQUEST", field, message: expect.stringMatching(message) });
});

test.each<[string, object, RegExp]>([
  ["another operation's name", { operationName: "b" }, /Send the name of an operation/],
  ["a name that is no text", { operationName: 5 }, /Send a text, or leave it out/],
  ["variables that are a list", { variables: [1] }, /Send the variables as an object/],
  ["variables that are a text", { variables: "x" }, /Send the variables as an object/],
  ["extensions that are a text", { extensions: "x" }, /Leave them out/],
])("%s", async (_, more, message) => {
  expect(await refusalOf("query a { __typename }", {}, more)).toMatchObject({
    code: "BAD_REQUEST",
    message: expect.stringMatching(message),
  });
});

test.each<[string, string, number, RegExp]>([
  ["GET", "?query=mutation{__typename}", 405, /Send it by POST/],
  ["GET", "?query={__typename}&query=x", 400, /Send it once/],
  ["GET", "?query={__typename}&variables=x", 400, /Send it once/],
  ["GET", "", 400, /Send \{"query"/],
  ["PUT", "", 405, /Send it by POST/],
])("%s /graphql%s", async (method, query, status, message) => {
  const answer = await answerOf(
    await fetch(`${service.url}/graphql${query}`, { method, headers: { "X-API-Key": adminKey } }),
  );
  expect([answer.status, answer.body.errors[0].message]).toEqual([status, expect.stringMatching(message)]);
});

test("a stream is refused for its variables as /graphql is, in its event", async () => {
  const query = "subscription ($after: String!) { domainChanged(after: $after) { cursor } }";
  for (const [variables, code] of [
    [{ after: 5 }, "INVALID_VALUE"],
    [{}, "MISSING_FIELD"],
  ] as const) {
    const headers = { Accept: "text/event-stream" };
    const { status, text } = await answerOf(await service.post({ query, variables }, { headers }));
    const event = JSON.parse(/^event: next\ndata: (.*)$/m.exec(text)?.[1] ?? "null");
    expect([status, event]).toMatchObject([200, { errors: [{ extensions: { code, field: "after" } }] }]);
    expect(text).toMatch(/\nevent: complete\ndata: \n\n$/);
  }
});

test("a long text is not sent back", async () => {
  const { message } = await refusalOf(createRecord, {
    input: { ...record, ttl: undefined, zone: ["x".repeat(10_000)] },
  });
  expect(message.length).toBeLessThan(500);
  expect((await refusalOf(`{ ${"x".repeat(10_000)} }`)).message.length).toBeLessThan(500);
});
