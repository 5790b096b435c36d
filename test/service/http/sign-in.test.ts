/** Signing in with a cookie: what it stands for, when it ends, and that no page of another origin can use it. */
import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { type Answer, adminKey, answerOf, mutation, testService } from "../../setup/service/service.ts";
import { type Stream, subscribe } from "../../setup/service/stream.ts";

const service = testService({ TRUST_PROXY: "1", CORS_ORIGINS: "https://app.example.com", SIGN_IN_HOURS: "2" });
const zone = "example.com";
const ofConsole = { "X-Zonesmith-Console": "1" };
let userId = "";

beforeAll(async () => {
  userId = await service.user("owner@example.com");
  await service.domain(zone, userId);
});

async function ask(path: string, { headers, ...init }: RequestInit = {}): Promise<Answer> {
  return answerOf(await fetch(service.url + path, { ...init, headers: { ...ofConsole, ...headers } }));
}

const json = (body: unknown) => ({ method: "POST", body: JSON.stringify(body) });
const asJson = { "Content-Type": "application/json" };

const signIn = (key: unknown, headers: Record<string, string> = {}) =>
  ask("/sign-in", { ...json({ key }), headers: { ...asJson, ...headers } });

/** The cookie that an answer sets, as a browser sends it back. */
const cookieOf = ({ headers }: Answer) => (headers.get("set-cookie") ?? "").split(";")[0] ?? "";

async function cookieFor(key = adminKey): Promise<string> {
  return cookieOf(await signIn(key));
}

const role = "{ viewer { role } }";
const graphql = (cookie: string, query = role, headers: Record<string, string> = {}, variables = {}) =>
  ask("/graphql", { ...json({ query, variables }), headers: { ...asJson, Cookie: cookie, ...headers } });
const signOut = (cookie: string, headers = {}) =>
  ask("/sign-in", { method: "DELETE", headers: { Cookie: cookie, ...headers } });

describe("a key signs in", () => {
  test("with a cookie that no script reads and no other site sends, for SIGN_IN_HOURS", async () => {
    const answer = await signIn(adminKey);
    const { status, body, headers } = answer;
    expect([status, Object.keys(body)]).toEqual([201, ["signedInUntil"]]);
    const attributes = "Path=/; HttpOnly; SameSite=Strict; Max-Age=7(200|1\\d\\d)";
    expect(headers.get("set-cookie")).toMatch(
      new RegExp(`^zonesmith-${new URL(service.url).port}=[\\w-]{43}; ${attributes}$`),
    );
    const rows = await service.sql(
      "select extract(epoch from ends_at - created_at)::int / 3600 as hours, octet_length(hash) as length from sign_in",
    );
    expect(rows).toEqual([{ hours: 2, length: 32 }]);
    const viewer = await graphql(cookieOf(answer), "{ viewer { signedInUntil } }");
    expect(viewer.body.data).toEqual({ viewer: body });
    expect(await service.data("{ viewer { signedInUntil } }")).toEqual({ viewer: { signedInUntil: null } });
  });

  test("over TLS with one that is bound to the host and to TLS", async () => {
    const overTls = { "X-Forwarded-Proto": "https" };
    const answer = await signIn(adminKey, overTls);
    expect(answer.headers.get("set-cookie")).toMatch(
      /^__Host-zonesmith=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+; Secure$/,
    );
    const cookie = cookieOf(answer);
    expect((await graphql(cookie, role, overTls)).body.data.viewer.role).toBe("ADMINISTRATOR");
    expect((await graphql(cookie)).status).toBe(401);
  });

  test.each([
    ["a wrong key", "wrong", 401, "UNAUTHENTICATED"],
    ["no key", undefined, 400, "MISSING_FIELD"],
    ["a number", 1, 400, "MISSING_FIELD"],
  ])("%s does not", async (_what, key, status, error) => {
    const answer = await signIn(key);
    expect([answer.status, answer.body.error, answer.headers.get("set-cookie")]).toEqual([status, error, null]);
  });

  test("other methods are refused", async () => {
    const { status, headers } = await ask("/sign-in", { method: "PUT", headers: { Cookie: await cookieFor() } });
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD, POST, DELETE"]);
  });
});

