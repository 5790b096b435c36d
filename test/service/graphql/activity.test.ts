/** What happened, by GraphQL: each kind once, folded, newest first, for those alone who see it in its own list. */
import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { type Json, mutation, testService } from "../../setup/service/service.ts";

const service = testService({});
const zone = "active.example.com";
const other = "quiet.example.com";
let userId: string;
let owner: string;
let stranger: string;

const fields = `kind count at since node { __typename
  ... on Change { zone note } ... on ChangeSet { title state } ... on UpdateRefusal { keyName code } ... on AuditEntry { operation } }`;
const query = `query ($filter: ActivityFilter, $first: Int, $after: String) {
  activity(filter: $filter, first: $first, after: $after) { entries { ${fields} } endCursor } }`;

const pageOf = async (variables: Json, key?: string): Promise<Json> =>
  (await service.data(query, variables, key)).activity;
const entries = async (filter: Json = {}, key?: string): Promise<Json[]> =>
  (await pageOf({ filter, first: 100 }, key)).entries;
const kinds = async (filter: Json, key?: string) => (await entries(filter, key)).map(({ kind }) => kind);

const record = (owner: string) => ({ owner, type: "A", rdata: "192.0.2.1" });
const change = (name: string, note: string, key?: string) =>
  service.mutate("changeRecords", { zone, note, add: [record(name)] }, "serial", key);
const refuse = (name: string, keyName: string, secondsAgo: number) =>
  service.sql(
    `insert into update_refusal (domain_id, zone, code, rcode, reason, address, protocol, key_name, asked, created_at)
    select id, zone, 'FORBIDDEN', 'REFUSED', 'because', '192.0.2.1', 'udp', $1, '{}', now() - make_interval(secs => $2)
    from domain where zone = $3`,
    [keyName, secondsAgo, name],
  );

async function makeSet(title: string, zones: readonly string[], key?: string): Promise<Json> {
  const parts = zones.map((each) => ({ edit: { zone: each, add: [record(title)] } }));
  const of = "changeSet { id } preview { fingerprint }";
  return service.mutate("createChangeSet", { title, zones: parts }, of, key);
}

beforeAll(async () => {
  userId = await service.user("active@example.com");
  owner = await service.key({ name: "owner", userId });
  stranger = await service.key({ name: "stranger", userId: await service.user("stranger@example.com") });
  await service.domain(zone, userId);
  await service.domain(other, userId);
});

test("changes of one key in one zone within an hour are one entry with the newest", async () => {
  for (const at of [1, 2, 3]) await change(`release${at}`, `release ${at}`, owner);
  await change("by-hand", "by hand");
  const [byHand, release, ...earlier] = await entries({ kind: "CHANGES", zone });
  expect(byHand).toMatchObject({ count: 1, node: { __typename: "Change", note: "by hand" } });
  expect(release).toMatchObject({ kind: "CHANGES", count: 3, node: { note: "release 3", zone } });
  expect(release?.since < release?.at).toBe(true);
  expect(earlier).toMatchObject([{ count: 1, node: { zone } }]);
});

test("what is more than an hour older is an entry of its own", async () => {
  await service.sql(
    "update change set created_at = created_at - interval '61 minutes' where id <= (select id from change where note = 'release 1')",
  );
  const counts = (await entries({ kind: "CHANGES", who: "owner" })).map(({ count, node: { note } }) => [note, count]);
  expect(counts).toEqual([
    ["release 3", 2],
    ["release 1", 1],
  ]);
});

test("a change set is under review, then its changes are one entry with the set", async () => {
  const { changeSet, preview } = await makeSet("vpn", [zone, other], owner);
  expect(await kinds({ kind: "REVIEWS" })).toEqual([]);
  await service.mutate("submitChangeSet", { changeSetId: changeSet.id }, "changeSet { state }", owner);
  const reviewed = { kind: "REVIEWS", count: 1, node: { __typename: "ChangeSet", title: "vpn", state: "APPROVED" } };
  for (const key of [undefined, owner]) expect((await entries({}, key))[0]).toMatchObject(reviewed);
  const input = { changeSetId: changeSet.id, expectedFingerprint: preview.fingerprint };
  await service.mutate("applyChangeSet", input, "changeSet { state }", owner);
  const applied = { kind: "CHANGES", count: 1, node: { __typename: "ChangeSet", title: "vpn", state: "APPLIED" } };
  for (const filter of [{}, { zone }, { zone: other }, { kind: "CHANGES" }]) {
    const ofSet = (await entries(filter, owner)).filter(({ node }) => node.title === "vpn");
    expect(ofSet).toMatchObject([applied]);
  }
  expect(await kinds({ kind: "REVIEWS" })).toEqual([]);
});

