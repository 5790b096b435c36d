/** Dynamic updates over the wire: a line for each rcode, messages that cannot be read, copies of a message, and who may update what. */
import { describe, expect, jest, test } from "@jest/globals";
import pg from "pg";
import { Pipeline } from "../../../src/database/pipeline.ts";
import { Section } from "../../../src/dns/message/header.ts";
import { readMessage } from "../../../src/dns/message/message-reader.ts";
import { readTsig, signMessage, TsigError } from "../../../src/dns/message/tsig.ts";
import { parseName } from "../../../src/dns/name.ts";
import { secondsNow } from "../../setup/basics/clock.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { textOf } from "../../setup/database/statement-text.ts";
import { queryOf } from "../../setup/dns/dns-client.ts";
import { type ClientKey, clientKey, updateMessage } from "../../setup/dns/update-client.ts";
import { testService } from "../../setup/service/service.ts";
import { updateZone } from "../../setup/service/update-zone.ts";

const service = testService({ LOG_LEVEL: "warn", DNS_CONNECTIONS: "1000" });
const zone = updateZone(service);

describe.each(["udp", "tcp"] as const)("over %s an update is answered", (protocol) => {
  test.each([
    ["NOERROR", ["yxrrset a A 192.0.2.1", "nxdomain b", "add b 300 A 192.0.2.9"]],
    ["NOERROR", ["add b 300 A 192.0.2.9", "del a A 192.0.2.1"]],
    ["NOERROR", ["del a", "add b 300 A 192.0.2.9"]],
    ["NXDOMAIN", ["yxdomain b", "del a"]],
    ["YXDOMAIN", ["nxdomain a", "del a"]],
    ["NXRRSET", ["yxrrset a AAAA", "del a"]],
    ["YXRRSET", ["nxrrset a A", "del a"]],
    ["REFUSED", ["del a", "add * 300 NS ns.example.net."]],
    ["NOTZONE", ["del a", "add a.example.net. 300 A 192.0.2.1"]],
    ["FORMERR", ["del a", "add a 300"]],
  ])("%s, signed: %j", async (rcode, lines) => {
    await zone.add(["a 300 A 192.0.2.1"]);
    const before = await zone.read();
    const answer = await zone.client.update(zone.name, lines, { key: zone.key, protocol });
    expect(answer).toMatchObject({ rcode, tsigError: 0 });
    const after = await zone.read();
    if (rcode !== "NOERROR") return expect(after).toEqual(before);
    expect([after.serial, after.changes]).toEqual([before.serial + 1, before.changes + 1]);
    expect(after.records).toContain("b 300 A 192.0.2.9");
  });
});

test.each([
  ["whose data cannot be read is FORMERR, unsigned", 15, "000a", "FORMERR"],
  ["whose data are not of their type is FORMERR", 1, "c00002", "FORMERR"],
  ["with an SOA below the apex, which is ignored, is NOERROR", 6, `00${"00".repeat(21)}`, "NOERROR"],
])("an update %s", async (what, type, hex, rcode) => {
  const before = await zone.read();
  const rdata = Uint8Array.from(Buffer.from(hex, "hex"));
  const record = { name: parseName(`a.${zone.name}.`), type, class: 1, ttl: 300, rdata };
  const message = updateMessage(zone.name, [], [{ section: Section.AUTHORITY, record }]);
  const answer = await zone.client.send(message, what.includes("unsigned") ? {} : { key: zone.key });
  expect(answer.rcode).toBe(rcode);
  expect(await zone.read()).toEqual(before);
});

/** Copies of a signed message, which differ in what its MAC does not cover. */
const copies: readonly [string, (copy: Buffer, tsigAt: number) => unknown][] = [
  ["as it was sent", () => {}],
  ["under another id", (copy) => copy.writeUInt16BE(copy.readUInt16BE(0) ^ 1, 0)],
  ["with the key's name in other letters", (copy, tsigAt) => copy.write("ALL", tsigAt + 1)],
  ["with the algorithm's name in other letters", (copy) => copy.write("HMAC-sha256", copy.indexOf("hmac-sha256"))],
];

test.each(copies)(
  "a copy of a signed message, %s, is answered as the first was, and changes nothing",
  async (_, edit) => {
    const keyName = parseName(`${zone.key.name}.`);
    const adding = updateMessage(zone.name, ["nxdomain a", "add a 300 A 192.0.2.1"]);
    const { octets } = signMessage(adding, zone.key, { keyName, time: secondsNow() });
    const copy = Buffer.from(octets);
    edit(copy, readMessage(octets).tsigAt);
    const answers = await Promise.all([octets, copy, octets].map((each) => zone.client.exchange(each)));
    expect(answers.map((answer) => (answer[3] as number) % 16)).toEqual([0, 0, 0]);
    await zone.client.update(zone.name, ["del a"], { key: zone.key });
    const stood = await zone.read();
    const again = await zone.client.exchange(copy);
    expect(again.subarray(0, 2)).toEqual(copy.subarray(0, 2));
    expect(again.subarray(2, 12)).toEqual(answers[0]?.subarray(2, 12));
    expect(await zone.read()).toEqual(stood);
  },
);

