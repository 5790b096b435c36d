/** The search for anything, by GraphQL: each kind by what names it, and nothing that a key does not see. */
import { beforeAll, expect, test } from "@jest/globals";
import { type Json, testService } from "../../setup/service/service.ts";

const service = testService({});
const zone = "wanted.example.com";
const reverse = "2.0.192.in-addr.arpa";
let userId: string;
let owner: string;
let stranger: string;

const of = (fields: string) => `{ nodes { ${fields} } count }`;
const query = `query ($text: String!, $first: Int! = 5) { search(text: $text, first: $first) {
  records ${of("zone owner type rdata")} domains ${of("zone")} changes ${of("zone serial note")} users ${of("email")}
  apiKeys ${of("name revokedAt")} tsigKeys ${of("name")} secondaries ${of("name")} } }`;

const search = async (text: string, key?: string, first?: number): Promise<Json> =>
  (await service.data(query, { text, first }, key)).search;
const records = async (text: string, key?: string) =>
  (await search(text, key)).records.nodes.map(({ owner, type, zone }: Json) => `${owner} ${type} ${zone}`);
const counts = async (text: string, key?: string) =>
  Object.fromEntries(
    Object.entries<Json>(await search(text, key)).flatMap(([kind, { count }]) => (count > 0 ? [[kind, count]] : [])),
  );

beforeAll(async () => {
  userId = await service.user("mara@example.com");
  owner = await service.key({ name: "laptop", userId });
  stranger = await service.key({ name: "stranger", userId: await service.user("stranger@example.com") });
  for (const each of [zone, reverse]) await service.domain(each, userId);
  const add = [
    { owner: "mail", type: "A", rdata: "192.0.2.7" },
    { owner: "web", type: "A", rdata: "192.0.2.130" },
    { owner: "mail", type: "AAAA", rdata: "2001:db8::7" },
    { owner: "mail", type: "MX", rdata: "10 mail" },
    { owner: "other", type: "MX", rdata: "10 mail" },
  ];
  await service.mutate("changeRecords", { zone, add, note: "move the mailboxes" }, "serial");
  const pointers = [
    { owner: "7", type: "PTR", rdata: `mail.${zone}.` },
    { owner: "130", type: "PTR", rdata: `web.${zone}.` },
  ];
  await service.mutate("changeRecords", { zone: reverse, add: pointers }, "serial");
  await service.tsigKey({ name: "certbot-lon", zones: [zone] });
  await service.mutate("createSecondary", { name: "knot-sin1", address: "192.0.2.53", port: 53 }, "secondary { id }");
});

test("an address finds its records and their PTR", async () => {
  expect(await records("192.0.2.7")).toEqual([`mail A ${zone}`, `7 PTR ${reverse}`]);
  expect(await records("2001:DB8:0::7")).toEqual([`mail AAAA ${zone}`]);
  expect(await records("192.0.2.8")).toEqual([]);
});

test("a network finds the records of its addresses and their PTR", async () => {
  const mail = [`mail A ${zone}`, `7 PTR ${reverse}`];
  expect(await records("192.0.2.0/25")).toEqual(mail);
  expect((await records("192.0.0.0/16")).toSorted()).toEqual(
    [...mail, `web A ${zone}`, `130 PTR ${reverse}`].toSorted(),
  );
  expect(await records("2001:db8::/32")).toEqual([`mail AAAA ${zone}`]);
  expect(await records("192.0.2.0/33")).toEqual([]);
});

test("a name and a type find the RRset", async () => {
  for (const text of ["mail mx", `MAIL.${zone}. MX`]) expect(await records(text)).toEqual([`mail MX ${zone}`]);
  expect(await records("mail txt")).toEqual([]);
});

test("other text finds records by owner, data and full name, and zones, and notes", async () => {
  expect(await records(`web.${zone}`)).toContain(`web A ${zone}`);
  expect(await records("WEB")).toEqual([`130 PTR ${reverse}`, `web A ${zone}`]);
  expect((await search("ante")).domains).toEqual({ nodes: [{ zone }], count: 1 });
  expect((await search("mailboxed")).changes.count).toBe(0);
  expect((await search("MAILBOX")).changes).toMatchObject({ nodes: [{ zone, note: "move the mailboxes" }], count: 1 });
});

