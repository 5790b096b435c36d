/** The audit: what is in it of each source, who sees what of it, and that a change is never without its entry. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { readConfig } from "../../../src/config/config.ts";
import { recoverKey } from "../../../src/service/recover-key.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { UpdateClient } from "../../setup/dns/update-client.ts";
import { adminKey, answerOf, type Json, mutation, testService } from "../../setup/service/service.ts";

const service = testService({ TRUST_PROXY: "1" });
const zone = "audited.example.com";
let [aliceId, bobId, aliceKey, bobKey] = ["", "", "", ""];

beforeAll(async () => {
  aliceId = await service.user("alice@example.com");
  bobId = await service.user("bob@example.com");
  aliceKey = await service.key({ name: "laptop", userId: aliceId });
  bobKey = await service.key({ name: "desk", userId: bobId });
  await service.domain(zone, aliceId);
});

const fields =
  "id createdAt actor apiKeyId source address operation zone subjectId code field count user { id } change { id serial } subject { id __typename }";

/** The entries that a filter selects, the newest first. */
async function entries(filter: object, key = adminKey): Promise<Json[]> {
  const document = `query ($filter: AuditEntryFilter) { auditEntries(filter: $filter, first: 1000) { nodes { ${fields} } } }`;
  return (await service.data(document, { filter }, key)).auditEntries.nodes;
}

/** The newest entry that a filter selects, once there is one. */
const entry = (filter: object, key = adminKey): Promise<Json> =>
  eventually(async () => {
    const [newest] = await entries(filter, key);
    expect(newest).toBeDefined();
    return newest;
  });

const createRecord = mutation("createRecord", "change { id serial }");
const www = { zone, owner: "www", type: "TXT" };

/** Posts to the service with a key, by way of a proxy. */
const post = (path: string, body: unknown, headers: Record<string, string>) =>
  fetch(service.url + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Forwarded-For": "203.0.113.7", ...headers },
    body: JSON.stringify(body),
  }).then(answerOf);