const add = ["add a 300 A 192.0.2.1"];
let made = 0;
const keyName = () => `k${++made}.example.com`;

test("a key scoped to _acme-challenge writes TXT there and nothing else, and the refusal can be read", async () => {
  const scope = { owners: ["_acme-challenge*"], types: ["TXT"] };
  const key = await service.tsigKey({ name: keyName(), userId: zone.userId, zones: [zone.name], ...scope });
  const good = ["del _acme-challenge.www TXT", "add _acme-challenge.www 120 TXT token"];
  expect((await zone.client.update(zone.name, good, { key })).rcode).toBe("NOERROR");
  const stood = await zone.read();
  expect(await zone.client.update(zone.name, [...good, ...add], { key })).toMatchObject({
    rcode: "REFUSED",
    tsigError: 0,
  });
  const [refusal] = await zone.refusals();
  expect(refusal).toMatchObject({
    ...{ code: "FORBIDDEN", rcode: "REFUSED", protocol: "UDP", keyName: key.name, keyAlgorithm: "hmac-sha256" },
    reason: expect.stringMatching(/may not write at a, only at _acme-challenge\*/),
    address: expect.stringMatching(/127\.0\.0\.1$/),
    domain: { zone: zone.name },
  });
  expect(refusal.requestLines).toHaveLength(3);
  expect(await zone.read()).toEqual(stood);
});

test("a zone of another user, or one that is not here, is NOTAUTH; the refusal is its user's to see", async () => {
  const stranger = await service.user(`other${made}@example.com`);
  const key = await service.tsigKey({ name: keyName(), userId: stranger });
  expect((await zone.client.update(zone.name, add, { key })).rcode).toBe("NOTAUTH");
  expect((await zone.client.update("example.net", ["del a"], { key: zone.key })).rcode).toBe("NOTAUTH");
  const seenBy = async (userId: string) => zone.refusals(await service.key({ name: "reader", userId }));
  expect([(await seenBy(zone.userId)).length, await seenBy(stranger)]).toEqual([1, []]);
});

const badKey = { rcode: "NOTAUTH", tsigError: 17 };

test("a key works at once when it is made, and no more when it is revoked, and the audit says so", async () => {
  const name = keyName();
  expect(await zone.client.update(zone.name, add, { key: clientKey(name, "AAAA") })).toMatchObject(badKey);
  const key = await service.tsigKey({ name, userId: zone.userId });
  expect((await zone.client.update(zone.name, add, { key })).rcode).toBe("NOERROR");
  const [row] = await service.sql<{ id: string }>("select id from tsig_key where name = $1", [name]);
  await service.mutate("revokeTsigKey", { tsigKeyId: row?.id }, "tsigKey { id }");
  expect(await zone.client.update(zone.name, add, { key })).toMatchObject(badKey);
  expect((await zone.refusals())[0].reason).toMatch(/was revoked at /);
});

/** The TSIG error of the answer to a query that is signed with this key. */
async function errorOf(key: ClientKey): Promise<number | undefined> {
  const signature = { keyName: parseName(`${key.name}.`), time: secondsNow() };
  const { octets } = signMessage(queryOf(`${zone.name}.`, "SOA"), key, signature);
  return readTsig(readMessage(await zone.client.exchange(octets)))?.error;
}

test("what another process makes of a key is seen soon: a new one works, an expired one stops, and the audit says so", async () => {
  const key = await service.tsigKey({ name: keyName(), userId: zone.userId });
  expect((await zone.client.update(zone.name, add, { key })).rcode).toBe("NOERROR");
  const name = keyName();
  await service.sql("update tsig_key set name = $2 where name = $1", [key.name, name]);
  const renamed = { ...key, name };
  await eventually(async () => expect(await errorOf(renamed)).toBe(TsigError.NONE));
  expect((await zone.client.update(zone.name, add, { key: renamed })).rcode).toBe("NOERROR");
  await service.sql("update tsig_key set expires_at = now() where name = $1", [name]);
  await eventually(async () => expect(await errorOf(renamed)).toBe(TsigError.BADKEY));
  expect(await zone.client.update(zone.name, add, { key: renamed })).toMatchObject(badKey);
  expect((await zone.refusals())[0].reason).toMatch(/expired at .+; it is /);
});

/** The statements about keys, and about signatures that were refused, that are sent while something is done. */
async function statementsOnKeys(run: () => Promise<unknown>): Promise<string[]> {
  const pooled = jest.spyOn(pg.Client.prototype, "query").mockClear();
  const pipelined = jest.spyOn(Pipeline.prototype, "query").mockClear();
  await run();
  const texts = pooled.mock.calls.map(([sent]) => textOf(sent));
  return [...texts, ...pipelined.mock.calls.map(([text]) => text)].filter((text) => text.includes("tsig"));
}

