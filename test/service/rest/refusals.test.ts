/** What REST refuses, by the field that it names. The rules of record data are in test/service/vectors. */
import { beforeAll, expect, test } from "@jest/globals";
import { type Code, codes } from "../../../src/error-codes.ts";
import { expectRefusal } from "../../setup/service/refusal.ts";
import { type Answer, adminKey, mutation, type RestOptions, testService } from "../../setup/service/service.ts";

const service = testService();
const zone = "example.com";
const other = "other.example.net";
const soa = (serial: number) =>
  `ns1.zonesmith.example. hostmaster.zonesmith.example. ${serial} 10800 3600 1209600 3600`;
/** Ids by the names that the paths below call them. */
const ids: Record<string, string> = {};
let serial: number;

beforeAll(async () => {
  ids.user = await service.user("owner@example.com");
  ids.idle = await service.user("idle@example.com");
  await service.domain(zone, ids.user);
  await service.domain(other, ids.user);
  ids.mail = await service.record(zone, "mail", "A", "192.0.2.1");
  ids.odd = await service.record(zone, "odd", "A", "192.0.2.5", 77);
  const [first, last] = (await service.rest("GET", `/record/list?zone=${other}&type=NS`)).body;
  await service.rest("DELETE", `/record/delete/${first.id}`);
  ids.lastNs = String(last.id);
  ids.soa = String((await service.rest("GET", `/record/list?zone=${zone}&type=SOA`)).body[0].id);
  serial = await service.serial(zone);
  ids.serial = String(serial);
});

const filled = (path: string) => path.replace(/\{([^}]+)\}/g, (_, name: string) => ids[name] as string);

async function expectRefused(method: string, path: string, options: RestOptions, error: Code, field?: string) {
  const before = await service.state();
  expectRefusal(await service.rest(method, filled(path), options), error, field);
  expect(await service.state()).toEqual(before);
}

type Form = Record<string, string | number>;
const record = { zone, owner: "new", rtype: "A", rdata: "192.0.2.9", ttl: 3600 };
const without = (form: Form, name: string) => Object.fromEntries(Object.entries(form).filter(([key]) => key !== name));

test.each<[string, string, Form, string]>([
  ...Object.keys(record).map((name): [string, string, Form, string] => [
    "POST",
    "/record/add",
    without(record, name),
    name,
  ]),
  ["PUT", "/record/edit/{mail}", without(record, "ttl"), "ttl"],
  ["POST", "/user/add", {}, "email"],
  ["PUT", "/user/edit/{user}", {}, "email"],
  ["POST", "/domain/add", { zone: "new.example.com" }, "user_id"],
  ["POST", "/domain/add", { user_id: "{user}" }, "zone"],
  ["DELETE", "/domain/delete/", {}, "zone"],
])("%s %s refuses a body of %j: %s is missing", async (method, path, form, field) => {
  await expectRefused(method, path, { form }, "MISSING_FIELD", field);
});

test.each<[string, Form, Code, string]>([
  ["a zone that is not there", { zone: "unknown.example.com" }, "NOT_FOUND", "zone"],
  ["no zone name", { zone: "a..b" }, "INVALID_NAME", "zone"],
  ...["1h", "", " 3600", "3600 ", "03600", "+3600", "3600\n", "3600.0", "36e2", "0x384", "4294967296"].map(
    (ttl): [string, Form, Code, string] => [`the TTL ${JSON.stringify(ttl)}`, { ttl }, "INVALID_TTL", "ttl"],
  ),
  ["data with a line break at its end", { rdata: "192.0.2.9\r\n" }, "INVALID_RDATA", "rdata"],
  ["text with a line break at its end", { rtype: "TXT", rdata: "one\n" }, "INVALID_RDATA", "rdata"],
  ...["IXFR", "TKEY", "MAILB", "nsec3", ""].map((rtype): [string, Form, Code, string] => [
    `the type ${JSON.stringify(rtype)}`,
    { rtype },
    "UNSUPPORTED_TYPE",
    "rtype",
  ]),
  ["an address for a name", { rtype: "MX", rdata: "10 192.0.2.5" }, "AMBIGUOUS_NAME", "rdata"],
])("an added record is refused: %s", async (_, fields, error, field) => {
  await expectRefused("POST", "/record/add", { form: { ...record, ...fields } }, error, field);
});

const mail = { zone, owner: "mail", rtype: "A", rdata: "192.0.2.1", ttl: 3600 };
const apex = { zone, owner: "@", rtype: "SOA", ttl: 3600 };
const ofOther = { ...mail, zone: other, owner: "@" };
const ns = { rtype: "NS", rdata: "ns2.zonesmith.example." };

