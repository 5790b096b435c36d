/**
 * Users and their keys by GraphQL: what is an address; and a user's key creates and revokes keys of the same user that may do no more than
 * itself, and TSIG keys for its zones.
 */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { type Json, mutation, testService } from "../../setup/service/service.ts";
import { firstAnswer } from "../../setup/service/stream.ts";

const service = testService();
let [alice, bob, aliceKey, bobKey]: string[] = [];
const [one, two, foreign] = ["one.example.com", "two.example.com", "bob.example.net"];

beforeAll(async () => {
  [alice, bob] = [await service.user("alice@example.com"), await service.user("bob@example.net")];
  for (const zone of [one, two]) await service.domain(zone, alice as string);
  await service.domain(foreign, bob as string);
  aliceKey = await service.key({ name: "alice", userId: alice as string });
  bobKey = await service.key({ name: "bob", userId: bob as string });
});

const createApiKey = `mutation ($input: CreateApiKeyInput!) {
  createApiKey(input: $input) { key apiKey { id readOnly zones expiresAt user { email } } } }`;
const createTsigKey = `mutation ($input: CreateTsigKeyInput!) {
  createTsigKey(input: $input) { secret tsigKey { id name zones user { email } } } }`;
const create = async (input: Json, key = aliceKey): Promise<Json> =>
  (await service.data(createApiKey, { input: { name: "made", ...input } }, key)).createApiKey;
/** The code of a refusal, and its field if it has one. */
const refusal = async (document: string, input: Json, key = aliceKey) => {
  const { body } = await service.graphql(document, { input: { name: "made", ...input } }, key);
  const { code, field } = body.errors?.[0]?.extensions ?? {};
  return field ? `${code} ${field}` : code;
};

describe("a user's key", () => {
  test("creates keys of its user, all of them or fewer rights", async () => {
    const { key, apiKey } = await create({ readOnly: true, zones: ["ONE.example.com."] });
    const user = { email: "alice@example.com" };
    expect(apiKey).toMatchObject({ readOnly: true, zones: [one], expiresAt: null, user });
    const read = "{ viewer { role readOnly key { zones } } domains { nodes { zone } } }";
    const { viewer, domains } = await service.data(read, {}, key);
    expect(viewer).toEqual({ role: "USER", readOnly: true, key: { zones: [one] } });
    expect(domains.nodes).toEqual([{ zone: one }]);
  });

  test("creates no key of another user, nor one of an administrator", async () => {
    expect(await refusal(createApiKey, { userId: bob })).toBe("NOT_FOUND userId");
    expect((await create({})).apiKey.user).toEqual({ email: "alice@example.com" });
  });

  test("creates no key that lasts longer than itself", async () => {
    const [expiresAt, sooner] = ["2099-01-01T00:00:00.000Z", "2098-01-01T00:00:00.000Z"];
    const brief = await service.key({ name: "brief", userId: alice as string, expiresAt });
    expect(await refusal(createApiKey, { expiresAt: "2099-01-02T00:00:00Z" }, brief)).toBe("INVALID_VALUE expiresAt");
    expect((await create({}, brief)).apiKey.expiresAt).toBe(expiresAt);
    expect((await create({ expiresAt: sooner }, brief)).apiKey.expiresAt).toBe(sooner);
  });

  test("creates a hundred keys at most", async () => {
    const userId = await service.user("many@example.com");
    const key = await service.key({ name: "many", userId });
    await service.sql(
      "insert into api_key (name, user_id, fingerprint, hash) select 'k' || n, $1, '', '' from generate_series(1, 99) n",
      [userId],
    );
    expect(await refusal(createApiKey, {}, key)).toBe("QUOTA_EXCEEDED");
  });

  test("is not limited to no zone, nor to what is no zone", async () => {
    expect(await refusal(createApiKey, { zones: [] })).toMatch(/ zones$/);
    expect(await refusal(createApiKey, { zones: ["a..b"] })).toMatch(/ zones\.0$/);
  });
});

