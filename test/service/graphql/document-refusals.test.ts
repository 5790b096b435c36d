/**
 * What graphql-js and Apollo refuse, as the client sees it: our codes, the field that was sent, and what to write instead.
 */
import { describe, expect, test } from "@jest/globals";
import { codes } from "../../../src/error-codes.ts";
import { adminKey, answerOf, mutation, testService } from "../../setup/service/service.ts";

const service = testService();

const createRecord = mutation("createRecord", "record { id }");
const changeRecords = mutation("changeRecords", "change { id }");
const record = { zone: "example.com", owner: "a", type: "A", rdata: "192.0.2.1", ttl: 3600 };

const refusalOf = async (query: string, variables: object = {}, more: object = {}) => {
  const answer = await answerOf(
    await fetch(`${service.url}/graphql`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-Key": adminKey },
      body: JSON.stringify({ query, variables, ...more }),
    }),
  );
  const { message, extensions } = answer.body.errors[0];
  expect(answer.status).toBe(codes[extensions.code as keyof typeof codes].status);
  return { code: extensions.code, field: extensions.field, message };
};

describe("a value", () => {
  test.each<[string, string, object, string, string | undefined, RegExp]>([
    ["no TTL", createRecord, { input: { ...record, ttl: "abc" } }, "INVALID_TTL", "ttl", /; write whole seconds/],
    [
      "a TTL in a list",
      changeRecords,
      { input: { zone: "a", add: [{ ...record, zone: undefined, ttl: "5" }] } },
      "INVALID_TTL",
      "add.0.ttl",
      /; write whole seconds/,
    ],
    [
      "no text",
      createRecord,
      { input: { ...record, zone: 5 } },
      "INVALID_VALUE",
      "zone",
      /; write one text, in quotes\.$/,
    ],
    ["no type", createRecord, { input: { ...record, type: 5 } }, "INVALID_VALUE", "type", /^type: write a mnemonic/],
    [
      "no serial, in a text that looks like a path",
      createRecord,
      { input: { ...record, expectedSerial: 'x at "evil"; y' } },
      "INVALID_VALUE",
      "expectedSerial",
      /^expectedSerial: write a whole number/,
    ],
    [
      "a text that reads like another message",
      createRecord,
      { input: { ...record, zone: ["must not be null."] } },
      "INVALID_VALUE",
      "zone",
      /; write one text/,
    ],
    [
      "null",
      createRecord,
      { input: { ...record, zone: null } },
      "MISSING_FIELD",
      "zone",
      /^zone is null; send a value\.$/,
    ],
    [
      "none",
      createRecord,
      { input: { ...record, zone: undefined } },
      "MISSING_FIELD",
      "zone",
      /^zone is missing; send it\.$/,
    ],
    [
      "none inside a list",
      changeRecords,
      { input: { zone: "a", add: [{ type: "A", rdata: "a" }] } },
      "MISSING_FIELD",
      "add.0.owner",
      /is missing; send it\.$/,
    ],
    [
      "inside a variable of another name",
      changeRecords.replaceAll("$input", "$i"),
      { i: { zone: "a", add: [{ owner: "a", type: "A", rdata: "192.0.2.1", ttl: "abc" }] } },
      "INVALID_TTL",
      "add.0.ttl",
      /^add\.0\.ttl is not a TTL;/,
    ],
    [
      "of a field that there is not",
      createRecord,
      { input: { ...record, zome: 1 } },
      "BAD_REQUEST",
      "zome",
      /; leave it out, or write one that it has\. Did you mean "zone" or "note"\?$/,
    ],
    [
      "no object",
      createRecord,
      { input: 5 },
      "INVALID_VALUE",
      "input",
      /; write a value of the type CreateRecordInput/,
    ],
    ["none for a variable", createRecord, {}, "MISSING_FIELD", "input", /is missing; send it\.$/],
    ["null for a variable", createRecord, { input: null }, "MISSING_FIELD", "input", /is null; send a value\.$/],
    [
      "no value of an enum",
      "query ($o: DomainOrder!) { domains(orderBy: $o) { totalCount } }",
      { o: "ZON" },
      "INVALID_VALUE",
      "o",
      /; write one of ZONE, ZONE_DESC, CREATED, CREATED_DESC\.$/,
    ],
    [
      "null for an argument by a variable",
      "query ($order: DomainOrder = ZONE) { domains(orderBy: $order) { totalCount } }",
      { order: null },
      "MISSING_FIELD",
      "orderBy",
      /send a value\.$/,
    ],
  ])("%s", async (_, query, variables, code, field, message) => {
    expect(await refusalOf(query, variables)).toEqual({ code, field, message: expect.stringMatching(message) });
  });

  test.each<[string, string, string | undefined, RegExp]>([
    [
      'mutation { createRecord(input: {zone: "a", owner: "b", type: "A", rdata: "c", ttl: "d"}) { record { id } } }',
      "INVALID_TTL",
      "ttl",
      /; write whole seconds/,
    ],
    ['{ domains(first: "5") { totalCount } }', "INVALID_VALUE", "first", /; write a whole number, without quotes\.$/],
    ["{ domains(orderBy: ZON) { totalCount } }", "INVALID_VALUE", "orderBy", /; write one of ZONE, /],
    ["{ domains(filter: {id: 1.5}) { totalCount } }", "INVALID_VALUE", "id", /; write the digits of an id\.$/],
    ["{ records(filter: {types: 5}) { totalCount } }", "INVALID_VALUE", "types", /^types: write a mnemonic/],
    ["{ record(id: [1]) { id } }", "INVALID_VALUE", "id", /; write the digits of an id\.$/],
    [
      '{ checkRecords(zone: "a", records: [5]) { ok } }',
      "INVALID_VALUE",
      "records.0",
      /; write a value of the type RecordInput/,
    ],
    [
      'mutation { changeRecords(input: {zone: "a", add: [{owner: "b", type: "A", rdata: "c"}, {owner: "b", type: "A", rdata: 5}]}) { warnings } }',
      "INVALID_VALUE",
      "add.1.rdata",
      /^add\.1\.rdata is not valid/,
    ],
    [
      'mutation { changeRecords(input: {zone: "a", add: [{type: "A", rdata: "a"}]}) { warnings } }',
      "MISSING_FIELD",
      "add.0.owner",
      /^add\.0\.owner is missing/,
    ],
    ["{ record { id } }", "MISSING_FIELD", "id", /^id is missing; send it\.$/],
    ["{ record(id: null) { id } }", "MISSING_FIELD", "id", /^id is null; send a value\.$/],
    ["mutation { createUser(input: {}) { user { id } } }", "MISSING_FIELD", "email", /^email is missing; send it\.$/],
    [
      'mutation { createUser(input: {email: "a@b.example", role: 1}) { user { id } } }',
      "BAD_REQUEST",
      "role",
      /; leave it out/,
    ],
    ["{ __typename @skip }", "MISSING_FIELD", "if", /^if is missing; send it\.$/],
  ])("in the document %s", async (query, code, field, message) => {
    expect(await refusalOf(query)).toEqual({ code, field, message: expect.stringMatching(message) });
  });
});