test.each<[string, string, Form, Code, string]>([
  ["an unknown id", "1", mail, "NOT_FOUND", "id"],
  ["a zone that is not the record's", "{mail}", { ...mail, zone: other }, "INVALID_VALUE", "zone"],
  ["a record that becomes equal to another", "{odd}", mail, "DUPLICATE_RECORD", "rdata"],
  ["a record that becomes an SOA", "{mail}", { ...apex, rdata: soa(4000000000) }, "PROTECTED_RECORD", "rtype"],
  ["an SOA that becomes another type", "{soa}", { ...mail, owner: "@" }, "PROTECTED_RECORD", "rtype"],
  ["an SOA that leaves the apex", "{soa}", { ...apex, owner: "sub", rdata: "later" }, "RECORD_CONFLICT", "owner"],
  ["the last NS that becomes another type", "{lastNs}", ofOther, "PROTECTED_RECORD", "owner"],
  ["the last NS that leaves the apex", "{lastNs}", { ...ofOther, ...ns, owner: "sub" }, "PROTECTED_RECORD", "owner"],
  ["the TTL that only another RRset has", "{mail}", { ...mail, ttl: 77 }, "INVALID_TTL", "ttl"],
])("an edit is refused: %s", async (_, id, form, error, field) => {
  const rdata = form.rdata === "later" ? soa(serial + 10) : form.rdata;
  await expectRefused("PUT", `/record/edit/${id}`, { form: { ...form, rdata: rdata as string } }, error, field);
});

test("an SOA is edited only with a greater serial, in serial arithmetic (RFC 1982), unless force is yes", async () => {
  const edit = (value: number, more: Form = {}) => ({ form: { ...apex, rdata: soa(value), ...more } });
  const half = (serial + 2 ** 31) % 2 ** 32;
  for (const value of [serial, serial - 1, 0, half, half + 1])
    await expectRefused("PUT", "/record/edit/{soa}", edit(value), "SERIAL_NOT_INCREASED", "rdata");
  const greater = serial + 2 ** 31 - 1;
  for (const more of [{}, { force: "no" }] as Form[])
    await expectRefused("PUT", "/record/edit/{soa}", edit(greater, more), "SERIAL_LEAP", "rdata");
  await expectRefused("PUT", "/record/edit/{soa}", edit(greater, { force: "1" }), "INVALID_VALUE", "force");
  for (const [value, force] of [
    [greater, "yes"],
    [7, "yes"],
    [27, "no"],
  ] as const) {
    const { status, headers, body } = await service.rest("PUT", filled("/record/edit/{soa}"), edit(value, { force }));
    expect([status, headers.get("x-zone-serial"), body.rdata]).toEqual([200, String(value), soa(value)]);
  }
});

test.each<[string, string, Code, string]>([
  ["the SOA", "/record/delete/{soa}", "PROTECTED_RECORD", "id"],
  ["the last NS of the apex", "/record/delete/{lastNs}", "PROTECTED_RECORD", "id"],
  ["an unknown record", "/record/delete/1", "NOT_FOUND", "id"],
  ["an unknown user", "/user/delete/1", "NOT_FOUND", "id"],
])("a deletion is refused: %s", async (_, path, error, field) => {
  await expectRefused("DELETE", path, {}, error, field);
});

test.each<[string, string, Form, Code, string]>([
  ["POST", "/user/add", { email: "OWNER@example.com" }, "DUPLICATE_EMAIL", "email"],
  ["PUT", "/user/edit/{idle}", { email: "Owner@Example.com" }, "DUPLICATE_EMAIL", "email"],
  ["PUT", "/user/edit/1", { email: "new@example.com" }, "NOT_FOUND", "id"],
  ...[" ", "a@example.com\n", "a b@example.com", "a@example.com\nb"].map(
    (email): [string, string, Form, Code, string] => ["POST", "/user/add", { email }, "INVALID_VALUE", "email"],
  ),
  ["POST", "/domain/add", { user_id: "{user}", zone: "EXAMPLE.com." }, "DUPLICATE_ZONE", "zone"],
  ["POST", "/domain/add", { user_id: "1", zone: "new.example.com" }, "NOT_FOUND", "user_id"],
  ...["", ".", "com", `${"a".repeat(64)}.example`, "a b.example"].map((name): [string, string, Form, Code, string] => [
    "POST",
    "/domain/add",
    { user_id: "{user}", zone: name },
    "INVALID_NAME",
    "zone",
  ]),
  ["DELETE", "/domain/delete/", { zone: "unknown.example.com" }, "NOT_FOUND", "zone"],
  ["DELETE", "/domain/delete/", { zone: "a..b" }, "INVALID_NAME", "zone"],
])("%s %s refuses %j: %s", async (method, path, fields, error, field) => {
  const form = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, filled(String(value))]));
  await expectRefused(method, path, { form }, error, field);
});

