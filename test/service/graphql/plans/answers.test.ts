/** The road over HTTP: which documents must be planned, and that answers are those of Apollo, to which a Content-Encoding leads. */
import { ApolloServer } from "@apollo/server";
import { beforeAll, describe, expect, jest, test } from "@jest/globals";
import { eventually } from "../../../setup/basics/eventually.ts";
import { raw } from "../../../setup/service/client.ts";
import { adminKey, type Json, testService } from "../../../setup/service/service.ts";

const origin = "https://app.example.com";
const service = testService({ LOG_LEVEL: "info", CORS_ORIGINS: origin });
const byApollo = jest.spyOn(ApolloServer.prototype, "executeHTTPGraphQLRequest");
const zone = "xn--bcher-kva.example";
let recordId = "";
let userId = "";
let userKey = "";

beforeAll(async () => {
  userId = await service.user("owner@example.com");
  userKey = await service.key({ name: "owner", userId });
  await service.domain(zone, userId);
  recordId = await service.record(zone, "a", "TXT", '"x \\"y\\" \\195\\188"', 300);
  for (let n = 0; n < 7; n += 1) await service.domain(`z${n}.example.org`, userId);
  await service.domain("foreign.example.org", await service.user("other@example.com"));
});

interface Sent {
  readonly query: string;
  readonly variables?: Json;
  readonly operationName?: string | null;
  readonly extensions?: Json;
}

/** Leads past the road. */
const toApollo = { "Content-Encoding": "identity" };

/** What is compared of a response. */
async function compared(response: Response) {
  const headers = [...response.headers].filter(([name]) => !["date", "x-request-id"].includes(name));
  return { status: response.status, headers: Object.fromEntries(headers), text: await response.text() };
}

/** Sends a request as JSON. */
const send = async (body: Sent, key = adminKey, headers: Record<string, string> = {}) =>
  compared(await service.post(body, { key, headers }));

/** Sends a request in the query of the path. */
async function sendByGet(body: Sent, key = adminKey, headers: Record<string, string> = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(body))
    query.set(name, typeof value === "string" ? value : JSON.stringify(value));
  const url = `${service.url}/graphql?${query}`;
  return compared(await fetch(url, { headers: { "X-API-Key": key, ...headers } }));
}