test("a serial finds its changes", async () => {
  const serial = await service.serial(zone);
  const { nodes } = (await search(String(serial))).changes;
  expect(nodes).toContainEqual({ zone, serial, note: "move the mailboxes" });
});

test("a change without a note is found by the records that it added, also once it is undone", async () => {
  const add = [{ owner: "passing", type: "A", rdata: "192.0.2.99" }];
  const { change } = await service.mutate("changeRecords", { zone, add }, "change { id serial }");
  const note = "Undo: + passing A 192.0.2.99";
  await service.mutate("revertChange", { changeId: change.id, note }, "change { id }");
  for (const text of ["passing A 192.0.2", "PASSING"])
    expect((await search(text)).changes).toMatchObject({
      nodes: [{ note }, { serial: change.serial, note: null }],
      count: 2,
    });
  expect(await counts("passing", stranger)).toEqual({});
});

test("users, keys and servers are found by a part of their names", async () => {
  expect(await counts("mara")).toMatchObject({ users: 1 });
  expect(await counts("LAPTOP")).toEqual({ apiKeys: 1 });
  expect(await counts("certbot")).toEqual({ tsigKeys: 1 });
  expect(await counts("knot")).toEqual({ secondaries: 1 });
});

test("what a key may not see is not found", async () => {
  for (const text of ["192.0.2.7", "mail mx", "web", "mailbox", "mara", "laptop", "certbot", "knot", "wanted"])
    expect(await counts(text, stranger)).toEqual({});
  expect(await counts("knot", owner)).toEqual({});
  expect(await counts("mara", owner)).toMatchObject({ users: 1 });
  const { key } = await service.mutate("createApiKey", { name: "limited", userId, zones: [zone] }, "key", owner);
  expect(await records("192.0.2.7", key)).toEqual([`mail A ${zone}`]);
});

test("revoked keys are last, and the number of matches is counted beyond the first ones", async () => {
  const selection = "apiKey { id }";
  const made = await service.mutate("createApiKey", { name: "a-robot", userId }, selection);
  await service.mutate("revokeApiKey", { apiKeyId: made.apiKey.id }, "apiKey { id }");
  await service.mutate("createApiKey", { name: "b-robot", userId }, selection);
  const { apiKeys } = await search("robot");
  expect(apiKeys.nodes.map(({ name }: Json) => name)).toEqual(["b-robot", "a-robot"]);
  expect((await search("robot", undefined, 1)).apiKeys).toMatchObject({ nodes: [{ name: "b-robot" }], count: 2 });
});

test("more than a thousand matches are a thousand", async () => {
  await service.sql(`insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest)
    select d.id, 'many-' || n, 'TXT', 60, '"text"', '', sha256(n::text::bytea)
    from domain d, generate_series(1, 1100) n where d.zone = '${zone}'`);
  expect(await counts("many-")).toEqual({ records: 1000 });
});

test("a note is found behind many newer changes, and of many notes the newest are first", async () => {
  await service.sql(`insert into change (domain_id, zone, kind, serial, actor, door, note)
    select d.id, d.zone, 'EDIT', 7, 'bench', 'rest', 'nightly ' || n from domain d, generate_series(1, 10100) n where d.zone = '${zone}'`);
  expect((await search("mailboxes")).changes).toMatchObject({ nodes: [{ note: "move the mailboxes" }], count: 1 });
  const { nodes, count } = (await search("NIGHTLY", owner)).changes;
  expect([nodes[0], nodes[4], count]).toMatchObject([{ note: "nightly 10100" }, { note: "nightly 10096" }, 1000]);
  expect(await counts("nightly", stranger)).toEqual({});
});

test("too short a text finds no records, and an empty one is refused", async () => {
  expect(await counts("ma")).not.toHaveProperty("records");
  for (const text of ["", " "]) expect(await service.refusal(query, { text })).toBe("INVALID_VALUE");
});