test("every reason of a refusal names the field as the path does", async () => {
  const form = { ...record, rtype: "NOPE", owner: "a..b" };
  expect((await service.rest("POST", "/record/add", { form })).body.message).toMatch(/^owner: .* rtype: /);
});

test.each<[string, string, RestOptions, string]>([
  ["DELETE", `/domain/delete?zone=${zone}&dry_run=yes`, {}, "dry_run"],
  ["PUT", "/record/edit/{mail}?forse=yes", { form: { ...mail, rdata: "192.0.2.99" } }, "forse"],
  [
    "POST",
    `/domain/zonefile/${zone}?mode=replace&dryrun=yes`,
    { body: "www 300 A 192.0.2.9\n", headers: { "Content-Type": "text/dns" } },
    "dryrun",
  ],
  ["GET", `/record/list?zon=${zone}`, {}, "zon"],
  ["GET", `/record/list?zone=${zone}&typ=A&limit=3`, {}, "typ"],
  ["GET", "/record/list/{mail}?zone=x", {}, "zone"],
  ["GET", "/user/list?mail=owner@example.com", {}, "mail"],
  ["GET", "/user/list?email=owner@example.com&limit=3", {}, "limit"],
  ["GET", "/domain/list?user={user}", {}, "user"],
  ["GET", `/domain/list/zone?name=${zone}&zone=${other}`, {}, "zone"],
  ["GET", "/domain/list/user/{user}?limit=3", {}, "limit"],
  ["GET", `/domain/history/${zone}?ownr=mail`, {}, "ownr"],
  ["GET", "/domain/history/gone.example.com?ownr=mail", {}, "ownr"],
  ["GET", `/domain/zonefile/${zone}?tim=2026-11-24`, {}, "tim"],
  ["GET", `/domain/diff/${zone}?from={serial}&until=1`, {}, "until"],
])("%s %s refuses a parameter that it does not know, and changes nothing", async (method, path, options, field) => {
  await expectRefused(method, path, options, "INVALID_VALUE", field);
});

test("the refusal of an unknown parameter has those that the path knows, and these are taken", async () => {
  const { body } = await service.rest("GET", `/record/list?zon=${zone}`);
  const known = "limit, cursor, zone, owner, type, user_id";
  expect(body.message).toBe(`zon is not a parameter of this path; write ${known}, or leave it out.`);
  const { status } = await service.rest("GET", `/record/list?zone=${zone}&type=A&owner=&user_id=${ids.user}&limit=3`);
  expect(status).toBe(200);
});

const ofGraphql = ({ body }: Answer) => {
  const { message, extensions = {} } = body.errors?.[0] ?? {};
  const { code, field } = extensions;
  return { code, status: codes[code as Code]?.status, field, message };
};
const ofRest = ({ status, body }: Answer) => ({ code: body.error, status, field: body.field, message: body.message });
const text = "www 300 A 192.0.2.1\n";

test.each<[string, (zone: string, userId: string, key: string) => Promise<unknown>]>([
  [
    "createDomain",
    async (zone, userId, key) =>
      ofGraphql(await service.graphql(mutation("createDomain", "domain { zone }"), { input: { zone, userId } }, key)),
  ],
  [
    "importZone",
    async (zone, userId, key) => {
      const input = { zone, text, mode: "MERGE", userId };
      return ofGraphql(await service.graphql(mutation("importZone", "addedCount"), { input }, key));
    },
  ],
  [
    "POST /domain/add",
    async (zone, user_id, key) => ofRest(await service.rest("POST", "/domain/add", { key, form: { user_id, zone } })),
  ],
  [
    "POST /domain/zonefile",
    async (zone, userId, key) => {
      const path = `/domain/zonefile/${encodeURIComponent(zone)}?user_id=${userId}`;
      return ofRest(await service.rest("POST", path, { key, headers: { "Content-Type": "text/dns" }, body: text }));
    },
  ],
])("names that nobody or no user may take are refused alike: %s", async (_way, create) => {
  const userKey = await service.key({ name: "idle", userId: ids.idle as string });
  const before = await service.state();
  for (const [name, code, key] of [
    ["a@b.example", "INVALID_NAME", adminKey],
    ["sub.catalog.zonesmith", "ZONE_CONFLICT", adminKey],
    ["co.uk", "FORBIDDEN", userKey],
    [`sub.${zone}`, "ZONE_CONFLICT", userKey],
    ["example.net", "ZONE_CONFLICT", userKey],
  ] as const)
    expect(await create(name, ids.idle as string, key)).toEqual({
      code,
      status: codes[code].status,
      field: "zone",
      message: expect.stringMatching(/^zone: .+\.$/),
    });
  expect(await service.state()).toEqual(before);
});