describe("a change of a zone", () => {
  test("by GraphQL is there with its key, its address and its change, also of a document that was seen before", async () => {
    const ask = (rdata: string) => {
      const body = { query: createRecord, variables: { input: { ...www, owner: rdata, rdata } } };
      return post("/graphql", body, { "X-API-Key": aliceKey });
    };
    const { viewer } = await service.data("{ viewer { key { id } } }", {}, aliceKey);
    for (const rdata of ["one", "two", "three"]) {
      const { body } = await ask(rdata);
      const { change } = body.data.createRecord;
      const found = await entries({ zone });
      expect(found[0]).toMatchObject({
        ...{ actor: expect.stringMatching(/^laptop \([0-9a-f]{8}\)$/), apiKeyId: viewer.key.id },
        ...{ source: "GRAPHQL", address: "203.0.113.7", operation: "createRecord", zone, change },
        ...{ subjectId: null, code: null, field: null, count: 1, user: { id: aliceId } },
      });
    }
  });

  test("by REST has the mutation's name, and the source", async () => {
    await service.rest("POST", "/record/add", { form: { zone, owner: "rest", rtype: "TXT", rdata: "a", ttl: 300 } });
    expect(await entry({ zone })).toMatchObject({ operation: "createRecord", source: "REST", code: null });
    const file = { body: "imported 300 IN TXT a\n", headers: { "Content-Type": "text/dns" } };
    await service.rest("POST", `/domain/zonefile/${zone}`, file);
    expect(await entry({ zone })).toMatchObject({
      operation: "importZone",
      source: "IMPORT",
      change: expect.anything(),
    });
  });

  test("by a dynamic update has its source and the TSIG key", async () => {
    const key = await service.tsigKey({ name: "updater", userId: aliceId, zones: [zone] });
    await new UpdateClient(() => service.dnsPort).update(zone, ["add dynamic 300 TXT a"], { key });
    expect(await entry({ zone })).toMatchObject({
      ...{ operation: "update", source: "UPDATE", actor: "updater (TSIG)", address: "127.0.0.1" },
      ...{ apiKeyId: null, user: { id: aliceId } },
    });
  });

  test("is never without its entry, whichever way it came", async () => {
    const others = `select c.zone, c.kind, c.door, count(a.id) from change c left join audit_entry a on a.change_id = c.id
      group by c.domain_id, c.id having count(a.id) <> 1`;
    expect(await service.sql(others)).toEqual([]);
  });

  test("that is only tried leaves none", async () => {
    const before = await entries({ zone });
    const input = { zone, add: [{ owner: "dry", type: "TXT", rdata: "a" }], dryRun: true };
    await service.mutate("changeRecords", input, "added { owner }");
    expect(await entries({ zone })).toHaveLength(before.length);
  });

  test("that is only tried leaves none when it is refused either, through whichever interface and at whichever stage", async () => {
    const key = await service.key({ name: "typing", userId: aliceId });
    const ofKey = async () => (await entries({})).filter(({ actor }) => actor?.startsWith("typing"));
    const refusal = async (of: string, record: object, dryRun: boolean) => {
      const input = { zone: of, add: [{ owner: "dry", type: "A", ...record }], dryRun };
      return service.refusal(mutation("changeRecords", "added { owner }"), { input }, key);
    };
    expect(await refusal(zone, { rdata: "192.0.2" }, true)).toBe("INVALID_RDATA");
    expect(await refusal(zone, { rdata: "192.0.2.1", ttl: "soon" }, true)).toBe("INVALID_TTL");
    expect(await refusal("none.example.org", { rdata: "192.0.2.1" }, true)).toBe("NOT_FOUND");
    const file = { headers: { "Content-Type": "text/dns" }, body: "a A 192.0.2\n", key };
    expect((await service.rest("POST", `/domain/zonefile/${zone}?dry_run=yes`, file)).status).toBe(422);
    const before = `/domain/zonefile/${zone}?dry_run=yes&expected_serial=last`;
    expect((await service.rest("POST", before, file)).status).toBe(422);
    const literal = `mutation { changeRecords(input: { zone: "${zone}", delete: "a", dryRun: true }) { added { owner } } }`;
    await service.refusal(literal, {}, key);
    // Refusals are written in their order, so that those of the tries would be there before this one.
    expect(await refusal(zone, { rdata: "192.0.2.1", ttl: "soon" }, false)).toBe("INVALID_TTL");
    await eventually(async () => expect(await ofKey()).not.toHaveLength(0));
    expect(await ofKey()).toMatchObject([{ operation: "changeRecords", code: "INVALID_TTL" }]);
  });

  test.each([
    ["a variable that it does not declare", "changeRecords", "a: changeRecords(input: $input) { added { owner } }"],
    [
      "a dry run by the same mutation",
      "changeRecords",
      `tried: changeRecords(input: { zone: "${zone}", dryRun: true }) { added { owner } }
        a: changeRecords(input: $input) { added { owner } }`,
    ],
    [
      "a dry run by another mutation",
      "several mutations",
      `tried: importZone(input: { zone: "${zone}", text: "", mode: MERGE, dryRun: true }) { addedCount }
        a: changeRecords(input: $input) { added { owner } }`,
    ],
  ])("that is refused is there beside %s", async (beside, operation, fields) => {
    const key = await service.key({ name: beside, userId: aliceId });
    const input = { zone, add: [{ owner: "real", type: "A", rdata: "192.0.2.1", ttl: "soon" }] };
    const document = `mutation ($input: ChangeRecordsInput!) { ${fields} }`;
    const variables = { input, tried: { dryRun: true } };
    expect(await service.refusal(document, variables, key)).toBe("INVALID_TTL");
    expect(await entry({ actor: beside })).toMatchObject({ operation, code: "INVALID_TTL" });
  });
});

