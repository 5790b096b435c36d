/** What a user's key reaches by way of other things, what moves with a domain, and what is kept of a key. */
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { Actors, alice, bob, type Fixture } from "../../../setup/service/actors.ts";
import { type Json, mutation, testService } from "../../../setup/service/service.ts";

const service = testService();
const actors = new Actors(service);
let fixture: Fixture;
let bobsKey: string;
let alicesKey: string;
beforeAll(async () => {
  await actors.enter();
  fixture = await actors.fixture();
  await service.mutate("setNote", { zone: fixture.zone, owner: "@", type: "NS", text: "of alice" }, "note { text }");
  const labels = [{ name: "of", value: "alice" }];
  await service.mutate("updateDomain", { by: { zone: fixture.zone }, labels }, "domain { id }");
  await service.domain("a.example.net", actors.bobId);
  bobsKey = actors.key("another user") as string;
  alicesKey = actors.key("the owner") as string;
});

/** Runs a document with Bob's key and expects that nothing of Alice's is in the answer. */
async function seenByBob(document: string, variables: Record<string, unknown> = {}): Promise<Json> {
  const { text, body } = await service.graphql(document, variables, bobsKey);
  expect(text).not.toContain("alice");
  return body;
}

const records = "records(first: 5) { totalCount nodes { zone owner note domain { zone user { email } } } }";

const changes = "changes(first: 2) { nodes { zone domain { zone user { email } } added { nodes { rdata } } } }";
const domains = `domains(first: 5) { totalCount nodes { zone labels { value } notes { nodes { text } }
  user { email domains { totalCount nodes { zone } } } ${records} ${changes} } }`;

describe("a user's key", () => {
  test.each([
    ["from users down to records and up again", `{ users(first: 5) { totalCount nodes { email ${domains} } } }`],
    ["from domains to owners, records and changes", `{ ${domains} }`],
    ["from records to domains and owners", `{ ${records} }`],
    ["from its keys to their users", "{ apiKeys { totalCount nodes { user { email domains { nodes { zone } } } } } }"],
  ])("sees only its user's things, %s", async (_way, document) => {
    const { data, errors } = await seenByBob(document);
    expect(errors).toBeUndefined();
    const emails = [...JSON.stringify(data).matchAll(/"email":"([^"]*)"/g)].map(([, email]) => email);
    expect(new Set(emails)).toEqual(new Set([bob]));
    expect(Object.values<Json>(data)[0].totalCount).toBeGreaterThan(0);
  });

  test.each([
    ["domains", 'userId: "{aliceId}"'],
    ["domains", 'zone: "{zone}"'],
    ["domains", 'id: "{domainId}"'],
    ["domains", 'zoneContains: "ali"'],
    ["domains", 'labels: ["of=alice"]'],
    ["records", 'userId: "{aliceId}"'],
    ["records", 'zone: "{zone}"'],
    ["records", 'labels: ["of"]'],
    ["records", 'noteContains: "ali"'],
    ["records", 'rdataContains: "ali"'],
    ["users", 'email: "ALICE@example.com"'],
    ["changeSets", 'userId: "{aliceId}"'],
    ["changeSets", 'zone: "{zone}"'],
    ["apiKeys", 'userId: "{aliceId}"'],
  ])("finds nothing of another user's by a filter: %s by %s", async (list, filter) => {
    const given = filter.replace(/\{(\w+)\}/, (_, name: string) => fixture[name as keyof Fixture]);
    const { data } = await seenByBob(`{ ${list}(filter: { ${given} }) { totalCount nodes { id } } }`);
    expect(data[list]).toEqual({ totalCount: 0, nodes: [] });
  });

  test.each([
    ...["CREATED", "CREATED_DESC", "ZONE", "ZONE_DESC"].map((order) => `domains(orderBy: ${order}, `),
    "records(",
  ])("sees only its user's things after any cursor of the administrator's list %s", async (list) => {
    const [name = ""] = list.split("(");
    const { edges } = (await service.data(`{ ${list}first: 40) { edges { cursor } } }`))[name];
    const zones = new Set<string>();
    for (const { cursor } of edges) {
      const { data } = await seenByBob(`{ ${list}after: "${cursor}") { nodes { zone } } }`);
      for (const { zone } of data[name].nodes) zones.add(zone);
    }
    expect(zones.size).toBeGreaterThan(0);
    expect([...zones].filter((zone) => !["a.example.net", "bob.example.net"].includes(zone))).toEqual([]);
  });

  test("answers what is another's exactly as what is not there", async () => {
    const unknown = "1000000000999999";
    const { recordId, changeId, changeSetId, domainId, aliceId } = fixture;
    for (const [field, id] of [
      ["record(id:", recordId],
      ["change(id:", changeId],
      ["changeSet(id:", changeSetId],
      ["domain(by: { id:", domainId],
      ["user(by: { id:", aliceId],
    ] as const) {
      const ask = async (which: string) => {
        const { errors } = await seenByBob(`{ ${field} "${which}" ${field.includes("{") ? "}" : ""}) { id } }`);
        return JSON.stringify(errors);
      };
      expect((await ask(id)).replaceAll(id, unknown)).toBe(await ask(unknown));
    }
  });

  test("stages nothing in another user's zone, and sees no change set that an administrator has over both", async () => {
    const part = (zone: string) => ({ edit: { zone, add: [{ owner: "s", type: "A", rdata: "192.0.2.1" }] } });
    const input = { title: "both", zones: [part("bob.example.net"), part(fixture.zone)] };
    const selection = "changeSet { id user { email } } preview { fingerprint }";
    expect(await service.refusal(mutation("createChangeSet", selection), { input }, bobsKey)).toBe("NOT_FOUND");
    const { changeSet, preview } = await service.mutate("createChangeSet", input, selection);
    const { id, user } = changeSet;
    expect(user).toBeNull();
    for (const key of [bobsKey, alicesKey])
      expect(await service.refusal(`{ changeSet(id: "${id}") { title } }`, {}, key)).toBe("NOT_FOUND");
    const application = { changeSetId: id, expectedFingerprint: preview.fingerprint };
    await service.mutate("applyChangeSet", application, "changeSet { state }");
    const journal = `{ domain(by: { zone: "bob.example.net" }) { changes(first: 1) { nodes { note changeSet { id } } } } }`;
    const seen = async (key?: string) => (await service.data(journal, {}, key)).domain.changes.nodes;
    expect(await seen(bobsKey)).toEqual([{ note: "both", changeSet: null }]);
    expect(await seen()).toEqual([{ note: "both", changeSet: { id } }]);
  });

  test("shows its user only", async () => {
    const { users } = await service.data("{ users { totalCount nodes { email } } }", {}, alicesKey);
    expect(users).toEqual({ totalCount: 1, nodes: [{ email: alice }] });
  });
});

