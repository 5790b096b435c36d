/**
 * What a user's key reaches by way of other things, what moves with a domain, and what is kept of a key.
 */
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { Actors, alice, bob, type Fixture } from "../../setup/service/actors.ts";
import { type Json, mutation, testService } from "../../setup/service/service.ts";

const service = testService();
const actors = new Actors(service);
let fixture: Fixture;
let bobsKey: string;
let alicesKey: string;
beforeAll(async () => {
  await actors.enter();
  fixture = await actors.fixture();
  await service.mutate("setNote", { zone: fixture.zone, owner: "@", type: "NS", text: "of alice" }, "note { text }");
  await service.mutate(
    "updateDomain",
    { zone: fixture.zone, labels: [{ name: "of", value: "alice" }] },
    "domain { id }",
  );
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

describe("a user's key", () => {
  test.each([
    [
      "from users down to records and up again",
      `{ users(first: 5) { totalCount nodes { email domains(first: 5) { totalCount nodes { zone labels { value } notes { nodes { text } } user { email domains { totalCount } } ${records} } } } } }`,
    ],
    [
      "from domains to owners, records and changes",
      `{ domains(first: 5) { totalCount nodes { zone user { email domains { nodes { zone } } } ${records}
        changes(first: 5) { totalCount nodes { zone domain { zone user { email } } added { nodes { rdata } } } } } } }`,
    ],
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
    ["domains by owner", (f: Fixture) => `{ domains(filter: { userId: "${f.aliceId}" }) { totalCount nodes { id } } }`],
    ["domains by zone", (f: Fixture) => `{ domains(filter: { zone: "${f.zone}" }) { totalCount nodes { id } } }`],
    ["domains by id", (f: Fixture) => `{ domains(filter: { id: "${f.domainId}" }) { totalCount nodes { id } } }`],
    ["domains by part of the zone", () => '{ domains(filter: { zoneContains: "ali" }) { totalCount nodes { id } } }'],
    ["records by owner", (f: Fixture) => `{ records(filter: { userId: "${f.aliceId}" }) { totalCount nodes { id } } }`],
    ["records by zone", (f: Fixture) => `{ records(filter: { zone: "${f.zone}" }) { totalCount nodes { id } } }`],
    ["domains by label", () => '{ domains(filter: { labels: ["of=alice"] }) { totalCount nodes { id } } }'],
    ["records by label", () => '{ records(filter: { labels: ["of"] }) { totalCount nodes { id } } }'],
    ["records by note", () => '{ records(filter: { noteContains: "ali" }) { totalCount nodes { id } } }'],
    ["records by data", () => '{ records(filter: { rdataContains: "ali" }) { totalCount nodes { id } } }'],
    ["users by address", () => '{ users(filter: { email: "ALICE@example.com" }) { totalCount nodes { id } } }'],
    [
      "change sets by user",
      (f: Fixture) => `{ changeSets(filter: { userId: "${f.aliceId}" }) { totalCount nodes { id } } }`,
    ],
    [
      "change sets by zone",
      (f: Fixture) => `{ changeSets(filter: { zone: "${f.zone}" }) { totalCount nodes { id } } }`,
    ],
    ["keys by user", (f: Fixture) => `{ apiKeys(filter: { userId: "${f.aliceId}" }) { totalCount nodes { id } } }`],
  ])("finds nothing of another user's by a filter: %s", async (_filter, document) => {
    const { data } = await seenByBob(document(fixture));
    expect(Object.values(data)).toEqual([{ totalCount: 0, nodes: [] }]);
  });

  test.each(["CREATED", "CREATED_DESC", "ZONE", "ZONE_DESC"])(
    "sees only its user's domains after a cursor from the administrator's list by %s",
    async (orderBy) => {
      const page = await service.data(`{ domains(orderBy: ${orderBy}) { edges { cursor node { zone } } } }`);
      const zones: string[][] = [];
      for (const { cursor } of page.domains.edges) {
        const { data } = await seenByBob(
          `query ($after: String!) { domains(after: $after, orderBy: ${orderBy}) { nodes { zone } } }`,
          { after: cursor },
        );
        zones.push(data.domains.nodes.map(({ zone }: Json) => zone));
      }
      expect(zones.flat()).toContainEqual(expect.stringMatching(/^(a|bob)\.example\.net$/));
    },
  );

  test("sees only its user's records after a cursor from the administrator's list", async () => {
    const { edges } = (await service.data("{ records { edges { cursor node { zone } } } }")).records;
    const { cursor } = edges.find(({ node }: Json) => node.zone === fixture.zone);
    const document = "query ($after: String!) { records(after: $after) { nodes { zone } } }";
    const { data } = await seenByBob(document, { after: cursor });
    expect(new Set(data.records.nodes.map(({ zone }: Json) => zone))).toEqual(new Set(["bob.example.net"]));
  });

  test("answers what is another's exactly as what is not there", async () => {
    const unknown = "1000000000999999";
    for (const [field, id] of [
      ["record", fixture.recordId],
      ["change", fixture.changeId],
      ["domain", fixture.domainId],
      ["user", fixture.aliceId],
      ["changeSet", fixture.changeSetId],
    ] as const) {
      const ask = async (which: string) =>
        JSON.stringify(
          (
            await seenByBob(
              `{ ${field}(${["domain", "user"].includes(field) ? `by: { id: "${which}" }` : `id: "${which}"`}) { id } }`,
            )
          ).errors,
        );
      expect((await ask(id)).replaceAll(id, unknown)).toBe(await ask(unknown));
    }
  });

  test("stages nothing in another user's zone, and sees no change set that an administrator has over both", async () => {
    const stage = mutation("createChangeSet", "changeSet { id user { email } }");
    const part = (zone: string) => ({ zone, add: [{ owner: "s", type: "A", rdata: "192.0.2.1" }] });
    const input = { title: "both", zones: [part("bob.example.net"), part(fixture.zone)] };
    expect(await service.refusal(stage, { input }, bobsKey)).toBe("NOT_FOUND");
    const { changeSet } = (await service.data(stage, { input })).createChangeSet;
    expect(changeSet.user).toBeNull();
    for (const key of [bobsKey, alicesKey])
      expect(await service.refusal(`{ changeSet(id: "${changeSet.id}") { title } }`, {}, key)).toBe("NOT_FOUND");
    const preview = await service.data(`{ changeSetPreview(id: "${changeSet.id}") { fingerprint } }`);
    const { fingerprint } = preview.changeSetPreview;
    const apply = mutation("applyChangeSet", "changeSet { state }");
    await service.data(apply, { input: { id: changeSet.id, expectedFingerprint: fingerprint } });
    const changes = `{ domain(by: { zone: "bob.example.net" }) { changes(first: 1) { nodes { note changeSet { id } } } } }`;
    expect((await service.data(changes, {}, bobsKey)).domain.changes.nodes).toEqual([
      { note: "both", changeSet: null },
    ]);
    expect((await service.data(changes)).domain.changes.nodes).toEqual([
      { note: "both", changeSet: { id: changeSet.id } },
    ]);
  });

  test("may not put its user's zone in or around another user's, which the administrator may", async () => {
    const { zone } = fixture;
    const create = (name: string, key?: string) =>
      service.refusal(
        mutation("createDomain", "domain { zone }"),
        { input: { zone: name, userId: actors.bobId } },
        key,
      );
    expect(await create(`below.${zone}`, bobsKey)).toBe("ZONE_CONFLICT");
    expect(await create("example.com", bobsKey)).toBe("ZONE_CONFLICT");
    expect(await create(`below.${zone}`)).toBeUndefined();
  });
});

test("the administrator is in no list of users", async () => {
  const { users } = await service.data("{ users(first: 1000) { totalCount nodes { email } } }");
  const rows = await service.sql('select email from "user"');
  expect(users.totalCount).toBe(rows.length);
  expect(users.nodes.map(({ email }: Json) => email)).not.toContainEqual(expect.stringContaining("admin"));
  const { apiKeys } = await service.data("{ apiKeys(first: 1000) { nodes { name user { email } } } }");
  expect(apiKeys.nodes.find(({ name }: Json) => name === "administrator")).toEqual({
    name: "administrator",
    user: null,
  });
});

test("transferDomain moves a domain with records and journal at once", async () => {
  const { zone, domainId, recordId, changeId, aliceId } = await actors.fixture();
  const holds = async (key: string) => [
    await service.refusal(`{ domain(by: { id: "${domainId}" }) { id } }`, {}, key),
    await service.refusal(`{ record(id: "${recordId}") { id } }`, {}, key),
    await service.refusal(`{ change(id: "${changeId}") { added { nodes { rdata } } } }`, {}, key),
    (await service.data(`{ records(filter: { zone: "${zone}" }) { totalCount } }`, {}, key)).records.totalCount,
    await service.refusal(
      `mutation { updateRecord(input: { id: "${recordId}", ttl: 300 }) { change { id } } }`,
      {},
      key,
    ),
  ];
  const [all, none] = [
    [undefined, undefined, undefined, 5, undefined],
    ["NOT_FOUND", "NOT_FOUND", "NOT_FOUND", 0, "NOT_FOUND"],
  ];
  expect([await holds(alicesKey), await holds(bobsKey)]).toEqual([all, none]);
  const before = await service.snapshot(zone);
  const document = `mutation ($input: TransferDomainInput!) {
    transferDomain(input: $input) { domain { user { email domains { nodes { zone } } } } } }`;
  const { transferDomain } = await service.data(document, { input: { zone, userId: actors.bobId } });
  expect(transferDomain.domain.user.email).toBe(bob);
  expect(transferDomain.domain.user.domains.nodes).toContainEqual({ zone });
  expect(await service.snapshot(zone)).toEqual(before);
  expect([await holds(alicesKey), await holds(bobsKey)]).toEqual([none, all]);
  expect(await service.refusal(document, { input: { zone: "nowhere.example.com", userId: aliceId } })).toBe(
    "NOT_FOUND",
  );
  expect(await service.refusal(document, { input: { zone, userId: "1000000000999999" } })).toBe("NOT_FOUND");
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
    const revoke = `mutation { revokeApiKey(input: { id: "${id}" }) { apiKey { revokedAt } } }`;
    expect(await service.refusal("{ ttlPolicy { min } }", {}, key)).toBeUndefined();
    const first = await service.data(revoke, {}, key);
    expect(await service.refusal("{ ttlPolicy { min } }", {}, key)).toBe("UNAUTHENTICATED");
    expect(await service.data(revoke)).toEqual(first);
  });

  test("tells when it expires", async () => {
    const { id } = await actors.createKey({ expiresAt: "2099-01-01T00:00:00+02:00" });
    const { apiKeys } = await service.data("{ apiKeys(first: 1000) { nodes { id expiresAt } } }");
    expect(apiKeys.nodes).toContainEqual({ id, expiresAt: "2098-12-31T22:00:00.000Z" });
    // With a space, as RFC 3339 §5.6 allows, and without seconds.
    expect((await actors.createKey({ expiresAt: "2099-01-01 00:00+02:00" })).id).toBeDefined();
  });

  test.each([
    ["an expiry in the past", { name: "k", expiresAt: "2020-01-01T00:00:00Z" }, "INVALID_VALUE", "expiresAt"],
    ["a day that is none", { name: "k", expiresAt: "2099-02-30T00:00:00Z" }, "INVALID_VALUE", "expiresAt"],
    ["a time without a zone", { name: "k", expiresAt: "2099-01-01T00:00:00" }, "INVALID_VALUE", "expiresAt"],
    ["no name", { name: "" }, "INVALID_VALUE", "name"],
    ["a name of 101 letters", { name: "n".repeat(101) }, "INVALID_VALUE", "name"],
    ["a name with a line break", { name: "a\nb" }, "INVALID_VALUE", "name"],
    ["an unknown user", { name: "k", userId: "1000000000999999" }, "NOT_FOUND", "userId"],
    ["a user who is no number", { name: "k", userId: "alice" }, "INVALID_VALUE", "userId"],
  ])("is not made with %s", async (_case, input, code, field) => {
    const before = await actors.world();
    const document = mutation("createApiKey", "key");
    const { body } = await service.graphql(document, { input });
    expect(body.errors[0].extensions).toMatchObject({ code, field });
    expect(await actors.world()).toBe(before);
  });

  test("goes with its user", async () => {
    const userId = await service.user("going@example.com");
    const { key } = await actors.createKey({ userId });
    expect((await service.data("{ users { nodes { email } } }", {}, key)).users.nodes).toEqual([
      { email: "going@example.com" },
    ]);
    await service.data(`mutation { deleteUser(input: { id: "${userId}" }) { deletedId } }`);
    expect(await service.refusal("{ ttlPolicy { min } }", {}, key)).toBe("UNAUTHENTICATED");
  });
});

test("a user's key shows its user only", async () => {
  const { users } = await service.data("{ users { totalCount nodes { email } } }", {}, alicesKey);
  expect(users).toEqual({ totalCount: 1, nodes: [{ email: alice }] });
});