test("of a change set that a key may not see, its newest change in the key's zones stands", async () => {
  const { key: limited } = await service.mutate("createApiKey", { name: "limited", userId, zones: [zone] }, "key");
  const ofSet = (await entries({ kind: "CHANGES" }, limited))[0];
  expect(ofSet).toMatchObject({ count: 1, node: { __typename: "Change", note: "vpn", zone } });
});

test("the same refusal is one entry, and a refused operation is beside it", async () => {
  for (const seconds of [30, 20, 10]) await refuse(zone, "certbot", seconds);
  await refuse(other, "certbot", 5);
  const input = { by: { zone: "nowhere.example.com" } };
  expect(await service.refusal(mutation("deleteDomain", "deletedId"), { input }, owner)).toBe("NOT_FOUND");
  await eventually(async () => (await entries({ kind: "REFUSED" }))[0]?.node.operation === "deleteDomain");
  const ofZone = await entries({ kind: "REFUSED", zone });
  expect(ofZone).toMatchObject([{ count: 3, node: { keyName: "certbot", code: "FORBIDDEN" } }]);
  expect(await kinds({ kind: "REFUSED", who: "certbot" })).toEqual(["REFUSED", "REFUSED"]);
  expect(await kinds({ kind: "REFUSED", source: "UPDATE" })).toEqual(["REFUSED", "REFUSED"]);
});

test("the audit adds what is about neither a change nor a change set", async () => {
  const operations = (await entries({ kind: "ACCESS" })).map(({ node }) => node.operation);
  expect(new Set(operations)).toEqual(new Set(["createApiKey", "createUser"]));
  expect(await kinds({ kind: "ACCESS", zone })).toEqual([]);
});

test("a key sees what it sees in each list", async () => {
  const seen = new Set((await entries({}, stranger)).map(({ node }) => node.operation ?? node.__typename));
  expect(seen).toEqual(new Set(["createApiKey", "createUser"]));
  const ofOwner = await kinds({}, owner);
  expect(new Set(ofOwner)).toEqual(new Set(["CHANGES", "REFUSED", "ACCESS"]));
});

test("pages of any size hold each thing once, in the order of one page", async () => {
  await service.mutate(
    "submitChangeSet",
    { changeSetId: (await makeSet("a", [zone])).changeSet.id },
    "changeSet { id }",
  );
  await service.mutate(
    "cancelChangeSet",
    { changeSetId: (await makeSet("b", [zone])).changeSet.id },
    "changeSet { id }",
  );
  const sum = (all: Json[]) => all.reduce((total, { count }) => total + count, 0);
  const whole = await entries();
  expect(new Set(whole.map(({ kind }) => kind))).toEqual(new Set(["CHANGES", "REVIEWS", "REFUSED", "ACCESS"]));
  const times = whole.map(({ at }) => at);
  expect(times).toEqual(times.toSorted().toReversed());
  for (const first of [1, 2, 3, 7]) {
    const pages: Json[][] = [];
    let after: string | null = null;
    do {
      const page: Json = await pageOf({ first, after });
      pages.push(page.entries);
      expect(page.entries.length).toBeLessThanOrEqual(first);
      after = page.endCursor;
    } while (after !== null);
    const all = pages.flat();
    expect(sum(all)).toBe(sum(whole));
    expect(all.map(({ at }) => at)).toEqual(times.length === all.length ? times : expect.arrayContaining(times));
  }
});

test("what happens between two pages does not move the second", async () => {
  const { entries: newest, endCursor } = await pageOf({ first: 2 });
  const { entries: before } = await pageOf({ first: 5, after: endCursor });
  await change("meanwhile", "meanwhile");
  const { entries: after } = await pageOf({ first: 5, after: endCursor });
  expect([newest.length, after]).toEqual([2, before]);
});

test("times and sources select", async () => {
  const whole = await entries();
  const middle = whole[3]?.at;
  const [older, newer] = await Promise.all([entries({ until: middle }), entries({ since: middle })]);
  expect(older.every(({ at }) => at < middle)).toBe(true);
  expect(newer.every(({ at }) => at >= middle)).toBe(true);
  expect(await kinds({ source: "REST" })).toEqual([]);
});

test("a cursor of another list is refused, and so is a page that is too large", async () => {
  const cursor = (await service.data("{ changes(first: 1) { pageInfo { endCursor } } }")).changes.pageInfo.endCursor;
  for (const variables of [{ after: cursor }, { first: 101 }]) {
    expect(await service.refusal(query, variables)).toBe("INVALID_VALUE");
  }
});
