import { beforeAll, expect, test } from "@jest/globals";
import { expectRefused } from "../../setup/service/refusal.ts";
import { type Answer, adminKey, testService } from "../../setup/service/service.ts";

const origin = "https://app.example.com";
const keyed = testService({ RATE_LIMIT_KEY: "5", CORS_ORIGINS: origin });
const addressed = testService({ RATE_LIMIT_ADDRESS: "5", RATE_LIMIT_WRONG_KEY: "3", TRUST_PROXY: "1" });
const plain = testService();
const keys: string[] = [];

beforeAll(async () => {
  const userId = await keyed.user("owner@example.com");
  for (const name of ["one", "two", "three"]) keys.push(await keyed.key({ name, userId }));
});

function expectLimited(answer: Answer) {
  expectRefused(answer, "TOO_MANY_REQUESTS");
  const seconds = Number(answer.headers.get("retry-after"));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
}

test("a key has so many requests a minute over both fronts; another key has its own", async () => {
  const [key, another] = keys as [string, string];
  for (let at = 0; at < 3; at += 1) expect((await keyed.rest("GET", "/domain/list", { key })).status).toBe(200);
  for (let at = 0; at < 2; at += 1) expect((await keyed.graphql("{ users { totalCount } }", {}, key)).status).toBe(200);
  expectLimited(await keyed.rest("GET", "/domain/list", { key }));
  expectLimited(await keyed.graphql("{ users { totalCount } }", {}, key));
  expect((await keyed.rest("GET", "/domain/list", { key: another })).status).toBe(200);
});

/** Comes from an address, as the proxy in front tells it. */
const from = (address: string, key: string | null = adminKey) =>
  addressed.rest("GET", "/domain/list", { headers: { "X-Forwarded-For": address }, key });

test("an address has so many requests a minute, whatever the key; another address has its own", async () => {
  for (let at = 0; at < 5; at += 1) expect((await from("192.0.2.1")).status).toBe(200);
  expectLimited(await from("192.0.2.1"));
  expectLimited(await from("192.0.2.1", "wrong"));
  expect((await from("2001:db8::1")).status).toBe(200);
});

test("wrong and missing keys are limited sooner, and the right key is not shut out by them", async () => {
  for (const key of ["wrong", "wrong", null]) expectRefused(await from("192.0.2.2", key), "UNAUTHENTICATED");
  expectLimited(await from("192.0.2.2", "wrong"));
  expect((await from("192.0.2.2")).status).toBe(200);
});

test("an address that a client only claims is not believed without a proxy", async () => {
  const key = keys[2] as string;
  const claim = (at: number) => plain.rest("GET", "/", { key, headers: { "X-Forwarded-For": `192.0.2.${at}` } });
  for (let at = 0; at < 3; at += 1) expectRefused(await claim(at), "UNAUTHENTICATED");
});

test("the probes need no key and have no limit", async () => {
  const headers = { "X-Forwarded-For": "192.0.2.3" };
  for (let at = 0; at < 20; at += 1) {
    const [health, ready] = await Promise.all(
      ["/healthz", "/readyz"].map((path) => fetch(addressed.url + path, { headers })),
    );
    expect([health?.status, await health?.json()]).toEqual([200, { status: "ok" }]);
    expect([ready?.status, await ready?.json()]).toEqual([200, { status: "ready" }]);
  }
});

test("without CORS_ORIGINS no page of another origin may read an answer", async () => {
  const { headers } = await plain.rest("GET", "/user/list", { headers: { Origin: origin } });
  expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  const preflight = await plain.rest("OPTIONS", "/user/list", { key: null, headers: { Origin: origin } });
  expectRefused(preflight, "UNAUTHENTICATED");
});

test("an origin of CORS_ORIGINS may call, send its key, and read our headers, of refusals too", async () => {
  const asking = {
    Origin: origin,
    "Access-Control-Request-Method": "PUT",
    "Access-Control-Request-Headers": "x-api-key,content-type",
  };
  const preflight = await keyed.rest("OPTIONS", "/record/edit/1", { key: null, headers: asking });
  const allowed = ["origin", "headers", "methods"].map((of) => preflight.headers.get(`access-control-allow-${of}`));
  const methods = expect.stringContaining("PUT");
  expect([preflight.status, ...allowed]).toEqual([204, origin, "x-api-key,content-type", methods]);
  const key = keys[2] as string;
  for (const [path, given, status] of [
    ["/domain/list", key, 200],
    ["/domain/list", "wrong", 401],
    ["/record/list/1", key, 404],
  ] as const) {
    const answer = await keyed.rest("GET", path, { key: given, headers: { Origin: origin } });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([status, origin]);
    expect(answer.headers.get("access-control-expose-headers")).toMatch(/X-Change-Id.*X-Warning.*Retry-After/);
    expect(answer.headers.get("vary")).toContain("Origin");
  }
});

test.each(["https://app.example.com.evil.example", "https://evil.example", "null", "http://app.example.com"])(
  "the origin %s, which is not of CORS_ORIGINS, may not read",
  async (stranger) => {
    const { headers } = await keyed.rest("GET", "/user/list", { key: "wrong", headers: { Origin: stranger } });
    expect(headers.get("access-control-allow-origin")).toBeNull();
  },
);

test.each([
  ["a plain one is kept", "client-7.b:2_x", "client-7.b:2_x"],
  ["none gets one", undefined, /^[0-9a-f-]{36}$/],
  ["one of 65 characters is replaced", "x".repeat(65), /^[0-9a-f-]{36}$/],
  ["one that would break a log line is replaced", 'a"}{"b', /^[0-9a-f-]{36}$/],
])("the request's id: %s", async (_, given, expected) => {
  const headers: Record<string, string> = given === undefined ? {} : { "X-Request-Id": given };
  for (const path of ["/user/list", "/unknown"]) {
    const answer = await plain.rest("GET", path, { headers });
    expect(answer.headers.get("x-request-id")).toMatch(expected);
  }
  expect((await fetch(`${plain.url}/healthz`, { headers })).headers.get("x-request-id")).toMatch(expected);
});