test("the administrator is in no list of users", async () => {
  const { users } = await service.data("{ users(first: 1000) { totalCount nodes { email } } }");
  const rows = await service.sql('select email from "user"');
  expect(users.totalCount).toBe(rows.length);
  expect(users.nodes.map(({ email }: Json) => email)).not.toContainEqual(expect.stringContaining("admin"));
  const { apiKeys } = await service.data("{ apiKeys(first: 1000) { nodes { name user { email } } } }");
  expect(apiKeys.nodes).toContainEqual({ name: "administrator", user: null });
});

test("transferDomain moves a domain with records and journal at once", async () => {
  const { zone, domainId, recordId, changeId, aliceId } = await actors.fixture();
  const holds = async (key: string) => [
    await service.refusal(`{ domain(by: { id: "${domainId}" }) { id } }`, {}, key),
    await service.refusal(`{ record(id: "${recordId}") { id } }`, {}, key),
    await service.refusal(`{ change(id: "${changeId}") { added { nodes { rdata } } } }`, {}, key),
    (await service.data(`{ records(filter: { zone: "${zone}" }) { totalCount } }`, {}, key)).records.totalCount,
    await service.refusal(mutation("updateRecord", "notices { message }"), { input: { recordId, ttl: 300 } }, key),
  ];
  const [all, none] = [
    [undefined, undefined, undefined, 5, undefined],
    ["NOT_FOUND", "NOT_FOUND", "NOT_FOUND", 0, "NOT_FOUND"],
  ];
  expect([await holds(alicesKey), await holds(bobsKey)]).toEqual([all, none]);
  const before = await service.snapshot(zone);
  const receiver = "domain { user { email domains { nodes { zone } } } }";
  const { user } = (await service.mutate("transferDomain", { by: { zone }, userId: actors.bobId }, receiver)).domain;
  expect(user.email).toBe(bob);
  expect(user.domains.nodes).toContainEqual({ zone });
  expect(await service.snapshot(zone)).toEqual(before);
  expect([await holds(alicesKey), await holds(bobsKey)]).toEqual([none, all]);
  for (const input of [
    { by: { zone: "nowhere.example.com" }, userId: aliceId },
    { by: { zone }, userId: "1000000000999999" },
  ])
    expect(await service.refusal(mutation("transferDomain", receiver), { input })).toBe("NOT_FOUND");
});

