/** Values that no field may have are refused by its name in every write and read, and nothing moves. */
import { afterEach, beforeAll, expect, test } from "@jest/globals";
import type { Code } from "../../../src/error-codes.ts";
import { expectCalm, expectRefused } from "../../setup/service/refusal.ts";
import { type Json, mutation, testService } from "../../setup/service/service.ts";

const service = testService();
const zone = "example.com";
const record = { zone, owner: "new", rtype: "A", rdata: "192.0.2.9", ttl: 3600 };
let user: string;
let id: string;
let before: Json;

beforeAll(async () => {
  user = await service.user("owner@example.com");
  await service.domain(zone, user);
  id = await service.record(zone, "mail", "A", "192.0.2.1");
  before = await service.state();
});
afterEach(async () => expect(await service.state()).toEqual(before));

/** The writes of REST with a body that would be accepted. */
const writes = (): [string, string, Record<string, unknown>][] => [
  ["POST", "/record/add", record],
  ["PUT", `/record/edit/${id}`, { ...record, owner: "mail" }],
  ["POST", "/user/add", { email: "new@example.com" }],
  ["PUT", `/user/edit/${user}`, { email: "new@example.com" }],
  ["POST", "/domain/add", { user_id: user, zone: "new.example.com" }],
  ["DELETE", "/domain/delete/", { zone }],
];

/** Each write with one of its fields. */
const fields = () =>
  writes().flatMap(([method, path, body]) => Object.keys(body).map((field) => ({ method, path, body, field })));

test.each([
  ..."-1 0 +1 1.5 1e3 0x10 abc [] null constructor 9007199254740992 111111111111111111111111111111".split(" "),
  ...[" 1", "1000000000000000\n", "\u0661", "\0", "' or 1=1 --"],
])("%j is no id: refused in every path, query, body and argument", async (bad) => {
  const path = encodeURIComponent(bad);
  const requests: [string, string, Json?][] = [
    ["GET", `/record/list/${path}`],
    ["PUT", `/record/edit/${path}`, record],
    ["DELETE", `/record/delete/${path}`],
    ["GET", `/user/list/${path}`],
    ["GET", `/user/list?id=${path}`],
    ["PUT", `/user/edit/${path}`, { email: "new@example.com" }],
    ["DELETE", `/user/delete/${path}`],
    ["GET", `/domain/list?user_id=${path}`],
    ["GET", `/domain/list/zone?id=${path}`],
    ["GET", `/record/list?user_id=${path}`],
    ["POST", "/domain/add", { user_id: bad, zone: "new.example.com" }],
  ];
  for (const [method, where, json] of requests)
    expectRefused(await service.rest(method, where, json ? { json } : {}), "INVALID_VALUE");
  for (const field of ["record(id: $id)", "user(by: { id: $id })", "domain(by: { id: $id })", "change(id: $id)"]) {
    const answer = await service.graphql(`query ($id: ID!) { ${field} { __typename } }`, { id: bad });
    expectCalm(answer);
    expect([field, answer.body.errors[0].extensions.code]).toEqual([field, "INVALID_VALUE"]);
  }
});

test.each([1e30, -1, 0, 1.5, 2 ** 53, true, [], {}, [1]])("%j is no user_id in JSON", async (bad) => {
  const json = { user_id: bad, zone: "new.example.com" };
  expectRefused(await service.rest("POST", "/domain/add", { json }), "INVALID_VALUE");
});

test.each<[string, Json]>([
  ["an array of a text", ["a"]],
  ["an object", {}],
  ["an operator", { $ne: null }],
  ["an object with a length", { length: 3, toString: "a" }],
  ["a boolean", true],
])("%s is refused in every field of every write", async (_, bad) => {
  for (const { method, path, body, field } of fields()) {
    const answer = await service.rest(method, path, { json: { ...body, [field]: bad } });
    expectRefused(answer, field === "ttl" ? "INVALID_TTL" : "INVALID_VALUE");
    expect(answer.body.field).toBe(field);
  }
});

test("null is as missing, but for a TTL, which GraphQL takes so too", async () => {
  for (const { method, path, body, field } of fields().filter((each) => each.field !== "ttl"))
    expectRefused(await service.rest(method, path, { json: { ...body, [field]: null } }), "MISSING_FIELD");
});