describe("a key that is limited to zones", () => {
  let limited: string;
  let limitedId: string;
  beforeAll(async () => {
    const { key, apiKey } = await create({ zones: [one] });
    [limited, limitedId] = [key, apiKey.id];
  });

  test("sees nothing of other zones, by any way", async () => {
    const [{ domainId, recordId, changeId } = {}] = await service.sql(
      `select d.id::text as "domainId", (select min(id)::text from zone_record where domain_id = d.id) as "recordId",
        (select min(id)::text from change where domain_id = d.id) as "changeId" from domain d where zone = $1`,
      [two],
    );
    for (const document of [
      `{ domain(by: { zone: "${two}" }) { id } }`,
      `{ domain(by: { id: "${domainId}" }) { id } }`,
      `{ record(id: "${recordId}") { id } }`,
      `{ change(id: "${changeId}") { id } }`,
      ...[domainId, recordId, changeId].map((id) => `{ node(id: "${id}") { id } }`),
      `{ checkRecords(zone: "${two}", records: []) { ok } }`,
      `mutation { deleteRecord(input: { recordId: "${recordId}" }) { deletedId } }`,
      `mutation { deleteDomain(input: { by: { zone: "${two}" } }) { deletedId } }`,
      `mutation { resyncDomain(input: { by: { zone: "${two}" } }) { change { id } } }`,
      `mutation { createRecord(input: { zone: "${two}", owner: "a", type: "A", rdata: "192.0.2.1" }) { notices { code } } }`,
      `mutation { changeRecords(input: { zone: "${two}", remove: ["${recordId}"] }) { notices { code } } }`,
      `mutation { importZone(input: { zone: "${two}", text: "", mode: MERGE }) { notices { code } } }`,
    ])
      expect([document, await service.refusal(document, {}, limited)]).toEqual([document, "NOT_FOUND"]);
    const stream = await firstAnswer(service, `subscription { domainChanged(zone: "${two}") { cursor } }`, limited);
    expect(stream.body.errors[0].extensions.code).toBe("NOT_FOUND");
    expect((await service.rest("GET", `/domain/zonefile/${two}`, { key: limited })).status).toBe(404);
    const lists = `{ records(first: 100) { nodes { zone } } updateRefusals { totalCount }
      users(first: 5) { nodes { domains(first: 5) { nodes { zone changes { totalCount } } } } } }`;
    const { records, users, updateRefusals } = await service.data(lists, {}, limited);
    expect(new Set(records.nodes.map(({ zone }: Json) => zone))).toEqual(new Set([one]));
    expect(users.nodes[0].domains.nodes).toEqual([{ zone: one, changes: { totalCount: 1 } }]);
    expect(updateRefusals.totalCount).toBe(0);
  });

  test("changes its zone, and creates none that it is not for", async () => {
    const add = `mutation { createRecord(input: { zone: "${one}", owner: "a", type: "A", rdata: "192.0.2.1" }) { notices { code } } }`;
    expect(await service.refusal(add, {}, limited)).toBeUndefined();
    const input = { zone: "three.example.com", userId: alice };
    expect(await service.refusal(mutation("createDomain", "domain { id }"), { input }, limited)).toBe("FORBIDDEN");
  });

  test("sees only keys for no other zones, and creates only such as are limited as it is", async () => {
    const { apiKeys } = await service.data("{ apiKeys { nodes { id zones } } }", {}, limited);
    expect(apiKeys.nodes).toContainEqual({ id: limitedId, zones: [one] });
    expect(apiKeys.nodes.filter(({ zones }: Json) => zones?.join() !== one)).toEqual([]);
    expect(await refusal(createApiKey, {}, limited)).toBe("MISSING_FIELD zones");
    expect(await refusal(createApiKey, { zones: [one, two] }, limited)).toBe("FORBIDDEN zones.1");
    expect((await create({ zones: [one] }, limited)).apiKey.zones).toEqual([one]);
    expect(await refusal(createTsigKey, { name: "limited.key" }, limited)).toBe("MISSING_FIELD zones");
    expect(await refusal(createTsigKey, { name: "limited.key", zones: ["*"] }, limited)).toBe("FORBIDDEN zones.0");
  });
});

