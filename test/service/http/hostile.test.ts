/** Requests that are wrong as HTTP are refused in JSON, and nothing moves. */
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "@jest/globals";
import type { Code } from "../../../src/error-codes.ts";
import { raw } from "../../setup/service/client.ts";
import { expectRefused } from "../../setup/service/refusal.ts";
import { type Answer, adminKey, answerOf, testService } from "../../setup/service/service.ts";

const service = testService();
const limit = 128 * 1024;
const limits = { "/api/record/add": limit, "/graphql": 1024 * 1024 };
const record = { zone: "example.com", owner: "new", rtype: "A", rdata: "192.0.2.9", ttl: "3600" };
const query = "{ users { totalCount } }";
let before: unknown;

beforeAll(async () => {
  await service.domain("example.com", await service.user("owner@example.com"));
  before = await service.state();
});

/** The two fronts, and a request of each that would be answered. */
const fronts = { "/api/record/add": record, "/graphql": { query } };
type Body = NonNullable<RequestInit["body"]>;
type Front = keyof typeof fronts;
const both = Object.keys(fronts) as Front[];

async function post(path: string, type: string | null, body: Body, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.url}${path}`, {
    method: "POST",
    headers: { "X-API-Key": adminKey, ...(type !== null && { "Content-Type": type }), ...headers },
    body,
    ...(body instanceof ReadableStream && { duplex: "half" }),
  } as RequestInit);
  return answerOf(response);
}

async function expectNothingMoved(answer: Answer, error: Code) {
  expectRefused(answer, error);
  expect(await service.state()).toEqual(before);
}

const json = "application/json";
const form = "application/x-www-form-urlencoded";
const multipart = "multipart/form-data; boundary=limit";
const part = (name: string, value: string) =>
  `--limit\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const parts = Object.entries(record).map(([name, value]) => part(name, value));
const padded = (front: Front, length: number) => {
  const text = JSON.stringify({ ...fronts[front], padding: "" });
  return text.replace(/"padding":""/, `"padding":"${"x".repeat(length - text.length)}"`);
};
/** A body whose length is not told beforehand. */
const chunked = (text: string) => new Blob([text]).stream();

test.each(both)("%s refuses a JSON body above its limit, told or chunked", async (front) => {
  await expectNothingMoved(await post(front, json, padded(front, limits[front] + 1)), "TOO_LARGE");
  await expectNothingMoved(await post(front, json, chunked(padded(front, 4 * limits[front]))), "TOO_LARGE");
});

test("a body of its limit is read, of any media type", async () => {
  const filled = new URLSearchParams({ ...record, padding: "" }).toString();
  expect((await post("/graphql", json, padded("/graphql", limits["/graphql"]))).status).toBe(200);
  expect((await post("/api/domain/delete", json, padded("/api/record/add", limit))).status).toBe(405);
  expect((await post("/api/record/list", form, filled + "x".repeat(limit - filled.length))).status).toBe(405);
});

test.each([
  ["form", form, `${new URLSearchParams(record)}&padding=${"x".repeat(limit)}`],
  ["form of many fields", form, `${new URLSearchParams(record)}&${"a=b&".repeat(limit / 4)}`],
  ["multipart form", multipart, `${parts.join("")}${part("padding", "x".repeat(limit))}--limit--`],
  ["multipart form of a long name", multipart, `${parts.join("")}${part("x".repeat(limit), "")}--limit--`],
])("REST refuses a %s above 128 KB, told or chunked", async (_, type, body) => {
  await expectNothingMoved(await post("/api/record/add", type, body), "TOO_LARGE");
  await expectNothingMoved(await post("/api/record/add", type, chunked(body)), "TOO_LARGE");
});

