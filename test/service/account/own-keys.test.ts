/**
 * Users help themselves: a user's key creates and revokes keys of the same user that may do no more than itself, and TSIG keys for its zones.
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
const refusal = async (document: string, input: Json, key = aliceKey) => {
  const { body } = await service.graphql(document, { input: { name: "made", ...input } }, key);
  const { code, field } = body.errors?.[0]?.extensions ?? {};
  return [code, field];
};

describe("a user's key", () => {
  test("creates keys of its user, all of them or fewer rights", async () => {
    const { key, apiKey } = await create({ readOnly: true, zones: ["ONE.example.com."] });
    expect(apiKey).toMatchObject({
      readOnly: true,
      zones: [one],
      expiresAt: null,
      user: { email: "alice@example.com" },
    });
    const { viewer, domains } = await service.data(
      "{ viewer { role readOnly key { zones } } domains { nodes { zone } } }",
      {},
      key,
    );
    expect(viewer).toEqual({ role: "USER", readOnly: true, key: { zones: [one] } });
    expect(domains.nodes).toEqual([{ zone: one }]);
  });

  test("creates no key of another user, nor one of an administrator", async () => {
    expect(await refusal(createApiKey, { userId: bob })).toEqual(["NOT_FOUND", "userId"]);
    const { apiKey } = await create({});
    expect(apiKey.user).toEqual({ email: "alice@example.com" });
  });

  test("creates no key that lasts longer than itself", async () => {
    const brief = await service.key({ name: "brief", userId: alice as string, expiresAt: "2099-01-01T00:00:00Z" });
    expect(await refusal(createApiKey, { expiresAt: "2099-01-02T00:00:00Z" }, brief)).toEqual([
      "INVALID_VALUE",
      "expiresAt",
    ]);
    expect((await create({}, brief)).apiKey.expiresAt).toBe("2099-01-01T00:00:00.000Z");
    expect((await create({ expiresAt: "2098-01-01T00:00:00Z" }, brief)).apiKey.expiresAt).toBe(
      "2098-01-01T00:00:00.000Z",
    );
  });

  test("that may only read creates and revokes none", async () => {
    const { key, apiKey } = await create({ readOnly: true });
    expect(await refusal(createApiKey, {}, key)).toEqual(["FORBIDDEN", undefined]);
    expect(await refusal(createTsigKey, {}, key)).toEqual(["FORBIDDEN", undefined]);
    const revoke = `mutation { revokeApiKey(input: { id: "${apiKey.id}" }) { apiKey { id } } }`;
    expect(await service.refusal(revoke, {}, key)).toBe("FORBIDDEN");
    expect(await service.refusal(revoke, {}, bobKey)).toBe("NOT_FOUND");
    expect(await service.refusal(revoke, {}, aliceKey)).toBeUndefined();
  });

  test("creates a hundred keys at most", async () => {
    const userId = await service.user("many@example.com");
    const key = await service.key({ name: "many", userId });
    await service.sql(
      "insert into api_key (name, user_id, fingerprint, hash) select 'k' || n, $1, '', '' from generate_series(1, 99) n",
      [userId],
    );
    expect(await refusal(createApiKey, {}, key)).toEqual(["QUOTA_EXCEEDED", undefined]);
  });

  test.each([
    ["no zone", { zones: [] }, "zones"],
    ["what is no zone", { zones: ["a..b"] }, "zones.0"],
  ])("is not limited to %s", async (_case, input, field) => {
    expect((await refusal(createApiKey, input))[1]).toBe(field);
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
    const [{ id: domainId } = { id: "" }] = await service.sql<{ id: string }>(
      "select id::text as id from domain where zone = $1",
      [two],
    );
    const [{ id: recordId } = { id: "" }] = await service.sql<{ id: string }>(
      "select id::text as id from zone_record where domain_id = $1",
      [domainId],
    );
    const [{ id: changeId } = { id: "" }] = await service.sql<{ id: string }>(
      "select id::text as id from change where domain_id = $1",
      [domainId],
    );
    for (const document of [
      `{ domain(by: { zone: "${two}" }) { id } }`,
      `{ domain(by: { id: "${domainId}" }) { id } }`,
      `{ record(id: "${recordId}") { id } }`,
      `{ change(id: "${changeId}") { id } }`,
      ...[domainId, recordId, changeId].map((id) => `{ node(id: "${id}") { id } }`),
      `{ checkRecords(zone: "${two}", records: []) { ok } }`,
      `mutation { deleteRecord(input: { id: "${recordId}" }) { deletedId } }`,
      `mutation { deleteDomain(input: { zone: "${two}" }) { deletedId } }`,
      `mutation { republishDomain(input: { zone: "${two}" }) { domain { id } } }`,
      `mutation { resyncDomain(input: { zone: "${two}" }) { change { id } } }`,
      `mutation { createRecord(input: { zone: "${two}", owner: "a", type: "A", rdata: "192.0.2.1" }) { warnings } }`,
      `mutation { changeRecords(input: { zone: "${two}", remove: ["${recordId}"] }) { warnings } }`,
      `mutation { importZone(input: { zone: "${two}", text: "", mode: MERGE }) { warnings } }`,
    ])
      expect([document, await service.refusal(document, {}, limited)]).toEqual([document, "NOT_FOUND"]);
    const stream = await firstAnswer(service, `subscription { domainChanged(zone: "${two}") { cursor } }`, limited);
    expect(stream.body.errors[0].extensions.code).toBe("NOT_FOUND");
    expect((await service.rest("GET", `/domain/zonefile/${two}`, { key: limited })).status).toBe(404);
    const { records, users, updateRefusals } = await service.data(
      "{ records(first: 100) { nodes { zone } } updateRefusals { totalCount } users(first: 5) { nodes { domains(first: 5) { nodes { zone changes { totalCount } } } } } }",
      {},
      limited,
    );
    expect(new Set(records.nodes.map(({ zone }: Json) => zone))).toEqual(new Set([one]));
    expect(users.nodes[0].domains.nodes).toEqual([{ zone: one, changes: { totalCount: 1 } }]);
    expect(updateRefusals.totalCount).toBe(0);
  });

  test("changes its zone, and creates none that it is not for", async () => {
    const add = `mutation { createRecord(input: { zone: "${one}", owner: "a", type: "A", rdata: "192.0.2.1" }) { warnings } }`;
    expect(await service.refusal(add, {}, limited)).toBeUndefined();
    const createDomain = mutation("createDomain", "domain { id }");
    expect(await service.refusal(createDomain, { input: { zone: "three.example.com", userId: alice } }, limited)).toBe(
      "FORBIDDEN",
    );
  });

  test("sees only keys for no other zones, and creates only such as are limited as it is", async () => {
    const { apiKeys } = await service.data("{ apiKeys { nodes { id zones } } }", {}, limited);
    expect(apiKeys.nodes).toContainEqual({ id: limitedId, zones: [one] });
    expect(apiKeys.nodes.filter(({ zones }: Json) => zones?.join() !== one)).toEqual([]);
    expect(await refusal(createApiKey, {}, limited)).toEqual(["MISSING_FIELD", "zones"]);
    expect(await refusal(createApiKey, { zones: [one, two] }, limited)).toEqual(["FORBIDDEN", "zones.1"]);
    expect((await create({ zones: [one] }, limited)).apiKey.zones).toEqual([one]);
    expect(await refusal(createTsigKey, { name: "limited.key" }, limited)).toEqual(["MISSING_FIELD", "zones"]);
    expect(await refusal(createTsigKey, { name: "limited.key", zones: ["*"] }, limited)).toEqual([
      "FORBIDDEN",
      "zones.0",
    ]);
  });
});

describe("a TSIG key of a user's own", () => {
  test("is created, listed and revoked by the user's key, and by no other user's", async () => {
    const { secret, tsigKey } = (
      await service.data(createTsigKey, { input: { name: "own.key", zones: [one] } }, aliceKey)
    ).createTsigKey;
    expect([Buffer.from(secret, "base64").length, tsigKey]).toMatchObject([
      32,
      { name: "own.key", zones: [one], user: { email: "alice@example.com" } },
    ]);
    const names = async (key: string) =>
      (await service.data("{ tsigKeys { nodes { name } } }", {}, key)).tsigKeys.nodes;
    expect([await names(aliceKey as string), await names(bobKey as string)]).toEqual([[{ name: "own.key" }], []]);
    const revoke = `mutation { revokeTsigKey(input: { id: "${tsigKey.id}" }) { tsigKey { revokedAt } } }`;
    expect(await service.refusal(revoke, {}, bobKey)).toBe("NOT_FOUND");
    expect((await service.data(revoke, {}, aliceKey)).revokeTsigKey.tsigKey.revokedAt).not.toBeNull();
  });

  test("is for no other user", async () => {
    expect(await refusal(createTsigKey, { name: "bobs.key", userId: bob })).toEqual(["NOT_FOUND", "userId"]);
  });
});