describe("a sign-in", () => {
  let cookie: string;
  beforeEach(async () => {
    cookie = await cookieFor();
  });

  test("may do what the key may, by every path; the journal names the key, and the console as the source", async () => {
    const add = mutation("createRecord", "change { actor source }");
    const input = { zone, owner: "graphql", type: "A", rdata: "192.0.2.1" };
    const { body } = await graphql(cookie, add, {}, { input });
    const actor = expect.stringMatching(/^administrator \(/);
    expect(body.data.createRecord.change).toEqual({ actor, source: "CONSOLE" });
    const form = new URLSearchParams({ zone, owner: "rest", rtype: "A", rdata: "192.0.2.2", ttl: "3600" });
    const added = await ask("/api/record/add", { method: "POST", body: form, headers: { Cookie: cookie } });
    expect(added.status).toBe(201);
    const change = await ask(`/api/change/${added.headers.get("x-change-id")}`, { headers: { Cookie: cookie } });
    expect(change.body.source).toBe("console");
    const text = "later 3600 A 192.0.2.3\n";
    const headers = { Cookie: cookie, "Content-Type": "text/dns" };
    const imported = await ask(`/api/domain/zonefile/${zone}?mode=merge`, { method: "POST", body: text, headers });
    expect([imported.status, imported.text]).toEqual([200, expect.stringContaining("192.0.2.3")]);
  });

  test("is taken on the road too", async () => {
    const query = "query ($zone: String!) { domain(by: { zone: $zone }) { zone } }";
    for (let times = 0; times < 3; times += 1)
      expect((await graphql(cookie, query, {}, { zone })).body.data).toEqual({ domain: { zone } });
  });

  test("lets no read-only key write", async () => {
    const readOnly = await cookieFor(await service.key({ name: "reader", userId, readOnly: true }));
    const { body } = await graphql(
      readOnly,
      `mutation { deleteDomain(input: { by: { zone: "${zone}" } }) { deletedId } }`,
    );
    expect(body.errors[0].extensions.code).toBe("FORBIDDEN");
  });

  test("counts for nothing beside X-API-Key", async () => {
    const wrong = await graphql(cookie, role, { "X-API-Key": "wrong" });
    expect([wrong.status, wrong.body.errors[0].extensions.field]).toEqual([401, "X-API-Key"]);
    const key = await service.key({ name: "beside", userId });
    const { body } = await graphql(cookie, role, { "X-API-Key": key });
    expect(body.data.viewer.role).toBe("USER");
  });

  test("is told until when it lasts; without one, with one that has ended, and with a key, there is none", async () => {
    const told = (headers: Record<string, string>) => ask("/sign-in", { headers });
    const { body } = await graphql(cookie, "{ viewer { signedInUntil } }");
    expect(await told({ Cookie: cookie })).toMatchObject({ status: 200, body: body.data.viewer });
    await signOut(cookie);
    for (const headers of [{}, { "X-API-Key": adminKey }, { Cookie: cookie }] as Record<string, string>[])
      expect(await told(headers)).toMatchObject({ status: 200, body: { signedInUntil: null } });
    expect((await told({ "Sec-Fetch-Site": "same-site" })).status).toBe(403);
  });

  test("ends by DELETE, which takes the cookie away, at once", async () => {
    expect((await graphql(cookie)).status).toBe(200);
    const { status, headers } = await signOut(cookie);
    expect([status, headers.get("set-cookie")]).toEqual([204, expect.stringMatching(/=; Path=\/; .*Max-Age=0$/)]);
    const { status: after, body } = await graphql(cookie);
    expect([after, body.errors[0].extensions.code]).toEqual([401, "UNAUTHENTICATED"]);
    expect((await signOut(cookie)).status).toBe(204);
  });
});

/** A key with a sign-in, whose use is seen to succeed. */
async function newSignIn(name: string): Promise<{ cookie: string; id: string }> {
  const cookie = await cookieFor(await service.key({ name, userId }));
  const { body } = await graphql(cookie, "{ viewer { key { id } } }");
  return { cookie, id: body.data.viewer.key.id };
}

describe("a sign-in ends", () => {
  test.each([
    ["at once when its key is revoked", "", /revoked/],
    ["when its key expires", "update api_key set expires_at = now() where id = $1", /expired/],
    ["after its hours", "update sign_in set ends_at = now() where key_id = $1", /no longer/],
    ["when its key is gone", "delete from api_key where id = $1", /no longer/],
  ])("%s", async (_when, statement, sentence) => {
    const { cookie, id } = await newSignIn("ends");
    if (statement === "") await service.mutate("revokeApiKey", { apiKeyId: id }, "apiKey { id }");
    else {
      await service.sql(statement, [id]);
      // Another process's word is heard within a second; this one forgets what it has looked up.
      await signOut(await cookieFor());
    }
    const { status, body } = await graphql(cookie);
    expect([status, body.errors?.[0].message]).toEqual([401, expect.stringMatching(sentence)]);
  });

  test("and the stream that it opened", async () => {
    const { cookie, id } = await newSignIn("streams");
    const subscription = `subscription { domainChanged(zone: "${zone}") { cursor } }`;
    const stream = (await subscribe(service, subscription, { Cookie: cookie, ...ofConsole })) as Stream;
    await stream.next();
    await service.mutate("revokeApiKey", { apiKeyId: id }, "apiKey { id }");
    await service.record(zone, "after", "TXT", "the end");
    const { errors } = await stream.next();
    expect(errors?.[0].extensions.code).toBe("UNAUTHENTICATED");
    stream.close();
  });

  test("and its row is removed by the next that begins", async () => {
    await newSignIn("swept");
    await service.sql("update sign_in set ends_at = now() - interval '1 second'");
    await cookieFor();
    expect(await service.sql("select count(*)::int as count from sign_in")).toEqual([{ count: 1 }]);
  });
});

describe("a page of another origin cannot use the cookie", () => {
  const own = () => new URL(service.url).origin;
  const neighbour = () => `${own().replace(/\d+$/, "")}1`;
  const without: Record<string, string> = { "X-Zonesmith-Console": "" };
  const proxied = { "X-Forwarded-Host": "dns.example.com", "X-Forwarded-Proto": "https" };

  test.each<[string, () => Record<string, string>, number]>([
    ["nothing but the header", () => ({}), 200],
    ["no header, as a form sends it", () => without, 403],
    ["another value of the header", () => ({ "X-Zonesmith-Console": "0" }), 403],
    ["its own origin", () => ({ Origin: own(), "Sec-Fetch-Site": "same-origin" }), 200],
    ["an address that was typed", () => ({ "Sec-Fetch-Site": "none" }), 200],
    ["another site", () => ({ "Sec-Fetch-Site": "cross-site" }), 403],
    ["another port of the same host", () => ({ "Sec-Fetch-Site": "same-site" }), 403],
    ["the origin of another port", () => ({ Origin: neighbour() }), 403],
    ["an origin that CORS_ORIGINS names", () => ({ Origin: "https://app.example.com" }), 403],
    ["an origin that is hidden", () => ({ Origin: "null" }), 403],
    ["this origin by plain HTTP behind TLS", () => ({ Origin: own(), "X-Forwarded-Proto": "https" }), 403],
    ["this origin as the proxy was asked", () => ({ ...proxied, Origin: "https://dns.example.com" }), 200],
  ])("%s", async (_what, headers, status) => {
    const sent = headers();
    const overTls: Record<string, string> = sent["X-Forwarded-Proto"] ? { "X-Forwarded-Proto": "https" } : {};
    const cookie = cookieOf(await signIn(adminKey, overTls));
    const body = new URLSearchParams({ email: "somebody@example.com" });
    const answers = [
      await graphql(cookie, role, sent),
      await graphql(cookie, role, { ...sent, Accept: "text/event-stream" }),
      await ask("/api/user/edit/1", { method: "PUT", body, headers: { Cookie: cookie, ...sent } }),
      await signIn(adminKey, sent),
      await signOut(cookie, sent),
    ];
    const expected = status === 403 ? [403, 403, 403, 403, 403] : [200, 200, 404, 201, 204];
    expect(answers.map((answer) => answer.status)).toEqual(expected);
  });

  test.each<[string, Record<string, string>, number]>([
    ["a download by a link of the console", { "Sec-Fetch-Site": "same-origin", ...without }, 200],
    ["a download by an address that was typed", { "Sec-Fetch-Site": "none", ...without }, 200],
    ["a download that another port asks for", { "Sec-Fetch-Site": "same-site", ...without }, 403],
  ])("%s", async (_what, headers, status) => {
    const cookie = await cookieFor();
    const path = `/api/domain/zonefile/${zone}`;
    for (const method of ["GET", "HEAD"])
      expect((await ask(path, { method, headers: { Cookie: cookie, ...headers } })).status).toBe(status);
  });

  test("CORS allows no credentials", async () => {
    const headers = { Origin: "https://app.example.com", "Access-Control-Request-Method": "POST" };
    const answer = await ask("/graphql", { method: "OPTIONS", headers });
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
  });
});