test("packets with an unknown key, or a known one and a wrong MAC, cost no statement each", async () => {
  const wrong = (name: string) => errorOf(clientKey(name, "AAAA"));
  const errors = new Set<unknown>();
  const sent = await statementsOnKeys(async () => {
    for (let at = 0; at < 200; at += 1)
      for (const each of await Promise.all([wrong(`stranger${at}.example.net`), wrong(zone.key.name)]))
        errors.add(each);
  });
  expect(errors).toEqual(new Set([TsigError.BADKEY, TsigError.BADSIG]));
  expect(sent.length).toBeLessThan(40);
});

test("keys that are in use, however many, do not let all names of keys be read again", async () => {
  const count = 1100;
  await service.sql(
    `insert into tsig_key select (jsonb_populate_record(k, jsonb_build_object(
      'id', (select max(id) from tsig_key) + n, 'name', 'many' || n || '.example.com'))).*
    from tsig_key k, generate_series(1, $2::int) n where k.name = $1`,
    [zone.key.name, count],
  );
  const many = (at: number) => errorOf({ ...zone.key, name: `many${at}.example.com` });
  await eventually(async () => expect(await many(1)).toBe(TsigError.NONE));
  const sent = await statementsOnKeys(async () => {
    for (let at = 2; at <= count; at += 1) expect(await many(at)).toBe(TsigError.NONE);
  });
  expect(sent.filter((text) => text.includes('json_agg("t"."name")'))).toEqual([]);
  await service.sql("delete from tsig_key where name like 'many%'");
});

const unknownKey = clientKey("nobody.example.com", "AAAA");
const wrongKey = clientKey("all.example.com", "AAAA");
test.each([
  ["unsigned", undefined, "REFUSED", /not signed/],
  ["of an unknown key", unknownKey, "NOTAUTH", /no TSIG key nobody/],
  ["by hmac-md5", { ...wrongKey, algorithm: "hmac-md5" }, "NOTAUTH", /hmac-md5.+cert-manager/],
  ["with another secret", wrongKey, "NOTAUTH", /secrets differ/],
] as const)("an update %s is refused, and why is noted", async (_how, key, rcode, reason) => {
  const stood = await zone.read();
  expect((await zone.client.update(zone.name, add, { key })).rcode).toBe(rcode);
  expect(await zone.read()).toEqual(stood);
  expect(await zone.refusals()).toMatchObject([{ rcode, reason: expect.stringMatching(reason) }]);
  expect(service.logged.some((line) => line.includes(zone.name) && reason.test(line))).toBe(true);
});

test("a clock that is off is told with both times", async () => {
  const time = Date.UTC(2026, 0, 2, 3, 4, 5) / 1000;
  const answer = await zone.client.update(zone.name, add, { key: zone.key, time });
  expect(answer).toMatchObject({ rcode: "NOTAUTH", tsigError: 18 });
  expect((await zone.refusals())[0].reason).toMatch(/signed at 2026-01-02T03:04:05Z, here it is \d{4}-\d\d-\d\dT/);
});

test("a thousand changes come in one message, in one change", async () => {
  const lines = Array.from({ length: 1000 }, (_, at) => `add h${at} 300 A 192.0.2.${at % 250}`);
  const stood = await zone.read();
  expect((await zone.client.update(zone.name, lines, { key: zone.key, protocol: "tcp" })).rcode).toBe("NOERROR");
  const [counted] = await service.sql<{ changes: number; records: number }>(
    `select (select count(*)::int from change where domain_id = d.id) as changes,
      (select count(*)::int from zone_record where domain_id = d.id) as records from domain d where zone = $1`,
    [zone.name],
  );
  expect(counted).toEqual({ changes: stood.changes + 1, records: stood.records.length + 1 + 1000 });
});

test("a flood of updates is bounded: others are answered meanwhile, each update is answered, and each NOERROR stands in the journal", async () => {
  const stood = await zone.read();
  const flood = Array.from({ length: 400 }, (_, at) =>
    zone.client.update(zone.name, [`add f${at} 300 A 192.0.2.1`], { key: zone.key, protocol: "tcp" }),
  );
  let isOver = false;
  const answers = Promise.all(flood).finally(() => {
    isOver = true;
  });
  await service.data("{ ttlPolicy { choices } }");
  expect(isOver).toBe(false);
  const rcodes = (await answers).map(({ rcode }) => rcode);
  const done = rcodes.filter((rcode) => rcode === "NOERROR").length;
  expect(new Set(rcodes)).toEqual(new Set(done === 400 ? ["NOERROR"] : ["NOERROR", "SERVFAIL"]));
  const stands = await zone.read();
  expect([stands.changes - stood.changes, stands.serial - stood.serial]).toEqual([done, done]);
});