/** Statements that the connections of plans have run. */
const statements = async () => {
  const [row] = await service.sql<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database()
       and application_name = 'zonesmith-reads' and query like 'select "n1"%'`,
  );
  return row?.count ?? 0;
};

const inner = "id owner type ttl rdata";
const domain = `id zone zoneUnicode serial createdAt user { id email createdAt } records(first: 10) { nodes { ${inner} } }`;
const pageInfo = "pageInfo { hasNextPage hasPreviousPage startCursor endCursor }";
const innerPage = `{ nodes { ${inner} } ${pageInfo} }`;
const record = "edges { cursor node { id zone domain { serial } } }";
const domains = `domains(last: 3) { nodes { zone records(first: 2) { ${record} ${pageInfo} } } ${pageInfo} }`;

/** Documents of the four lines that the bench measures, and of what is around them, with their variables; RECORD is the id of a record. */
const planned: readonly (readonly [string, string, Json?])[] = [
  [
    "a zone with its owner and records",
    `query ($z: String!) { domain(by: { zone: $z }) { ${domain} } }`,
    { z: "Bücher.example." },
  ],
  [
    "zones with owner and records",
    `query ($after: String) { domains(first: 5, after: $after) { nodes { ${domain} } pageInfo { hasNextPage } } }`,
  ],
  ["a record with its zone's name", `{ record(id: RECORD) { ${inner} zone ownerUnicode } }`],
  [
    "a page of a zone in the order of creation",
    `query ($z: String!, $first: Int!) { records(first: $first, orderBy: CREATED, filter: { zone: $z }) ${innerPage} }`,
    { z: zone, first: 3 },
  ],
  ["lists within lists, from the end, with cursors", `{ users { edges { cursor node { id ${domains} } } } }`],
  [
    "a search of all zones, from the end, with what is around the records",
    `query ($t: String) { records(last: 3, filter: { rdataContains: $t }) { nodes { ${inner} zone domain { serial } } ${pageInfo} } }`,
    { t: "EXAMPLE.ORG" },
  ],
  ["records of all zones by name", `{ records(first: 9, filter: { types: ["CNAME", "NS"] }) ${innerPage} }`],
  [
    "several roots, fragments and directives",
    `query ($no: Boolean = false) { a: record(id: RECORD) { ...R } b: domain(by: { zone: "${zone}" }) { __typename
      ... on Node { id } zone @skip(if: $no) serial @include(if: $no) } __typename } fragment R on Record { domain { zone } id }`,
  ],
];

describe.each(["administrator", "user"])("with the key of the %s", (who) => {
  test.each(planned)("%s", async (_, ...[document, variables]) => {
    await service.sql(
      "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and application_name = 'zonesmith-reads'",
    );
    const sent = { query: document.replaceAll("RECORD", recordId), ...(variables && { variables }) };
    const key = who === "user" ? userKey : adminKey;
    const ordinary = await send(sent, key, toApollo);
    expect(ordinary.text).not.toContain('"errors"');
    // It is planned when it is seen again.
    expect(await send(sent, key)).toEqual(ordinary);
    // The connections of plans are opened by the first request that wants one.
    await eventually(async () => {
      expect(await send(sent, key)).toEqual(ordinary);
      return (await statements()) > 0;
    });
    expect(await send(sent, key)).toEqual(ordinary);
    expect(await sendByGet(sent, key)).toEqual(ordinary);
  });
});

const urql =
  "application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed";
const apolloClient = "application/graphql-response+json,application/json;q=0.9";
const library = { clientLibrary: { name: "@apollo/client", version: "4.0.0" } };
const document = `query One($id: ID!) { __typename record(id: $id) { __typename id rdata } }
  query Two($z: String!) { domain(by: { zone: $z }) { zone __typename } } mutation Three { deleteRecord(input: { recordId: "1" }) { deletedId } }`;

/** What clients send, as they send it; those with operations that run are answered without Apollo. */
const clients: readonly (readonly [string, Partial<Sent>, Record<string, string>])[] = [
  ["a bare query", { query: "query One($id: ID!) { record(id: $id) { id rdata } }" }, {}],
  ["urql", { operationName: "One" }, { Accept: urql }],
  ["Apollo Client", { operationName: "One", extensions: library }, { Accept: apolloClient }],
  ["graphql-request", { operationName: "One" }, { Accept: "application/graphql-response+json, application/json" }],
  ["another operation", { operationName: "Two" }, { Accept: "*/*" }],
  ["a type with a preference", { operationName: "Two" }, { Accept: "application/json;q=0.1, application/*;q=0.5" }],
];
const others: typeof clients = [
  ["introspection", { query: '{ __schema { types { name } } __type(name: "CoercedValue") { name } }' }, {}],
  ["a name and variables that are null", { operationName: null, variables: null }, {}],
  ["variables that are null", { operationName: "Two", variables: null }, {}],
  ["extensions that are null", { operationName: "Two", extensions: null }, {}],
  ["an Accept that is long", { operationName: "Two" }, { Accept: `${"a/b, ".repeat(200)}application/json` }],
  ["no name", {}, {}],
  ["no operation of this name", { operationName: "Four" }, {}],
  ["a name that is empty", { operationName: "" }, {}],
  ["a mutation that is refused", { operationName: "Three" }, {}],
  ["a persisted query", { extensions: { persistedQuery: { version: 1, sha256Hash: "a" } } }, {}],
  ["extensions of the wrong form", { operationName: "One", extensions: [] }, {}],
  ["a type that is not there", { operationName: "One" }, { Accept: "text/html" }],
  ["events", { operationName: "One" }, { Accept: "text/event-stream" }],
  ["an empty Accept", { operationName: "One" }, { Accept: "" }],
];

/** Sends the same by POST and by GET, by each three times past Apollo, and once to it. */
async function sendAll(sent: Partial<Sent>, headers: Record<string, string>) {
  const body = { query: document, variables: { id: recordId, z: zone }, ...sent } as Sent;
  for (const ask of [send, sendByGet]) {
    const ordinary = await ask(body, userKey, { ...headers, ...toApollo });
    for (let times = 0; times < 3; times += 1) expect(await ask(body, userKey, headers)).toEqual(ordinary);
  }
}

test.each(clients)("the request of a client is answered as by Apollo, without it: %s", async (_, sent, headers) => {
  byApollo.mockClear();
  await sendAll(sent, headers);
  expect(byApollo).toHaveBeenCalledTimes(2);
});

test.each(others)("an unusual request is answered as by Apollo: %s", async (_, sent, headers) => {
  await sendAll(sent, headers);
});

const ofSize = (list: string) => `query ($n: Int) { domains(first: $n) { nodes { ${list} } } }`;

test.each<[string, Sent]>([
  ["a row that is not there", { query: "{ record(id: 1) { id } }" }],
  ["a row of another user", { query: '{ domain(by: { zone: "foreign.example.org" }) { id } }' }],
  ["an id that is none", { query: '{ a: record(id: "x") { id } b: users { nodes { id } } }' }],
  ["a cursor of another list", { query: '{ domains(after: "WyJ1c2VyLkVNQUlMIl0") { nodes { id } } }' }],
  ["a variable of the wrong type", { query: "query ($id: ID!) { record(id: $id) { id } }", variables: { id: [] } }],
  ["too many rows by a variable", { query: ofSize("records(first: 500) { nodes { id } }"), variables: { n: 1000 } }],
  ["a page that is too large", { query: ofSize("id"), variables: { n: 1001 } }],
  ["a document that is not valid", { query: "{ record(id: 1) { nothing } }" }],
])("what is refused is refused as by Apollo: %s", async (_, sent) => {
  const ordinary = await send(sent, userKey, toApollo);
  expect(JSON.parse(ordinary.text)).toHaveProperty("errors");
  for (let times = 0; times < 3; times += 1) expect(await send(sent, userKey)).toEqual(ordinary);
});

test("a browser's origin has the same headers by both ways", async () => {
  const body = { query: `{ record(id: ${recordId}) { id } }` };
  for (const Origin of [origin, "https://evil.example.com"])
    expect(await send(body, adminKey, { Origin })).toEqual(await send(body, adminKey, { Origin, ...toApollo }));
});

test("an answer by a plan has the client's id and one line in the log, with the name of the operation", async () => {
  await send({ query: `query Mine { record(id: ${recordId}) { id } }` }, userKey, { "X-Request-Id": "short-1" });
  const lines = () => service.logged.map((each) => JSON.parse(each)).filter(({ requestId }) => requestId === "short-1");
  const request = { msg: "request", method: "POST", path: "/graphql", operation: "Mine", status: 200, completed: true };
  const expected = [{ ...request, actor: expect.stringMatching(/^owner \(/), ms: expect.any(Number) }];
  await eventually(() => expect(lines()).toMatchObject(expected));
});

test("a key that is revoked has no answer by a plan", async () => {
  const { key, apiKey } = await service.mutate("createApiKey", { name: "short" }, "key apiKey { id }");
  const body = { query: `{ record(id: ${recordId}) { id } }` };
  expect((await send(body, key)).status).toBe(200);
  await service.mutate("revokeApiKey", { apiKeyId: apiKey.id }, "apiKey { id }");
  expect((await send(body, key)).status).toBe(401);
});

test("a body that is read in pieces, or is no JSON, is answered as ever", async () => {
  const head = (length: number) => [
    "POST /graphql HTTP/1.1",
    "Host: x",
    `X-API-Key: ${adminKey}`,
    "Content-Type: application/json",
    `Content-Length: ${length}`,
  ];
  const query = JSON.stringify({ query: `{ record(id: ${recordId}) { id } }` });
  const answer = await raw(service.url, head(Buffer.byteLength(query)), query);
  expect([answer.status, answer.body]).toEqual([200, { data: { record: { id: recordId } } }]);
  expect((await raw(service.url, head(1), "{")).status).toBe(400);
  expect((await raw(service.url, head(4), '"\\ud"'.slice(0, 4))).status).toBe(400);
});

test("large bodies of a query that has a plan give their turns back", async () => {
  const query = `{ record(id: ${recordId}) { id } }`;
  for (let times = 0; times < 20; times += 1) {
    const { status } = await send({ query, extensions: { padding: "x".repeat(140_000) } }, userKey);
    expect(status).toBe(200);
  }
});