test.each<[string, Body]>([
  ["half an object", "{"],
  ["nothing but blanks", "  "],
  ["two objects", "{}{}"],
  ["an array", "[]"],
  ["a text", '"text"'],
  ["null", "null"],
  ["60,000 nested arrays", "[".repeat(60_000) + "]".repeat(60_000)],
  ["20,000 open objects", '{"a":'.repeat(20_000)],
  ["half a surrogate pair", String.raw`{"query": "\ud800", "zone": "\uDC00"}`],
  ["bytes that are not UTF-8", Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
])("both fronts refuse JSON that is %s", async (_, body) => {
  for (const front of both) await expectNothingMoved(await post(front, json, body), "BAD_REQUEST");
});

test.each([
  ["a broken percent-encoding", form, "zone=%zz"],
  ["percent-encoded bytes that are not UTF-8", form, "zone=%ff"],
  ["bytes that are not UTF-8", form, Uint8Array.of(0x7a, 0x3d, 0xff)],
  ["a multipart form without a boundary", "multipart/form-data", `${parts.join("")}--limit--`],
  ["a multipart form that ends early", multipart, parts.join("").slice(0, -10)],
  ["a multipart form of another boundary", "multipart/form-data; boundary=other", `${parts.join("")}--limit--`],
  ["a multipart part without headers", multipart, "--limit\r\nzone\r\n--limit--"],
  ["a multipart part without a name", multipart, "--limit\r\nContent-Disposition: form-data\r\n\r\nzone\r\n--limit--"],
  ["a file", multipart, `${parts.join("")}${part('f"; filename="f', "x")}--limit--`],
  ["51 fields", multipart, `${part("a", "b").repeat(51)}--limit--`],
  ["a field with a name of 101 characters", multipart, `${parts.join("")}${part("a".repeat(101), "b")}--limit--`],
] as [string, string, Body][])("REST refuses a form with %s", async (_, type, body) => {
  await expectNothingMoved(await post("/api/record/add", type, body), "BAD_REQUEST");
});

test.each<[string, string | null, (body: string) => Body, Record<string, string>?]>([
  ["text/plain", "text/plain", (body) => body],
  ["nonsense", "nonsense", (body) => body],
  ["none", null, (body) => new TextEncoder().encode(body)],
  ["JSON in Latin-1", `${json}; charset=iso-8859-1`, (body) => body],
  ["JSON under gzip", json, (body) => gzipSync(body), { "Content-Encoding": "gzip" }],
  ["JSON under an unknown encoding", json, (body) => body, { "Content-Encoding": "x-none" }],
  ["bytes that only say gzip", json, (body) => body, { "Content-Encoding": "gzip" }],
])("both fronts refuse the media type %s", async (_, ...[type, bodyOf, headers]) => {
  for (const front of both) {
    const body = bodyOf(JSON.stringify(fronts[front]));
    await expectNothingMoved(await post(front, type, body, headers), "UNSUPPORTED_MEDIA_TYPE");
  }
});

test("GraphQL takes no forms", async () => {
  for (const [type, body] of [
    [form, new URLSearchParams({ query })],
    [multipart, `${part("query", query)}--limit--`],
  ] as const)
    await expectNothingMoved(await post("/graphql", type, body), "UNSUPPORTED_MEDIA_TYPE");
});

const head = (line: string, ...headers: string[]) => [line, "Host: x", `X-API-Key: ${adminKey}`, ...headers];
/** The head of a write with a body of JSON. */
const writing = (...headers: string[]) => head("POST /api/user/add HTTP/1.1", `Content-Type: ${json}`, ...headers);

test.each<[string, string[], Code, string?]>([
  ["a broken percent-encoding in the path", head("GET /api/record/list/%zz HTTP/1.1"), "BAD_REQUEST"],
  ["a path that is not UTF-8", head("GET /api/domain/list/zone/%ff HTTP/1.1"), "BAD_REQUEST"],
  ["a broken percent-encoding in the query", head("GET /api/user/list?email=%zz HTTP/1.1"), "BAD_REQUEST"],
  ["a query that is not UTF-8", head("GET /api/record/list?zone=%c3%28 HTTP/1.1"), "BAD_REQUEST"],
  ["a header of 20 KB", head("GET /api/user/list HTTP/1.1", `X-Long: ${"x".repeat(20_000)}`), "TOO_LARGE"],
  ["a key of 20 KB", ["GET /api/user/list HTTP/1.1", "Host: a", `X-API-Key: ${"x".repeat(20_000)}`], "TOO_LARGE"],
  ["a path of 20 KB", head(`GET /api/record/list/${"1".repeat(20_000)} HTTP/1.1`), "TOO_LARGE"],
  ["a path of 10 KB", head(`GET /api/record/list/${"1".repeat(10_000)} HTTP/1.1`), "INVALID_VALUE"],
  ["a line that is no HTTP", ["\x16\x03\x01\x02", ""], "BAD_REQUEST"],
  ["an unknown HTTP version", head("GET /api/user/list HTTP/9.9"), "BAD_REQUEST"],
  ["a header without a name", head("GET /api/user/list HTTP/1.1", ": x"), "BAD_REQUEST"],
  ["a NUL in a header", head("GET /api/user/list HTTP/1.1", "X-Nul: \x00"), "BAD_REQUEST"],
  ["a length that is no number", writing("Content-Length: x"), "BAD_REQUEST"],
  ["a length and chunks", writing("Content-Length: 2", "Transfer-Encoding: chunked"), "BAD_REQUEST"],
  ["a chunk without a length", writing("Transfer-Encoding: chunked"), "BAD_REQUEST", "zz\r\n"],
  ["a length of a terabyte", writing("Content-Length: 1099511627776"), "TOO_LARGE"],
  ["a folder above", head("GET /api/../../../etc/passwd HTTP/1.1"), "NOT_FOUND"],
  ["a folder above in disguise", head("GET /api/%2e%2e/%2e%2e/etc/passwd HTTP/1.1"), "NOT_FOUND"],
  ["two slashes", head("GET //example.net/api HTTP/1.1"), "NOT_FOUND"],
  ["no path", head("GET ? HTTP/1.1"), "BAD_REQUEST"],
  ...["/", "/api/", "/api/unknown", "/api/record/list/1/2", "/favicon.ico"].map((path): [string, string[], Code] => [
    `the path ${path}, which is nowhere,`,
    head(`GET ${path} HTTP/1.1`),
    "NOT_FOUND",
  ]),
  ["a method that a path has not", head("PROPFIND /api/record/list HTTP/1.1"), "METHOD_NOT_ALLOWED"],
])("answers %s in JSON", async (...[, lines, error, body]) => {
  expectRefused(await raw(service.url, lines, body), error);
});

test("HEAD answers what GET would, without a body; OPTIONS wants a key", async () => {
  const found = await service.rest("HEAD", "/record/list?limit=1");
  expect([found.status, found.text, found.headers.get("x-total-count")]).toEqual([200, "", "4"]);
  const missing = await service.rest("HEAD", "/record/list/1");
  expect([missing.status, missing.text]).toEqual([404, ""]);
  expectRefused(await service.rest("OPTIONS", "/record/list", { key: null }), "UNAUTHENTICATED");
});

test("a request that is broken off leaves the service answering", async () => {
  const { hostname, port } = new URL(service.url);
  for (const body of ['{"zone": "exam', ""]) {
    const socket = connect(Number(port), hostname);
    socket.write(`${writing("Content-Length: 900").join("\r\n")}\r\n\r\n${body}`);
    await new Promise<void>((resolve) => socket.end(() => resolve()));
    socket.destroy();
  }
  expect((await service.rest("GET", "/user/list")).status).toBe(200);
});
