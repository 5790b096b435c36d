/**
 * Signing in with a cookie: what it stands for, when it ends, and that no page of another origin can use it.
 */
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

const graphql = (cookie: string, query: string, headers: Record<string, string> = {}, variables = {}) =>
  ask("/graphql", { ...json({ query, variables }), headers: { ...asJson, Cookie: cookie, ...headers } });

describe("a key signs in", () => {
  test("with a cookie that no script reads and no other site sends, for SIGN_IN_HOURS", async () => {
    const { status, body, headers } = await signIn(adminKey);
    expect(status).toBe(201);
    const [pair = "", ...attributes] = (headers.get("set-cookie") ?? "").split("; ");
    expect(pair).toMatch(new RegExp(`^zonesmith-${new URL(service.url).port}=[\\w-]{43}$`));
    expect(attributes.slice(0, 3)).toEqual(["Path=/", "HttpOnly", "SameSite=Strict"]);
    expect(attributes[3]).toMatch(/^Max-Age=7(200|1\d\d)$/);
    const [row] = await service.sql<{ hours: number; length: number }>(
      "select extract(epoch from ends_at - created_at)::int / 3600 as hours, octet_length(hash) as length from sign_in order by created_at desc",
    );
    expect(row).toEqual({ hours: 2, length: 32 });
    expect(Object.keys(body)).toEqual(["signedInUntil"]);
    const viewer = await graphql(pair, "{ viewer { signedInUntil } }");
    expect(viewer.body.data).toEqual({ viewer: body });
    expect(await service.data("{ viewer { signedInUntil } }")).toEqual({ viewer: { signedInUntil: null } });
  });

  test("over TLS with one that is bound to the host and to TLS", async () => {
    const answer = await signIn(adminKey, { "X-Forwarded-Proto": "https" });
    expect(answer.headers.get("set-cookie")).toMatch(
      /^__Host-zonesmith=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+; Secure$/,
    );
    const overTls = { "X-Forwarded-Proto": "https" };
    const cookie = cookieOf(answer);
    expect((await graphql(cookie, "{ viewer { role } }", overTls)).body.data.viewer.role).toBe("ADMINISTRATOR");
    expect((await graphql(cookie, "{ viewer { role } }")).status).toBe(401);
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

  test("may do what the key may, by every path; the journal names the key, and the console as the door", async () => {
    const add = mutation("createRecord", "change { actor door }");
    const input = { zone, owner: "graphql", type: "A", rdata: "192.0.2.1" };
    const { body } = await graphql(cookie, add, {}, { input });
    expect(body.data.createRecord.change).toEqual({
      actor: expect.stringMatching(/^administrator \(/),
      door: "CONSOLE",
    });
    const form = new URLSearchParams({ zone, owner: "rest", rtype: "A", rdata: "192.0.2.2", ttl: "3600" });
    const added = await ask("/api/record/add", { method: "POST", body: form, headers: { Cookie: cookie } });
    expect(added.status).toBe(201);
    const change = await ask(`/api/change/${added.headers.get("x-change-id")}`, { headers: { Cookie: cookie } });
    expect(change.body.door).toBe("console");
    const text = "later 3600 A 192.0.2.3\n";
    const headers = { Cookie: cookie, "Content-Type": "text/dns" };
    const imported = await ask(`/api/domain/zonefile/${zone}?mode=merge`, { method: "POST", body: text, headers });
    expect([imported.status, imported.text]).toEqual([200, expect.stringContaining("192.0.2.3")]);
  });

  test("is taken by the short path too", async () => {
    const query = `query ($zone: String!) { domain(by: { zone: $zone }) { zone } }`;
    for (let times = 0; times < 3; times += 1) {
      const { status, body } = await graphql(cookie, query, {}, { zone });
      expect([status, body.data]).toEqual([200, { domain: { zone } }]);
    }
  });

  test("lets no read-only key write", async () => {
    const readOnly = await cookieFor(await service.key({ name: "reader", userId, readOnly: true }));
    const { body } = await graphql(readOnly, `mutation { deleteDomain(input: { zone: "${zone}" }) { deletedId } }`);
    expect(body.errors[0].extensions.code).toBe("FORBIDDEN");
  });

  test("counts for nothing beside X-API-Key", async () => {
    const wrong = await graphql(cookie, "{ viewer { role } }", { "X-API-Key": "wrong" });
    expect([wrong.status, wrong.body.errors[0].extensions.field]).toEqual([401, "X-API-Key"]);
    const key = await service.key({ name: "beside", userId });
    const { body } = await graphql(cookie, "{ viewer { role } }", { "X-API-Key": key });
    expect(body.data.viewer.role).toBe("USER");
  });

  test("is told until when it lasts; without one, with one that has ended, and with a key, there is none", async () => {
    const told = async (headers: Record<string, string>) => {
      const { status, body } = await ask("/sign-in", { headers });
      return [status, body];
    };
    const { body } = await graphql(cookie, "{ viewer { signedInUntil } }");
    expect(await told({ Cookie: cookie })).toEqual([200, body.data.viewer]);
    const none = [200, { signedInUntil: null }];
    expect(await told({})).toEqual(none);
    expect(await told({ "X-API-Key": adminKey })).toEqual(none);
    await ask("/sign-in", { method: "DELETE", headers: { Cookie: cookie } });
    expect(await told({ Cookie: cookie })).toEqual(none);
    expect((await told({ "Sec-Fetch-Site": "same-site" }))[0]).toBe(403);
  });

  test("ends by DELETE, which takes the cookie away, at once", async () => {
    expect((await graphql(cookie, "{ viewer { role } }")).status).toBe(200);
    const { status, headers } = await ask("/sign-in", { method: "DELETE", headers: { Cookie: cookie } });
    expect([status, headers.get("set-cookie")]).toEqual([204, expect.stringMatching(/=; Path=\/; .*Max-Age=0$/)]);
    const { status: after, body } = await graphql(cookie, "{ viewer { role } }");
    expect([after, body.errors[0].extensions.code]).toEqual([401, "UNAUTHENTICATED"]);
    expect((await ask("/sign-in", { method: "DELETE", headers: { Cookie: cookie } })).status).toBe(204);
  });
});

/** A key with a sign-in, whose use is seen to succeed. */
async function newSignIn(name: string): Promise<{ cookie: string; id: string }> {
  const cookie = await cookieFor(await service.key({ name, userId }));
  const { body } = await graphql(cookie, "{ viewer { key { id } } }");
  return { cookie, id: body.data.viewer.key.id };
}

describe("a sign-in ends", () => {
  const refused = async (cookie: string) => {
    const { status, body } = await graphql(cookie, "{ viewer { role } }");
    return [status, body.errors?.[0].message];
  };

  test("at once when its key is revoked", async () => {
    const { cookie, id } = await newSignIn("revoked");
    await service.data(`mutation { revokeApiKey(input: { id: "${id}" }) { apiKey { id } } }`);
    expect(await refused(cookie)).toEqual([401, expect.stringMatching(/revoked/)]);
  });

  test.each([
    ["when its key expires", "update api_key set expires_at = now() where id = $1", /expired/],
    ["after its hours", "update sign_in set ends_at = now() where key_id = $1", /no longer/],
    ["when its key is gone", "delete from api_key where id = $1", /no longer/],
  ])("%s", async (_when, statement, sentence) => {
    const { cookie, id } = await newSignIn("ends");
    await service.sql(statement, [id]);
    // Another process's word is heard within a second; this one forgets what it has looked up.
    await ask("/sign-in", { method: "DELETE", headers: { Cookie: await cookieFor() } });
    expect(await refused(cookie)).toEqual([401, expect.stringMatching(sentence)]);
  });

  test("and the stream that it opened", async () => {
    const { cookie, id } = await newSignIn("streams");
    const subscription = `subscription { domainChanged(zone: "${zone}") { cursor } }`;
    const stream = (await subscribe(service, subscription, { Cookie: cookie, ...ofConsole })) as Stream;
    await stream.next();
    await service.data(`mutation { revokeApiKey(input: { id: "${id}" }) { apiKey { id } } }`);
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
    [
      "this origin as the proxy was asked",
      () => ({
        Origin: "https://dns.example.com",
        "X-Forwarded-Host": "dns.example.com",
        "X-Forwarded-Proto": "https",
      }),
      200,
    ],
  ])("%s", async (_what, headers, status) => {
    const sent = headers();
    const overTls: Record<string, string> =
      sent["X-Forwarded-Proto"] === "https" ? { "X-Forwarded-Proto": "https" } : {};
    const cookie = cookieOf(await signIn(adminKey, overTls));
    const query = "{ viewer { role } }";
    const body = new URLSearchParams({ email: "somebody@example.com" });
    const answers = [
      await graphql(cookie, query, sent),
      await graphql(cookie, query, { ...sent, Accept: "text/event-stream" }),
      await ask("/api/user/edit/1", { method: "PUT", body, headers: { Cookie: cookie, ...sent } }),
      await signIn(adminKey, sent),
      await ask("/sign-in", { method: "DELETE", headers: { Cookie: cookie, ...sent } }),
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
    expect((await ask(path, { headers: { Cookie: cookie, ...headers } })).status).toBe(status);
    expect((await ask(path, { method: "HEAD", headers: { Cookie: cookie, ...headers } })).status).toBe(status);
  });

  test("CORS allows no credentials", async () => {
    const headers = { Origin: "https://app.example.com", "Access-Control-Request-Method": "POST" };
    const answer = await ask("/graphql", { method: "OPTIONS", headers });
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
  });
});