test.each<[string, RegExp, string | undefined]>([
  ["", /Send \{"query": "…"\}/, undefined],
  ["{", /Write the whole document/, undefined],
  ['{ a: "b }', /Close the string/, undefined],
  ["{ % }", /Write a GraphQL document/, undefined],
  ["{ nothing }", /Write a field that schema\.graphql has/, undefined],
  ["{ domian }", /Did you mean "domain" or "domains"\? Write a field/, undefined],
  ["{ users(limit: 5) { totalCount } }", /Leave it out, or write an argument/, "limit"],
  ["{ users }", /Write the fields you want in braces/, undefined],
  ["{ ttlPolicy { min { x } } }", /Leave out its braces/, undefined],
  ["{ ttlPolicy { a: min a: max } }", /Write an alias/, undefined],
  ["{ ...a }", /Define it in the same document/, undefined],
  ["{ ttlPolicy { min } } fragment a on Query { __typename }", /Spread it/, undefined],
  ["{ ...a } fragment a on Query { ...a }", /closes the circle/, undefined],
  ["{ ... on String { x } }", /Write it on a type that can be there/, undefined],
  ["{ ... on User { id } }", /Write it on a type that can be there/, undefined],
  ["{ ... on Nope { id } }", /Write the name of a type/, undefined],
  ["query ($a: Int) { __typename }", /Use it, or leave out its declaration/, "a"],
  ["{ domain(by: { zone: $a }) { id } }", /Declare it after the operation's name/, "a"],
  ["query ($a: Int) { domain(by: { zone: $a }) { id } }", /Declare it with the type that is expected/, "a"],
  ["query ($a: User) { __typename }", /Declare it with a scalar/, "a"],
  ["{ __typename } { __typename }", /Send one operation/, undefined],
  ["query a { __typename } query a { __typename }", /Leave out the others, or rename them/, undefined],
  ['{ domain(by: { zone: "a", zone: "b" }) { id } }', /Leave out the others, or rename them/, undefined],
  ["{ __typename @nope }", /Leave it out, or write @include/, undefined],
  ["query @skip(if: true) { __typename }", /Write it once, on a field/, undefined],
  ["{ __typename @skip(if: true) @skip(if: true) }", /Write it once, on a field/, undefined],
  ["type A { b: Int }", /Leave it out/, undefined],
  ["subscription { a: __typename b: __typename }", /Select one field/, undefined],
  ['subscription { domainChanged(zone: "a") { cursor } }', /Send a subscription with Accept: text/, undefined],
])("%s", async (query, message, field) => {
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
  const open = async (variables: object) =>
    answerOf(
      await fetch(`${service.url}/graphql`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "text/event-stream", "X-API-Key": adminKey },
        body: JSON.stringify({ query, variables }),
      }),
    );
  for (const [variables, code] of [
    [{ after: 5 }, "INVALID_VALUE"],
    [{}, "MISSING_FIELD"],
  ] as const) {
    const { status, text } = await open(variables);
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
