/** The headers that every response has: it is not stored by a cache, and not taken for another media type. */
import { beforeAll, expect, test } from "@jest/globals";
import { raw } from "../../setup/service/client.ts";
import { adminKey, testService } from "../../setup/service/service.ts";

const service = testService({ CORS_ORIGINS: "https://app.example.com", RATE_LIMIT_WRONG_KEY: "1" });
const zone = "example.com";

beforeAll(async () => {
  const userId = await service.user("owner@example.com");
  for (const name of [zone, "gone.example.net"]) await service.domain(name, userId);
});

const json = { "Content-Type": "application/json", "X-API-Key": adminKey };
const posted = (body: object, headers: Record<string, string> = {}) => ({
  method: "POST",
  headers: { ...json, ...headers },
  body: JSON.stringify(body),
});
const stream = { Accept: "text/event-stream" };
const published = `subscription { domainChanged(zone: "${zone}") { cursor } }`;
const persisted = { persistedQuery: { version: 1, sha256Hash: "0".repeat(64) } };

test.each<[string, string, RequestInit, number]>([
  ["one object", "/api/user/list/1000000000000000", { headers: json }, 200],
  ["a streamed list", "/api/domain/list", { headers: json }, 200],
  ["a master file", `/api/domain/zonefile/${zone}`, { headers: json }, 200],
  ["an import", `/api/domain/zonefile/${zone}`, { ...posted({}, { "Content-Type": "text/dns" }), body: "" }, 200],
  ["no content", "/api/domain/delete?zone=gone.example.net", { method: "DELETE", headers: json }, 204],
  ["a refusal", "/api/record/list/1", { headers: json }, 404],
  ["an unknown path", "/nothing", { headers: json }, 404],
  ["a wrong path", "/api/record/list/%zz", { headers: json }, 400],
  ["a missing key", "/api/user/list", {}, 401],
  ["a key too many", "/api/user/list", { headers: { "X-API-Key": "wrong" } }, 429],
  ["a body that is too large", "/api/user/add", { method: "POST", headers: json, body: "x".repeat(200_000) }, 413],
  ["GraphQL", "/graphql", posted({ query: "{ ttlPolicy { min } }" }), 200],
  ["GraphQL by GET", "/graphql?query=%7BttlPolicy%7Bmin%7D%7D", { headers: json }, 200],
  ["a refusal of GraphQL", "/graphql", posted({ query: "{ nothing }" }), 400],
  ["a persisted query", "/graphql", posted({ extensions: persisted }), 200],
  ["a method that GraphQL has not", "/graphql", { method: "DELETE", headers: json }, 405],
  ["events", "/graphql", posted({ query: published }, stream), 200],
  ["a refusal in events", "/graphql", posted({ query: "{ nothing }" }, stream), 200],
  ["a browser's preflight", "/graphql", { method: "OPTIONS", headers: { Origin: "https://app.example.com" } }, 204],
  ["health", "/healthz", {}, 200],
  ["readiness", "/readyz", {}, 200],
])("%s", async (_, path, init, status) => {
  const gone = new AbortController();
  const response = await fetch(service.url + path, { ...init, signal: gone.signal });
  const { headers } = response;
  const seen = [response.status, headers.get("cache-control"), headers.get("x-content-type-options")];
  gone.abort();
  expect(seen).toEqual([status, "no-store", "nosniff"]);
});

test.each([
  ["no HTTP", ["BREW / HTCPCP/1.0"], 400],
  ["headers that are too large", ["GET /healthz HTTP/1.1", "Host: x", `X: ${"x".repeat(20_000)}`], 413],
])("%s", async (_, head, status) => {
  const { status: seen, headers } = await raw(service.url, head);
  const protective = ["cache-control", "x-content-type-options"].map((name) => headers.get(name));
  expect([seen, ...protective]).toEqual([status, "no-store", "nosniff"]);
});

test("a connection stays open for longer than proxies keep theirs", async () => {
  const { headers } = await fetch(`${service.url}/healthz`);
  expect(headers.get("keep-alive")).toBe("timeout=75");
});
