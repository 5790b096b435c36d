/** Quotas from outside: what a user may have and has, how limits are set, and what every interface answers. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { UpdateClient } from "../../../setup/dns/update-client.ts";
import { type Json, testService } from "../../../setup/service/service.ts";

const service = testService({ QUOTA_RECORDS: "10", QUOTA_CHANGES: "100" });
let userId = "";
let key = "";

const quota = `quota { domains { ...limit } recordsPerDomain { ...limit } records { ...limit } changesPerDay { ...limit } }`;
const limit = "fragment limit on Quota { limit isDefault usage }";
const none = { limit: null, isDefault: true };

beforeAll(async () => {
  userId = String(await service.user("limited@example.com"));
  await service.domain("limited.example.com", userId);
  key = await service.key({ name: "own", userId });
});

async function set(input: object): Promise<Json> {
  const document = `mutation ($input: SetUserQuotaInput!) { setUserQuota(input: $input) { user { ${quota} } } } ${limit}`;
  const { body } = await service.graphql(document, { input: { by: { id: userId }, ...input } });
  return body.errors ? body.errors[0].extensions : body.data.setUserQuota.user;
}

test("a user sees the quota and the usage that the key's user has, and an administrator those of all", async () => {
  const having = (domains: number, records: number, changes: number) => ({
    quota: {
      domains: { ...none, usage: domains },
      recordsPerDomain: { ...none, usage: null },
      records: { limit: 10, isDefault: true, usage: records },
      changesPerDay: { limit: 100, isDefault: true, usage: changes },
    },
  });
  const expected = having(1, 4, 1);
  const { viewer } = await service.data(`{ viewer { user { ${quota} } } } ${limit}`, {}, key);
  expect(viewer.user).toEqual(expected);
  await service.user("other@example.com");
  const users = async (fields: string, as?: string) =>
    (await service.data(`{ users { nodes { email ${fields} } } } ${limit}`, {}, as)).users.nodes;
  expect(await users(`${quota} domains { nodes { recordCount } }`)).toEqual([
    { email: "limited@example.com", ...expected, domains: { nodes: [{ recordCount: 4 }] } },
    { email: "other@example.com", ...having(0, 0, 0), domains: { nodes: [] } },
  ]);
  expect(await users(quota, key)).toEqual([{ email: "limited@example.com", ...expected }]);
});

describe("setUserQuota", () => {
  test("sets what it is given: a limit, null for none, or the setting's", async () => {
    const own = (limit: number | null) => ({ limit, isDefault: false });
    const changesPerDay = { limit: 100, isDefault: true };
    const first = { domains: own(7), recordsPerDomain: none, records: own(null), changesPerDay };
    expect((await set({ domains: { limit: 7 }, records: { limit: null } })).quota).toMatchObject(first);
    const second = { domains: own(7), records: own(0), changesPerDay: own(5) };
    expect((await set({ records: { limit: 0 }, changesPerDay: { limit: 5 } })).quota).toMatchObject(second);
    const isDefault = true;
    const back = await set({ domains: { isDefault }, records: { isDefault }, changesPerDay: { isDefault } });
    expect(back.quota).toMatchObject({ domains: none, records: { limit: 10, isDefault: true } });
  });

  test.each([
    [{}, "MISSING_FIELD", "domains"],
    [{ domains: { limit: -1 } }, "INVALID_VALUE", "domains.limit"],
    [{ domains: {} }, "INVALID_VALUE", "domains"],
    [{ domains: { limit: null, isDefault: true } }, "INVALID_VALUE", "domains"],
    [{ by: { id: "1000000000000099" }, domains: { limit: 1 } }, "NOT_FOUND", "id"],
    [{ by: { email: "nobody@example.com" }, domains: { limit: 1 } }, "NOT_FOUND", "email"],
  ])("refuses %j", async (input, code, field) => {
    expect(await set(input)).toMatchObject({ code, field });
  });
});

test("a refusal has the figures, and answers the other mutations of the request", async () => {
  const change = (owners: number) => `changeRecords(input: { zone: "limited.example.com", add: [
    ${Array.from({ length: owners }, (_, at) => `{ owner: "h${owners}-${at}", type: "A", rdata: "192.0.2.1" }`)}] }) { change { serial } }`;
  const { body } = await service.graphql(`mutation { fits: ${change(5)} exceeds: ${change(2)} }`, {}, key);
  expect(body.data).toEqual({ fits: { change: { serial: expect.any(Number) } }, exceeds: null });
  const message =
    "The quota of limited@example.com is 10 records in all; 9 are used, and this would make it 11. Either remove records that are not needed, or have an administrator raise it.";
  const code = "QUOTA_EXCEEDED";
  const quotas = [{ quota: "records", zone: "limited.example.com", limit: 10, usage: 9, wanted: 11 }];
  const extensions = { code, details: { reasons: [{ code, message }], quotas } };
  expect(body.errors).toEqual([{ message, path: ["exceeds"], locations: expect.any(Array), extensions }]);
});

test("REST, an import and a dynamic update are refused with the same words", async () => {
  await set({ changesPerDay: { limit: 0 } });
  const zone = "limited.example.com";
  const words = expect.stringMatching(/^The quota of limited@example.com is 0 changes a day; \d+ are used/);
  const form = { zone, owner: "late", rtype: "A", rdata: "192.0.2.1", ttl: 3600 };
  const file = { body: "late 3600 IN A 192.0.2.1\n", headers: { "Content-Type": "text/dns" } };
  for (const { status, body } of [
    await service.rest("POST", "/record/add", { form }),
    await service.rest("POST", `/domain/zonefile/${zone}?mode=merge`, file),
  ])
    expect([status, body]).toMatchObject([403, { error: "QUOTA_EXCEEDED", message: words }]);
  const client = new UpdateClient(() => service.dnsPort);
  const sending = { key: await service.tsigKey({ name: "limited-key.example", userId }) };
  expect(await client.update(zone, ["add late 300 A 192.0.2.1"], sending)).toMatchObject({ rcode: "REFUSED" });
});