describe("a TSIG key of a user's own", () => {
  test("is created for no other user, and listed and revoked by no other user's key", async () => {
    expect(await refusal(createTsigKey, { name: "bobs.key", userId: bob })).toBe("NOT_FOUND userId");
    const input = { name: "own.key", zones: [one] };
    const { secret, tsigKey } = (await service.data(createTsigKey, { input }, aliceKey)).createTsigKey;
    expect(Buffer.from(secret, "base64")).toHaveLength(32);
    expect(tsigKey).toMatchObject({ ...input, user: { email: "alice@example.com" } });
    const names = async (key: string) =>
      (await service.data("{ tsigKeys { nodes { name } } }", {}, key)).tsigKeys.nodes;
    expect([await names(aliceKey as string), await names(bobKey as string)]).toEqual([[{ name: "own.key" }], []]);
    const revoke = `mutation { revokeTsigKey(input: { tsigKeyId: "${tsigKey.id}" }) { tsigKey { revokedAt } } }`;
    expect(await service.refusal(revoke, {}, bobKey)).toBe("NOT_FOUND");
    expect((await service.data(revoke, {}, aliceKey)).revokeTsigKey.tsigKey.revokedAt).not.toBeNull();
  });
});

beforeAll(async () => {
  await service.user("taken@example.com");
});

const emails = async () =>
  (await service.sql<{ email: string }>('select email from "user" order by id')).map(({ email }) => email);

describe("an e-mail address", () => {
  test.each([
    ["", "INVALID_VALUE"],
    ["no address", "INVALID_VALUE"],
    ["a@b", "INVALID_VALUE"],
    [`${"a".repeat(300)}@example.com`, "INVALID_VALUE"],
    ["a\u0000@example.com", "INVALID_VALUE"],
    ["TAKEN@Example.com", "DUPLICATE_EMAIL"],
  ])("%j is refused with %s, for a new user as for another's", async (email, code) => {
    const id = await service.user("other@example.com");
    const before = await emails();
    for (const [name, input] of [
      ["createUser", { email }],
      ["updateUser", { by: { id }, email }],
    ] as const) {
      const { body } = await service.graphql(mutation(name, "user { id }"), { input });
      expect(body.errors[0].extensions).toMatchObject({ code, field: "email" });
    }
    expect(await emails()).toEqual(before);
    await service.mutate("deleteUser", { by: { id } }, "deletedId");
  });

  test("may change its letter case", async () => {
    const id = await service.user("case@example.com");
    const { user } = await service.mutate(
      "updateUser",
      { by: { email: "case@example.com" }, email: " Case@Example.com " },
      "user { id email createdAt }",
    );
    expect(user).toEqual({ id, email: "Case@Example.com", createdAt: expect.stringMatching(/Z$/) });
  });
});

test("a refused mutation stands for itself: those before it and after it in its request are committed", async () => {
  const create = (email: string) => `createUser(input: { email: "${email}" }) { user { email } }`;
  const { body } = await service.graphql(
    `mutation { a: ${create("before@example.com")} b: ${create("taken@example.com")} c: ${create("after@example.com")} }`,
  );
  expect(body.errors.map(({ path }: { path: string[] }) => path)).toEqual([["b"]]);
  expect(await emails()).toContain("before@example.com");
  expect(await emails()).toContain("after@example.com");
  expect(body.data).toEqual({ a: { user: expect.anything() }, b: null, c: { user: expect.anything() } });
});
