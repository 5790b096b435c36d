import { expect, test } from "@jest/globals";
import { maskKeys, maskPath } from "../../../src/http/mask-keys.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { onServer } from "../../setup/database/database.ts";
import { expectRefusal } from "../../setup/service/refusal.ts";
import { adminKey, type Json, testService } from "../../setup/service/service.ts";
import { errorId } from "../../setup/service/three-writers.ts";

const service = testService({ LOG_LEVEL: "info" });
const lines = (): Json[] => service.logged.map((line) => JSON.parse(line));
const wrongKey = "zs_wrong-key-that-somebody-typed-0123456789";
const issued: string[] = [];

/** The log lines of a request, once it is logged. */
const logged = (id: string): Promise<Json[]> =>
  eventually(() => {
    const found = lines().filter((line) => line.requestId === id);
    expect(found).toContainEqual(expect.objectContaining({ msg: "request" }));
    return found;
  });

test("every request is one line of JSON with its id, method, path, status, time and actor", async () => {
  const userId = await service.user("owner@example.com");
  issued.push(await service.key({ name: "frontend", userId }));
  const key = issued[0] as string;
  const headers = (id: string) => ({ "X-Request-Id": id });
  await service.rest("GET", `/domain/list?user_id=${userId}`, { key, headers: headers("log-1") });
  await service.rest("GET", "/record/list/1", { key, headers: headers("log-2") });
  await service.rest("GET", "/user/list", { key: wrongKey, headers: headers("log-3") });
  const shown = [];
  for (const id of ["log-1", "log-2", "log-3"]) shown.push(...(await logged(id)));
  const line = { level: 30, msg: "request", method: "GET", completed: true, ms: expect.any(Number) };
  const actor = expect.stringMatching(/^frontend \([0-9a-f]{8}\)$/);
  expect(shown).toMatchObject([
    { ...line, requestId: "log-1", path: "/api/domain/list", status: 200, actor },
    { ...line, requestId: "log-2", path: "/api/record/list/1", status: 404 },
    { ...line, requestId: "log-3", path: "/api/user/list", status: 401 },
  ]);
  expect(shown[2]).not.toHaveProperty("actor");
});

test("the line of a GraphQL request names its operation and the codes of its refusals; a REST line its refusal", async () => {
  const send = async (id: string, query: string, key = adminKey) => {
    await (await service.post({ query }, { key, headers: { "X-Request-Id": id } })).text();
    return (await logged(id)).find(({ msg }) => msg === "request");
  };
  expect(await send("named", "query Own { users { nodes { id } } }")).toMatchObject({ operation: "Own" });
  const unnamed = await send("unnamed", "{ users { nodes { id } } a: domains { totalCount } }");
  expect(unnamed).toMatchObject({ operation: "query users domains" });
  expect(unnamed).not.toHaveProperty("refusals");
  const refused = '{ a: user(by: { email: "no@a.example" }) { id } b: domain(by: { zone: "no.example" }) { id } }';
  expect(await send("refused", refused)).toMatchObject({ operation: "query user domain", refusals: ["NOT_FOUND"] });
  expect(await send("document", "{ nothing }")).toMatchObject({ refusals: ["BAD_REQUEST"] });
  await service.rest("GET", "/user/list/1", { headers: { "X-Request-Id": "rest" } });
  expect((await logged("rest"))[0]).toMatchObject({ refusals: ["NOT_FOUND"] });
});

test("probes are not logged at info", async () => {
  for (const path of ["/healthz", "/readyz"]) await (await fetch(`${service.url}${path}`)).text();
  await service.rest("GET", "/user/list", { headers: { "X-Request-Id": "after-probes" } });
  await logged("after-probes");
  expect(lines().filter(({ path }) => path === "/healthz" || path === "/readyz")).toEqual([]);
});

test("no key is ever logged, wherever a client puts it", async () => {
  const key = issued[0] as string;
  const keys = [adminKey, key, wrongKey];
  for (const each of keys) {
    await service.rest("GET", `/user/list?email=${each}`, { key: each });
    await service.rest("GET", `/user/list?X-API-Key=${each}`, { key: null });
    await service.rest("POST", "/user/add", { key: each, json: { email: each, key: each } });
    await service.graphql("query ($key: String) { user(by: { email: $key }) { id } }", { key: each }, each);
    await service.graphql(`{ user(by: { email: "${each}" }) { id } nothing }`, {}, each);
    const encoded = [...each].map((character) => `%${character.charCodeAt(0).toString(16)}`).join("");
    for (const key of [each, null]) {
      await service.rest("GET", `/user/list/${each}`, { key });
      await service.rest("GET", `/user/list/${encoded}/more`, { key });
      await service.rest("DELETE", `/${"a".repeat(270)}${each}`, { key });
      await service.rest("GET", `/domain/list/zone/${each}?key=${each}&api_key=${each}`, { key });
      await service.rest("GET", "/user/list", { key, headers: { "X-Request-Id": each } });
    }
    const headers = { Authorization: `Bearer ${each}`, Cookie: each };
    await service.rest("GET", "/user/list", { key: `${each}x`, headers });
  }
  await service.rest("GET", "/user/list/1", { headers: { "X-Request-Id": "last" } });
  await logged("last");
  for (const line of service.logged)
    for (const each of keys) expect(decodeURIComponent(line)).not.toContain(each.slice(0, 29));
  expect(service.logged.join()).toContain('"path":"/api/user/list/zs_***"');
});