describe("a key", () => {
  test("is 256 random bits, shown once, and stored only as its SHA-256", async () => {
    const keys = [await actors.createKey({ userId: actors.aliceId }), await actors.createKey({})];
    for (const { key, id } of keys) {
      expect(key).toMatch(/^zs_[\w-]{43}$/);
      expect(Buffer.from(key.slice(3), "base64url")).toHaveLength(32);
      const [row] = await service.sql("select k.*, encode(hash, 'hex') as hex from api_key k where id = $1", [id]);
      const hash = createHash("sha256").update(key).digest("hex");
      expect(row).toMatchObject({ hex: hash, fingerprint: hash.slice(0, 16) });
      expect(JSON.stringify(row)).not.toContain(key.slice(3));
    }
    expect(keys[0]?.key).not.toBe(keys[1]?.key);
    const { text } = await service.graphql("{ apiKeys(first: 1000) { nodes { name fingerprint } } }");
    for (const { key } of keys) expect(text).not.toContain(key.slice(3, 20));
  });

  test("stops at once when it is revoked, and stays revoked", async () => {
    const { key, id } = await actors.createKey({ userId: actors.aliceId });
    const revoke = (by?: string) => service.mutate("revokeApiKey", { apiKeyId: id }, "apiKey { revokedAt }", by);
    expect(await service.refusal("{ ttlPolicy { min } }", {}, key)).toBeUndefined();
    const first = await revoke(key);
    expect(await service.refusal("{ ttlPolicy { min } }", {}, key)).toBe("UNAUTHENTICATED");
    expect(await revoke()).toEqual(first);
  });

  test("tells when it expires", async () => {
    const { id } = await actors.createKey({ expiresAt: "2099-01-01T00:00:00+02:00" });
    const { apiKeys } = await service.data("{ apiKeys(first: 1000) { nodes { id expiresAt } } }");
    expect(apiKeys.nodes).toContainEqual({ id, expiresAt: "2098-12-31T22:00:00.000Z" });
    // With a space, as RFC 3339 §5.6 allows, and without seconds.
    expect((await actors.createKey({ expiresAt: "2099-01-01 00:00+02:00" })).id).toBeDefined();
  });

  test.each([
    ["an expiry in the past", { expiresAt: "2020-01-01T00:00:00Z" }, "INVALID_VALUE", "expiresAt"],
    ["a day that is none", { expiresAt: "2099-02-30T00:00:00Z" }, "INVALID_VALUE", "expiresAt"],
    ["a time without a zone", { expiresAt: "2099-01-01T00:00:00" }, "INVALID_VALUE", "expiresAt"],
    ["no name", { name: "" }, "INVALID_VALUE", "name"],
    ["a name of 101 letters", { name: "n".repeat(101) }, "INVALID_VALUE", "name"],
    ["a name with a line break", { name: "a\nb" }, "INVALID_VALUE", "name"],
    ["an unknown user", { userId: "1000000000999999" }, "NOT_FOUND", "userId"],
  ])("is not made with %s", async (_case, fields, code, field) => {
    const before = await actors.world();
    const { body } = await service.graphql(mutation("createApiKey", "key"), { input: { name: "k", ...fields } });
    expect(body.errors[0].extensions).toMatchObject({ code, field });
    expect(await actors.world()).toBe(before);
  });

  test("goes with its user", async () => {
    const userId = await service.user("going@example.com");
    const { key } = await actors.createKey({ userId });
    expect(await service.refusal("{ ttlPolicy { min } }", {}, key)).toBeUndefined();
    await service.mutate("deleteUser", { by: { id: userId } }, "deletedId");
    expect(await service.refusal("{ ttlPolicy { min } }", {}, key)).toBe("UNAUTHENTICATED");
  });
});