describe("what is no change of a zone", () => {
  test("has one entry, with what it was about", async () => {
    const id = await service.user("carol@example.com");
    const created = await entries({ operation: "createUser" });
    expect(created[0]).toMatchObject({ subjectId: id, user: { id }, zone: null, change: null, source: "GRAPHQL" });
    expect(created.filter(({ subjectId }) => subjectId === id)).toHaveLength(1);
    expect(created[0]?.subject).toEqual({ id, __typename: "User" });
    await service.mutate("deleteUser", { by: { id } }, "deletedId");
    expect(await entry({ operation: "deleteUser" })).toMatchObject({ subjectId: id, subject: null, user: null });
  });

  test("says what it was about where that was named by another name than its id", async () => {
    const email = "dora@example.com";
    const id = await service.user(email);
    await service.mutate("setUserQuota", { by: { email }, domains: { limit: 1 } }, "user { id }");
    expect(await entry({ operation: "setUserQuota" })).toMatchObject({ subjectId: id, user: { id } });
    await service.mutate("deleteUser", { by: { email } }, "deletedId");
    expect(await entry({ operation: "deleteUser" })).toMatchObject({ subjectId: id, user: null });
    const { apiKey } = await service.mutate("createApiKey", { name: "mislaid" }, "apiKey { id }");
    await service.mutate("revokeApiKey", { apiKeyId: apiKey.id }, "apiKey { id }");
    expect(await entry({ operation: "revokeApiKey" })).toMatchObject({ subjectId: apiKey.id });
  });

  test("is rolled back with what it is about", async () => {
    const before = (await entries({ operation: "createUser", refused: false })).length;
    const document = mutation("createUser", "user { id }");
    expect(await service.refusal(document, { input: { email: "alice@example.com" } })).toBe("DUPLICATE_EMAIL");
    expect(await entry({ operation: "createUser", code: "DUPLICATE_EMAIL" })).toMatchObject({ field: "email" });
    expect(await entries({ operation: "createUser", refused: false })).toHaveLength(before);
  });

  test("with changes of zones has an entry for itself and one for each of them", async () => {
    const zones = [{ edit: { zone, add: [{ owner: "set", type: "TXT", rdata: "a" }] } }];
    const selection = "changeSet { id } preview { fingerprint }";
    const { changeSet, preview } = await service.mutate(
      "createChangeSet",
      { title: "set", zones },
      selection,
      aliceKey,
    );
    const input = { changeSetId: changeSet.id, expectedFingerprint: preview.fingerprint };
    await service.mutate("applyChangeSet", input, "changeSet { state }", aliceKey);
    const found = await entries({ operation: "applyChangeSet" });
    const about = found.map(({ zone: name, subjectId }) => `${name} ${subjectId}`);
    expect(about.toSorted()).toEqual([`${zone} null`, `null ${changeSet.id}`].toSorted());
  });
});

describe("what is refused", () => {
  test("is there with its code and its field, and without what was sent", async () => {
    await service.graphql(createRecord, { input: { ...www, type: "A", rdata: "secret-of-mine" } }, aliceKey);
    const refused = await entry({ zone, code: "INVALID_RDATA" });
    expect(refused).toMatchObject({ operation: "createRecord", field: "rdata", change: null, user: { id: aliceId } });
    expect(JSON.stringify(await service.sql("select * from audit_entry"))).not.toContain("secret-of-mine");
  });

  test("before it is an operation, too", async () => {
    await service.graphql(createRecord, { input: { ...www, type: "NOPE", rdata: "a" } }, aliceKey);
    expect(await entry({ operation: "createRecord", code: "UNSUPPORTED_TYPE" })).toMatchObject({ source: "GRAPHQL" });
    await service.rest("POST", "/record/add", { form: { zone }, key: aliceKey });
    const { code, actor } = await entry({ source: "REST", refused: true });
    expect([code, actor]).toEqual(["MISSING_FIELD", expect.stringMatching(/^laptop/)]);
  });

  test("again and again is summed up", async () => {
    const ask = () => service.graphql(createRecord, { input: { ...www, type: "A", rdata: "again" } }, bobKey);
    await Promise.all(Array.from({ length: 20 }, ask));
    await eventually(async () => {
      const found = await entries({ zone, code: "NOT_FOUND" });
      expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(20);
      expect(found.length).toBeLessThan(20);
    });
  });

  test("as a wrong key is, once for an address, and without the key", async () => {
    await post("/graphql", { query: "{ viewer { role } }" }, { "X-API-Key": `zs_${"W".repeat(43)}` });
    expect(await entry({ operation: "authenticate" })).toMatchObject({
      ...{ actor: null, apiKeyId: null, address: "203.0.113.7", code: "UNAUTHENTICATED", source: "GRAPHQL" },
    });
    const all = await service.sql<{ text: string }>("select a::text as text from audit_entry a");
    expect(all.filter(({ text }) => text.includes("WWWW"))).toEqual([]);
  });
});