test("a key of any shape is masked when it is the request's own, and the rest of the path stays", () => {
  const key = "operator's/own+key%of#his&choice";
  expect(maskPath(`/api/user/list/${encodeURIComponent(key)}/x`, [key])).toBe("/api/user/list/zs_***/x");
  expect(maskPath(`/api/${key}`, [key])).toBe("/api/zs_***");
  const path = "/api/domain/list/zone/b%C3%BCcher.example";
  expect(maskPath(path, [key, undefined, "short"])).toBe(path);
  expect(maskPath("/api/%zz/zs_0123456789abcdef", [])).toBe("/api/%zz/zs_***");
  expect(maskKeys('{"msg":"no key zs_0123456789abcdef here"}')).toBe('{"msg":"no key zs_*** here"}');
});

test("a failure of ours is a 500 that shows nothing, logged with its reason under the request's id and its own", async () => {
  await service.sql("alter table zone_record rename to elsewhere");
  try {
    const rest = await service.rest("GET", "/record/list", { headers: { "X-Request-Id": "failed-rest" } });
    const body = {
      code: 500,
      status: "error",
      error: "INTERNAL_ERROR",
      message: expect.any(String),
      error_id: errorId,
    };
    expect([rest.status, rest.headers.get("retry-after"), rest.body]).toEqual([500, null, body]);
    const graphql = await service.graphql("{ records { nodes { id } } }");
    expect(graphql.body.errors[0].extensions.code).toBe("INTERNAL_ERROR");
    for (const [answer, requestId, message] of [
      [rest, "failed-rest", rest.body.message],
      [graphql, graphql.headers.get("x-request-id"), graphql.body.errors[0].message],
    ] as const) {
      expect(answer.text).not.toMatch(/relation|select|elsewhere|\.ts|\.js|stack/i);
      // A plan that failed has a line too, without an id.
      const failure = (await logged(requestId as string)).find(({ id }) => id !== undefined);
      expect(failure).toMatchObject({ level: 50, err: { message: expect.stringContaining("relation") } });
      expect(message).toContain(failure.id);
    }
  } finally {
    await service.sql("alter table public.elsewhere rename to zone_record");
  }
});

test("readyz and requests say 503 while the database is gone, and recover by themselves", async () => {
  const name = new URL(service.databaseUrl.replace(/@[^/]*\//, "@host/")).pathname.slice(1);
  const ready = () => fetch(`${service.url}/readyz`);
  expect((await ready()).status).toBe(200);
  await onServer(`alter database ${name} allow_connections false`);
  await onServer(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}' and application_name like 'zonesmith%'`,
  );
  try {
    const gone = await ready();
    const reason = "the database cannot be reached";
    expect([gone.status, await gone.json()]).toEqual([503, { status: "not ready", reason }]);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    const refused = await service.rest("GET", "/user/list", { headers: { "X-Request-Id": "gone-1" } });
    expect(refused).toMatchObject({ status: 503, body: { code: 503, status: "error", error: "UNAVAILABLE" } });
    expect(refused.text).not.toContain(name);
    const [failure, request] = await logged("gone-1");
    expect(failure).toMatchObject({ level: 40, reason: expect.any(String), problem: expect.any(String) });
    expect(failure).not.toHaveProperty("err");
    expect(request).toMatchObject({ status: 503 });
    expect(refused.body.message).toContain(failure.id);
  } finally {
    await onServer(`alter database ${name} allow_connections true`);
  }
  await eventually(async () => expect((await ready()).status).toBe(200));
  expectRefusal(await service.rest("GET", "/record/list/1"), "NOT_FOUND", "id");
  const password = new URL(service.databaseUrl.replace(/@[^/]*\//, "@host/")).password;
  const secrets = [adminKey, wrongKey, ...issued, ...(password ? [password] : [])];
  for (const line of service.logged) for (const secret of secrets) expect(line).not.toContain(secret);
});
