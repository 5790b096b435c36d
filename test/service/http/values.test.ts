import { beforeAll, expect, test } from "@jest/globals";
import type { Code } from "../../../src/error-codes.ts";
import { expectCalm, expectRefused } from "../../setup/service/refusal.ts";
import { type Json, mutation, testService } from "../../setup/service/service.ts";

const service = testService();
const zone = "example.com";
let user: string;
let id: string;
let before: Json;

beforeAll(async () => {
  user = await service.user("owner@example.com");
  await service.domain(zone, user);
  id = await service.record(zone, "mail", "A", "192.0.2.1");
  before = await service.state();
});

/** The writes of REST with a body that would be accepted. */
const writes = (): [string, string, Record<string, unknown>][] => {
  const record = { zone, owner: "new", rtype: "A", rdata: "192.0.2.9", ttl: 3600 };
  return [
    ["POST", "/record/add", record],
    ["PUT", `/record/edit/${id}`, { ...record, owner: "mail" }],
    ["POST", "/user/add", { email: "new@example.com" }],
    ["PUT", `/user/edit/${user}`, { email: "new@example.com" }],
    ["POST", "/domain/add", { user_id: user, zone: "new.example.com" }],
    ["DELETE", "/domain/delete/", { zone }],
  ];
};

const nothingMoved = async () => expect(await service.state()).toEqual(before);

const notIds = [
  "1".repeat(30),
  "-1",
  "0",
  "+1",
  "1.5",
  "1e3",
  "0x10",
  "abc",
  " 1",
  "1000000000000000\n",
  "9007199254740992",
  "\u0661",
  "\0",
  "' or 1=1 --",
  '{"$gt":0}',
  "[]",
  "null",
  "__proto__",
  "constructor",
];