test("the first administrator key is there, and one that was recovered", async () => {
  const ofService = async () =>
    (await entries({ operation: "createApiKey", source: "SYSTEM" })).map(({ actor }) => actor);
  expect(await ofService()).toEqual(["system"]);
  await recoverKey(readConfig({ DATABASE_URL: service.databaseUrl }), "found again");
  expect(await ofService()).toEqual(["system", "system"]);
});

test("who signs in and out is there", async () => {
  const headers = { "X-Zonesmith-Console": "1" };
  const answer = await post("/sign-in", { key: aliceKey }, headers);
  const { viewer } = await service.data("{ viewer { key { id } } }", {}, aliceKey);
  const who = { apiKeyId: viewer.key.id, source: "CONSOLE", address: "203.0.113.7", code: null, user: { id: aliceId } };
  expect(await entry({ operation: "signIn" })).toMatchObject(who);
  const cookie = (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const signedIn = { ...headers, Cookie: cookie, "X-Forwarded-For": "203.0.113.7" };
  await fetch(`${service.url}/sign-in`, { method: "DELETE", headers: signedIn });
  expect(await entry({ operation: "signOut" })).toMatchObject(who);
});

test("a user sees what the own keys did and what others did with the own things, and no others' address", async () => {
  await service.record(zone, "by-administrator", "TXT", "a");
  await service.domain("bobs.example.com", bobId);
  const [ofAlice, ofBob] = [await entries({}, aliceKey), await entries({}, bobKey)];
  expect(ofAlice[0]).toMatchObject({ zone, address: null, actor: expect.stringMatching(/^administrator/) });
  expect(ofAlice.find(({ operation }) => operation === "signIn").address).toBe("203.0.113.7");
  expect(new Set(ofAlice.map(({ user }) => user?.id))).toEqual(new Set([aliceId]));
  expect(new Set(ofBob.map((each) => each.zone))).toEqual(new Set([null, zone, "bobs.example.com"]));
  expect(ofBob.filter((each) => each.zone === zone).every(({ code }) => code === "NOT_FOUND")).toBe(true);
  const { id } = ofAlice[0];
  const node = "query ($id: ID!) { node(id: $id) { ... on AuditEntry { operation } } }";
  expect((await service.data(node, { id }, aliceKey)).node.operation).toBe("createRecord");
  expect(await service.refusal(node, { id }, bobKey)).toBe("NOT_FOUND");
});

test("filters select, and pages follow one another", async () => {
  const all = await entries({});
  const { createdAt, apiKeyId } = all[3];
  const same = async (filter: object, isSuch: (each: Json) => boolean) =>
    expect((await entries(filter)).map(({ id }) => id)).toEqual(all.filter(isSuch).map(({ id }) => id));
  await same({ createdSince: createdAt }, (each) => each.createdAt >= createdAt);
  await same({ createdBefore: createdAt }, (each) => each.createdAt < createdAt);
  await same({ apiKeyId }, (each) => each.apiKeyId === apiKeyId);
  await same({ source: "REST" }, ({ source }) => source === "REST");
  await same({ refused: true }, ({ code }) => code !== null);
  await same({ actor: "laptop" }, ({ actor }) => actor?.startsWith("laptop ("));
  await same({ userId: bobId, refused: false }, ({ user, code }) => user?.id === bobId && code === null);
  const list = `query ($after: String) { auditEntries(first: 7, after: $after, orderBy: CREATED) {
    nodes { id } pageInfo { endCursor hasNextPage } } }`;
  const page = async (after: string | null) => (await service.data(list, { after })).auditEntries;
  const ids: string[] = [];
  for (let next = await page(null); ; next = await page(next.pageInfo.endCursor)) {
    ids.push(...next.nodes.map(({ id }: Json) => id));
    if (!next.pageInfo.hasNextPage) break;
  }
  expect(ids).toEqual(all.map(({ id }) => id).toReversed());
});