test("a field that is sent twice, or with brackets, is refused in forms of both kinds", async () => {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  for (const { method, path, body, field } of fields()) {
    const twice: Code = field === "ttl" ? "INVALID_TTL" : "INVALID_VALUE";
    for (const [names, error] of [
      [[field, field], twice],
      [[`${field}[a]`], "MISSING_FIELD"],
      [[`${field}[]`], "MISSING_FIELD"],
    ] as const) {
      const others = Object.entries(body).filter(([name]) => name !== field);
      const pairs = [...others, ...names.map((name) => [name, "a"] as const)];
      const multipart = new FormData();
      for (const [name, value] of pairs) multipart.append(name, String(value));
      const form = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)]));
      expectRefused(await service.rest(method, path, { body: form.toString(), headers }), error);
      const { status, text } = await service.rest(method, path, { body: multipart });
      expect([text, [400, 422].includes(status)]).toEqual([text, true]);
    }
  }
});

test.each(["\0", "\x07", "\n", "\r\n", "\x1b[2J", "\x7f"])(
  "the control character %j is refused in every field",
  async (bad) => {
    for (const { method, path, body, field } of fields()) {
      for (const value of [bad, `a${bad}b`]) {
        const answer = await service.rest(method, path, { json: { ...body, [field]: value } });
        expectCalm(answer);
        expect([field, value, answer.status, answer.text]).toEqual([field, value, 422, answer.text]);
      }
    }
    const character = encodeURIComponent(bad);
    for (const path of [
      `/record/list/${character}`,
      ...["zone", "owner", "type", "cursor", "limit"].map((name) => `/record/list?${name}=${character}`),
      `/user/list?email=${character}`,
      `/user/list/${user}?email=${character}`,
      `/domain/list?zone=a${character}b`,
      `/domain/list/zone/a${character}b.example.com`,
      `/domain/list/zone?name=a${character}b`,
    ]) {
      const answer = await service.rest("GET", path);
      expectCalm(answer);
      expect([path, answer.status]).toEqual([path, 422]);
    }
    expectCalm(await service.rest("DELETE", `/user/delete/${user}?domains=${character}`));
  },
);

test("what looks like a prototype is data, or nothing", async () => {
  const headers = { "Content-Type": "application/json" };
  for (const body of [
    '{"__proto__": {"zone": "example.com", "polluted": 1}}',
    '{"constructor": {"prototype": {"polluted": 1}}}',
    '{"zone": {"__proto__": {"polluted": 1}}}',
  ]) {
    expectCalm(await service.rest("DELETE", "/domain/delete/", { body, headers }));
    const document = mutation("deleteDomain", "deletedId");
    const answer = await service.graphql(document, JSON.parse(`{"input": ${body}}`));
    expectCalm(answer);
    expect(answer.body.errors[0].extensions.code).toMatch(/^(BAD_REQUEST|MISSING_FIELD|INVALID_VALUE)$/);
  }
  const multipart = new FormData();
  for (const name of ["__proto__[polluted]", "constructor[prototype][polluted]", "__proto__", "toString"])
    multipart.set(name, "1");
  expectRefused(await service.rest("DELETE", "/domain/delete/", { body: multipart }), "MISSING_FIELD");
  expect(({} as Json).polluted).toBeUndefined();
  for (const name of ["__proto__", "constructor", "toString"]) {
    expectRefused(await service.rest("GET", `/record/list?type=${name}`), "UNSUPPORTED_TYPE");
    expectRefused(await service.rest("GET", `/domain/list/zone/${name}`), "NOT_FOUND");
    expectRefused(await service.rest("GET", `/${name}`), "NOT_FOUND");
  }
});

test("SQL in a value is a value", async () => {
  const form = { ...record, owner: "sql", rtype: "TXT", rdata: "'\\; drop table record\\; --" };
  const { status, body } = await service.rest("POST", "/record/add", { form });
  expect([status, body.rdata]).toEqual([201, `"'; drop table record; --"`]);
  expect((await service.rest("DELETE", `/record/delete/${body.id}`)).status).toBe(204);
  before = await service.state();
  for (const { method, path, body, field } of fields()) {
    const json = { ...body, [field]: `'; drop table "record"; --` };
    const answer = await service.rest(method, path, { json });
    expectCalm(answer);
    expect(answer.status).toBe(422);
  }
});

test("a name of any length is refused, not cut", async () => {
  for (const name of ["a".repeat(64), `${"a.".repeat(128)}a`, "a".repeat(100_000), "ä".repeat(5_000)]) {
    for (const [method, path, body] of writes().filter(([, , fields]) => "zone" in fields)) {
      const answer = await service.rest(method, path, { json: { ...body, zone: `${name}.example.com` } });
      expectRefused(answer, "INVALID_NAME");
    }
  }
});