test.each(notIds)("%j is no id: refused in every path, query, body and argument", async (bad) => {
  const path = encodeURIComponent(bad);
  const record = { zone, owner: "new", rtype: "A", rdata: "192.0.2.9", ttl: 3600 };
  const requests: [string, string, Json?][] = [
    ["GET", `/record/list/${path}`],
    ["PUT", `/record/edit/${path}`, record],
    ["DELETE", `/record/delete/${path}`],
    ["GET", `/user/list/${path}`],
    ["GET", `/user/list?id=${path}`],
    ["GET", `/user/list/${user}?id=${path}`],
    ["PUT", `/user/edit/${path}`, { email: "new@example.com" }],
    ["DELETE", `/user/delete/${path}`],
    ["GET", `/domain/list?user_id=${path}`],
    ["GET", `/domain/list/zone?id=${path}`],
    ["GET", `/domain/list/user/${path}`],
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
  await nothingMoved();
});

test.each([1e30, -1, 0, 1.5, 2 ** 53, true, [], {}, [1], { $gt: 0 }])("%j is no user_id in JSON", async (bad) => {
  expectRefused(
    await service.rest("POST", "/domain/add", { json: { user_id: bad, zone: "new.example.com" } }),
    "INVALID_VALUE",
  );
  await nothingMoved();
});

const notTexts: [string, Json][] = [
  ["an array", []],
  ["an array of a text", ["a"]],
  ["an object", {}],
  ["an operator", { $gt: 0 }],
  ["the operator of inequality", { $ne: null }],
  ["an object with a length", { length: 3, toString: "a" }],
  ["a boolean", true],
  ["a constructor", { constructor: { prototype: { polluted: 1 } } }],
];

test.each(notTexts)("%s is refused in every field of every write", async (_, bad) => {
  for (const [method, path, body] of writes()) {
    for (const field of Object.keys(body)) {
      const answer = await service.rest(method, path, { json: { ...body, [field]: bad } });
      expectRefused(answer, field === "ttl" ? "INVALID_TTL" : "INVALID_VALUE");
      expect(answer.body.field).toBe(field);
    }
  }
  await nothingMoved();
});

test("null is as missing", async () => {
  for (const [method, path, body] of writes())
    for (const field of Object.keys(body))
      expectRefused(await service.rest(method, path, { json: { ...body, [field]: null } }), "MISSING_FIELD");
  await nothingMoved();
});

test("a field that is sent twice, or with brackets, is refused in forms of both kinds", async () => {
  const urlencoded = { "Content-Type": "application/x-www-form-urlencoded" };
  for (const [method, path, body] of writes()) {
    for (const field of Object.keys(body)) {
      const others = Object.entries(body).filter(([name]) => name !== field);
      const forms: [string[][], Code][] = [
        [
          [
            [field, "a"],
            [field, "b"],
          ],
          field === "ttl" ? "INVALID_TTL" : "INVALID_VALUE",
        ],
        [[[`${field}[a]`, "c"]], "MISSING_FIELD"],
        [[[`${field}[]`, "c"]], "MISSING_FIELD"],
      ];
      for (const [fields, error] of forms) {
        const pairs = [...others.map(([name, value]) => [name, String(value)]), ...fields];
        const form = new URLSearchParams(pairs as [string, string][]).toString();
        expectRefused(await service.rest(method, path, { body: form, headers: urlencoded }), error);
        const multipart = new FormData();
        for (const [name, value] of pairs) multipart.append(name as string, value as string);
        const { status, text } = await service.rest(method, path, { body: multipart });
        expect([text, [400, 422].includes(status)]).toEqual([text, true]);
      }
    }
  }
  await nothingMoved();
});

test.each(["\0", "\x07", "\n", "\r\n", "\x1b[2J", "\x7f"])(
  "the control character %j is refused in every field",
  async (bad) => {
    for (const [method, path, body] of writes()) {
      for (const field of Object.keys(body)) {
        for (const value of [bad, `a${bad}b`]) {
          const answer = await service.rest(method, path, { json: { ...body, [field]: value } });
          expectCalm(answer);
          expect([field, value, answer.status, answer.text]).toEqual([field, value, 422, answer.text]);
        }
      }
    }
    const character = encodeURIComponent(bad);
    const reads = [
      `/record/list/${character}`,
      `/record/list?zone=${character}`,
      `/record/list?owner=${character}`,
      `/record/list?type=${character}`,
      `/record/list?cursor=${character}`,
      `/record/list?limit=${character}`,
      `/user/list?email=${character}`,
      `/user/list/${user}?email=${character}`,
      `/domain/list?zone=a${character}b`,
      `/domain/list/zone/a${character}b.example.com`,
      `/domain/list/zone?name=a${character}b`,
    ];
    for (const path of reads) {
      const answer = await service.rest("GET", path);
      expectCalm(answer);
      expect([path, answer.status]).toEqual([path, 422]);
    }
    expectCalm(await service.rest("DELETE", `/user/delete/${user}?domains=${character}`));
    await nothingMoved();
  },
);

test("what looks like a prototype is data, or nothing", async () => {
  const headers = { "Content-Type": "application/json" };
  const poisoned = [
    '{"__proto__": {"zone": "example.com", "polluted": 1}}',
    '{"constructor": {"prototype": {"polluted": 1}}}',
    '{"zone": {"__proto__": {"polluted": 1}}}',
  ];
  for (const body of poisoned) {
    expectCalm(await service.rest("DELETE", "/domain/delete/", { body, headers }));
    const document = mutation("deleteDomain", "deletedId");
    const variables = JSON.parse(`{"input": ${body}}`);
    expectCalm(await service.graphql(document, variables));
    expect((await service.graphql(document, variables)).body.errors[0].extensions.code).toMatch(
      /^(BAD_REQUEST|MISSING_FIELD|INVALID_VALUE)$/,
    );
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
  await nothingMoved();
});

test("SQL in a value is a value", async () => {
  const sql = `'; drop table "record"; --`;
  const { status, body } = await service.rest("POST", "/record/add", {
    form: { zone, owner: "sql", rtype: "TXT", rdata: "'\\; drop table record\\; --", ttl: 300 },
  });
  expect([status, body.rdata]).toEqual([201, `"'; drop table record; --"`]);
  expect((await service.rest("DELETE", `/record/delete/${body.id}`)).status).toBe(204);
  before = await service.state();
  for (const [method, path, fields] of writes()) {
    for (const field of Object.keys(fields)) {
      const answer = await service.rest(method, path, { json: { ...fields, [field]: sql } });
      expectCalm(answer);
      expect(answer.status).toBe(422);
    }
  }
  await nothingMoved();
});

test("a name of any length is refused, not cut", async () => {
  for (const name of [
    "a".repeat(64),
    `${"a.".repeat(128)}a`,
    "a".repeat(100_000),
    "ä".repeat(5_000),
    `${"\\000".repeat(256)}`,
  ]) {
    for (const [method, path, body] of writes().filter(([, , fields]) => "zone" in fields)) {
      const answer = await service.rest(method, path, { json: { ...body, zone: `${name}.example.com` } });
      expectRefused(answer, "INVALID_NAME");
    }
  }
  await nothingMoved();
});

test("a cursor of numbers that no column holds is calm in every list", async () => {
  const cursors = [
    "[9007199254740991]",
    "[-9007199254740991]",
    '["",9007199254740991]',
    '["a","b",-1]',
    "[null]",
    "{}",
  ];
  const changes = (await service.data(`{ domain(by: { zone: "${zone}" }) { changes { nodes { id } } } }`)).domain
    .changes.nodes;
  for (const cursor of cursors.map(btoa)) {
    for (const list of ["records", "changes", "records(orderBy: CREATED", "changes(orderBy: OLDEST"]) {
      const page = list.includes("(") ? `${list}, after: $after)` : `${list}(after: $after)`;
      const document = `query ($after: String) { domain(by: { zone: "${zone}" }) { ${page} { nodes { id } } } }`;
      expectCalm(await service.graphql(document, { after: cursor }));
    }
    for (const list of ["removed", "added"]) {
      const document = `query ($id: ID!, $after: String) { change(id: $id) { ${list}(after: $after) { nodes { owner } } } }`;
      const answer = await service.graphql(document, { id: changes[0].id, after: cursor });
      expectCalm(answer);
      expect(answer.text).not.toContain("INTERNAL_ERROR");
    }
  }
});
