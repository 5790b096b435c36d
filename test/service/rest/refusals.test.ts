import { beforeAll, expect, test } from "@jest/globals";
import type { Code } from "../../../src/error-codes.ts";
import { expectRefusal } from "../../setup/service/refusal.ts";
import { type RestOptions, testService } from "../../setup/service/service.ts";

const service = testService();
const zone = "example.com";
const soa = (serial: number) =>
  `ns1.zonesmith.example. hostmaster.zonesmith.example. ${serial} 10800 3600 1209600 3600`;
/** Ids by the names that the paths below call them. */
const ids: Record<string, string> = {};
let serial: number;

beforeAll(async () => {
  ids.user = await service.user("owner@example.com");
  ids.idle = await service.user("idle@example.com");
  ids.domain = await service.domain(zone, ids.user);
  await service.domain("other.example.net", ids.user);
  ids.mail = await service.record(zone, "mail", "A", "192.0.2.1");
  ids.six = await service.record(zone, "mail", "AAAA", "2001:db8::1");
  ids.mx = await service.record(zone, "@", "MX", "10 mail.example.com.");
  ids.txt = await service.record(zone, "txt", "TXT", "one two");
  ids.odd = await service.record(zone, "odd", "A", "192.0.2.5", 77);
  ids.dname = await service.record(zone, "tree", "DNAME", "tree.example.net.");
  ids.lone = await service.record("other.example.net", "lone", "A", "192.0.2.7");
  const { records } = (await service.rest("GET", `/domain/list/zone/${zone}`)).body;
  for (const { id, type, owner } of records) ids[`${owner}.${type}`] = String(id);
  const other = (await service.rest("GET", "/record/list?zone=other.example.net&type=NS")).body;
  await service.rest("DELETE", `/record/delete/${other[0].id}`);
  ids.lastNs = String(other[1].id);
  serial = Number((await service.snapshot(zone))[0].serial);
});

const filled = (path: string) => path.replace(/\{([^}]+)\}/g, (_, name: string) => ids[name] as string);

async function expectRefused(
  method: string,
  path: string,
  options: RestOptions,
  error: Code,
  field?: string,
): Promise<void> {
  const before = await service.state();
  expectRefusal(await service.rest(method, filled(path), options), error, field);
  expect(await service.state()).toEqual(before);
}

type Form = Record<string, string | number>;
const record = { zone, owner: "new", rtype: "A", rdata: "192.0.2.9", ttl: 3600 };
const without = (form: Form, name: string) => Object.fromEntries(Object.entries(form).filter(([key]) => key !== name));

test.each([
  ...Object.keys(record).map((name) => ["POST", "/record/add", without(record, name), name] as const),
  ...Object.keys(record).map((name) => ["PUT", "/record/edit/{mail}", without(record, name), name] as const),
  ["POST", "/user/add", {}, "email"],
  ["PUT", "/user/edit/{user}", {}, "email"],
  ["POST", "/domain/add", { zone: "new.example.com" }, "user_id"],
  ["POST", "/domain/add", { user_id: "{user}" }, "zone"],
  ["DELETE", "/domain/delete/", {}, "zone"],
] as [string, string, Form, string][])(
  "%s %s refuses a body of %j: %s is missing",
  async (method, path, form, field) => {
    await expectRefused(method, path, { form }, "MISSING_FIELD", field);
  },
);

test.each([
  ["a zone that is not there", { zone: "unknown.example.com" }, "NOT_FOUND", "zone"],
  ["no zone name", { zone: "a..b" }, "INVALID_NAME", "zone"],
  ["an owner that is no name", { owner: "a..b" }, "INVALID_NAME", "owner"],
  ["a label of 64 octets", { owner: "a".repeat(64) }, "INVALID_NAME", "owner"],
  ["a name of more than 255 octets", { owner: Array(4).fill("a".repeat(62)).join(".") }, "INVALID_NAME", "owner"],
  ["an owner outside the zone", { owner: "www.example.net." }, "OUT_OF_ZONE", "owner"],
  ["an owner that ends in the zone's name without a dot", { owner: "www.example.com" }, "AMBIGUOUS_NAME", "owner"],
  [
    "data that ends in the zone's name without a dot",
    { rtype: "CNAME", rdata: "mail.example.com" },
    "AMBIGUOUS_NAME",
    "rdata",
  ],
  ["a TTL that is no number", { ttl: "1h" }, "INVALID_TTL", "ttl"],
  ["an empty TTL", { ttl: "" }, "INVALID_TTL", "ttl"],
  ...[" 3600", "3600 ", "03600", "+3600", "3600\n", "3600.0", "36e2", "0x384"].map(
    (ttl): [string, Form, Code, string] => [`the TTL ${JSON.stringify(ttl)}`, { ttl }, "INVALID_TTL", "ttl"],
  ),
  ...["192.0.2.9\n", "192.0.2.9\r\n", "\n192.0.2.9"].map((rdata): [string, Form, Code, string] => [
    `data with a line break, ${JSON.stringify(rdata)}`,
    { rdata },
    "INVALID_RDATA",
    "rdata",
  ]),
  ["text with a line break at its end", { rtype: "TXT", rdata: "one\n" }, "INVALID_RDATA", "rdata"],
  ["a negative TTL", { ttl: -300 }, "INVALID_TTL", "ttl"],
  ["a TTL that is not a preserved one", { ttl: 77 }, "INVALID_TTL", "ttl"],
  ["a TTL above 2147483647", { ttl: "4294967296" }, "INVALID_TTL", "ttl"],
  ["a type that nobody knows", { rtype: "BOGUS" }, "UNSUPPORTED_TYPE", "rtype"],
  ...["ANY", "AXFR", "IXFR", "OPT", "TSIG", "TKEY", "MAILB", "RRSIG", "NSEC", "nsec3", "TYPE255", ""].map((rtype) => [
    `the type ${rtype || "of no letters"}`,
    { rtype },
    "UNSUPPORTED_TYPE",
    "rtype",
  ]),
  ["an address that is none", { rdata: "192.0.2.256" }, "INVALID_RDATA", "rdata"],
  ["an address with more behind it", { rdata: "192.0.2.9 192.0.2.10" }, "INVALID_RDATA", "rdata"],
  ["a comment behind data", { rdata: "192.0.2.9 ; new" }, "INVALID_RDATA", "rdata"],
  ["empty data", { rdata: "" }, "INVALID_RDATA", "rdata"],
  ["a name that may mean two", { rtype: "CNAME", rdata: "other.net" }, "AMBIGUOUS_NAME", "rdata"],
  ["an address for a name", { rtype: "MX", rdata: "10 192.0.2.5" }, "AMBIGUOUS_NAME", "rdata"],
  ["a bare quote in literal text", { rtype: "TXT", rdata: 'say "hello"' }, "INVALID_RDATA", "rdata"],
  ["a semicolon behind quoted text", { rtype: "TXT", rdata: '"one" ; two' }, "INVALID_RDATA", "rdata"],
  ["data in RFC 3597 form of the wrong length", { rtype: "TYPE65534", rdata: "\\# 4 0a00" }, "INVALID_RDATA", "rdata"],
  ["a record equal to one that is there", { owner: "mail", rdata: "192.0.2.1" }, "DUPLICATE_RECORD", "rdata"],
  ["an equal record with another TTL", { owner: "mail", rdata: "192.0.2.1", ttl: 300 }, "DUPLICATE_RECORD", "rdata"],
  [
    "an equal record at its absolute owner",
    { owner: "MAIL.Example.com.", rdata: "192.0.2.1" },
    "DUPLICATE_RECORD",
    "rdata",
  ],
  [
    "an equal address in upper case",
    { owner: "mail", rtype: "AAAA", rdata: "2001:DB8::1" },
    "DUPLICATE_RECORD",
    "rdata",
  ],
  [
    "an equal address in its long form",
    { owner: "mail", rtype: "aaaa", rdata: "2001:0db8:0:0:0:0:0:1" },
    "DUPLICATE_RECORD",
    "rdata",
  ],
  [
    "an equal MX with zeros before its preference",
    { owner: "@", rtype: "MX", rdata: "010 MAIL.example.com." },
    "DUPLICATE_RECORD",
    "rdata",
  ],
  ["an equal MX with a relative name", { owner: "", rtype: "MX", rdata: "10  mail" }, "DUPLICATE_RECORD", "rdata"],
  ["an equal text in quotes", { owner: "txt", rtype: "TXT", rdata: '"one two"' }, "DUPLICATE_RECORD", "rdata"],
  ["a CNAME beside other data", { owner: "mail", rtype: "CNAME", rdata: "a.example.net." }, "RECORD_CONFLICT", "owner"],
  ["other data beside a CNAME", { owner: "www" }, "RECORD_CONFLICT", "owner"],
  ["a second CNAME", { owner: "www", rtype: "CNAME", rdata: "a.example.net." }, "RECORD_CONFLICT", "owner"],
  ["a CNAME at the apex", { owner: "@", rtype: "CNAME", rdata: "a.example.net." }, "RECORD_CONFLICT", "owner"],
  [
    "a CNAME at the apex by its absolute name",
    { owner: "example.com.", rtype: "CNAME", rdata: "a.example.net." },
    "RECORD_CONFLICT",
    "owner",
  ],
  ["a second DNAME", { owner: "tree", rtype: "DNAME", rdata: "b.example.net." }, "RECORD_CONFLICT", "owner"],
  ["data below a DNAME", { owner: "leaf.tree" }, "RECORD_CONFLICT", "owner"],
  ["a DS at the apex", { owner: "@", rtype: "DS", rdata: `1 8 2 ${"ab".repeat(32)}` }, "RECORD_CONFLICT", "owner"],
  ["a wildcard NS", { owner: "*", rtype: "NS", rdata: "ns.example.net." }, "RECORD_CONFLICT", "owner"],
  ["an SOA below the apex", { rtype: "SOA", rdata: soa(1) }, "RECORD_CONFLICT", "owner"],
  ["a second SOA", { owner: "@", rtype: "SOA", rdata: soa(4000000000) }, "RECORD_CONFLICT", "owner"],
] as [string, Form, Code, string][])("an added record is refused: %s", async (_, fields, error, field) => {
  await expectRefused("POST", "/record/add", { form: { ...record, ...fields } }, error, field);
});

const mail = { zone, owner: "mail", rtype: "A", rdata: "192.0.2.1", ttl: 3600 };
const apex = { zone, owner: "@", rtype: "SOA", ttl: 3600 };

test.each([
  ["an unknown id", "1", mail, "NOT_FOUND", "id"],
  ["an id that is none", "abc", mail, "INVALID_VALUE", "id"],
  ["a zone that is not the record's", "{mail}", { ...mail, zone: "other.example.net" }, "INVALID_VALUE", "zone"],
  ["a record that becomes equal to another", "{odd}", mail, "DUPLICATE_RECORD", "rdata"],
  ["a record that becomes an SOA", "{mail}", { ...apex, rdata: soa(4000000000) }, "PROTECTED_RECORD", "rtype"],
  ["an SOA that becomes another type", "{@.SOA}", { ...mail, owner: "@" }, "PROTECTED_RECORD", "rtype"],
  ["an SOA that leaves the apex", "{@.SOA}", { ...apex, owner: "sub", rdata: "later" }, "RECORD_CONFLICT", "owner"],
  [
    "the last NS that becomes another type",
    "{lastNs}",
    { ...mail, zone: "other.example.net", owner: "@" },
    "PROTECTED_RECORD",
    "owner",
  ],
  [
    "the last NS that leaves the apex",
    "{lastNs}",
    { ...mail, zone: "other.example.net", owner: "sub", rtype: "NS", rdata: "ns2.zonesmith.example." },
    "PROTECTED_RECORD",
    "owner",
  ],
  [
    "data that becomes a CNAME beside other data",
    "{mail}",
    { ...mail, rtype: "CNAME", rdata: "a.example.net." },
    "RECORD_CONFLICT",
    "owner",
  ],
  ["the TTL that only another RRset has", "{mail}", { ...mail, ttl: 77 }, "INVALID_TTL", "ttl"],
] as [string, string, Form, Code, string][])("an edit is refused: %s", async (_, id, form, error, field) => {
  const rdata = form.rdata === "later" ? soa(serial + 10) : form.rdata;
  await expectRefused("PUT", `/record/edit/${id}`, { form: { ...form, rdata: rdata as string } }, error, field);
});

test("an SOA is edited only with a greater serial, in serial arithmetic (RFC 1982)", async () => {
  const edit = (value: number) => ({ form: { ...apex, rdata: soa(value) } });
  const half = (serial + 2 ** 31) % 2 ** 32;
  for (const value of [serial, serial - 1, 0, half, half + 1])
    await expectRefused("PUT", "/record/edit/{@.SOA}", edit(value), "SERIAL_NOT_INCREASED", "rdata");
  const greater = serial + 2 ** 31 - 1;
  await expectRefused("PUT", "/record/edit/{@.SOA}", edit(greater), "SERIAL_LEAP", "rdata");
  const withForce = (force: string) => ({ form: { ...edit(greater).form, force } });
  await expectRefused("PUT", "/record/edit/{@.SOA}", withForce("no"), "SERIAL_LEAP", "rdata");
  await expectRefused("PUT", "/record/edit/{@.SOA}", withForce("1"), "INVALID_VALUE", "force");
  for (const value of [greater, 7, serial + 20]) {
    const form = { ...edit(value).form, force: "yes" };
    const { status, headers, body } = await service.rest("PUT", filled("/record/edit/{@.SOA}"), { form });
    expect({ status, serial: headers.get("x-zone-serial"), rdata: body.rdata }).toEqual({
      status: 200,
      serial: String(value),
      rdata: soa(value),
    });
  }
});

test.each([
  ["the SOA", "/record/delete/{@.SOA}", "PROTECTED_RECORD", "id"],
  ["the last NS of the apex", "/record/delete/{lastNs}", "PROTECTED_RECORD", "id"],
  ["an unknown record", "/record/delete/1", "NOT_FOUND", "id"],
  ["a user who owns domains", "/user/delete/{user}", "USER_HAS_DOMAINS", "id"],
  ["a user with a word that is not delete", "/user/delete/{user}?domains=DELETE", "INVALID_VALUE", "domains"],
  ["an unknown user", "/user/delete/1", "NOT_FOUND", "id"],
] as [string, string, Code, string][])("a deletion is refused: %s", async (_, path, error, field) => {
  await expectRefused("DELETE", path, {}, error, field);
});

test.each([
  ["POST", "/user/add", { email: "OWNER@example.com" }, "DUPLICATE_EMAIL", "email"],
  ["PUT", "/user/edit/{idle}", { email: "Owner@Example.com" }, "DUPLICATE_EMAIL", "email"],
  ["PUT", "/user/edit/1", { email: "new@example.com" }, "NOT_FOUND", "id"],
  ...[
    "",
    " ",
    "nobody",
    "a@example.com\n",
    "a@b",
    "a b@example.com",
    "a@example.com\nb",
    `${"a".repeat(250)}@example.com`,
  ].map((email) => ["POST", "/user/add", { email }, "INVALID_VALUE", "email"]),
  ["POST", "/domain/add", { user_id: "{user}", zone: "EXAMPLE.com." }, "DUPLICATE_ZONE", "zone"],
  ["POST", "/domain/add", { user_id: "1", zone: "new.example.com" }, "NOT_FOUND", "user_id"],
  ["POST", "/domain/add", { user_id: "abc", zone: "new.example.com" }, "INVALID_VALUE", "user_id"],
  ...["", ".", "com", "a..example", `${"a".repeat(64)}.example`, "a b.example"].map((name) => [
    "POST",
    "/domain/add",
    { user_id: "{user}", zone: name },
    "INVALID_NAME",
    "zone",
  ]),
  ["DELETE", "/domain/delete/", { zone: "unknown.example.com" }, "NOT_FOUND", "zone"],
  ["DELETE", "/domain/delete/", { zone: "a..b" }, "INVALID_NAME", "zone"],
] as [string, string, Form, Code, string][])("%s %s refuses %j: %s", async (method, path, fields, error, field) => {
  const form = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, filled(String(value))]));
  await expectRefused(method, path, { form }, error, field);
});

test("a user's key is refused a zone above or below another user's, and what only the administrator may do", async () => {
  const key = await service.key({ name: "idle", userId: ids.idle as string });
  const form = (name: string) => ({ key, form: { user_id: ids.idle as string, zone: name } });
  await expectRefused("POST", "/domain/add", form(`sub.${zone}`), "ZONE_CONFLICT", "zone");
  await expectRefused("POST", "/domain/add", form("example.net"), "ZONE_CONFLICT", "zone");
  await expectRefused("POST", "/user/add", { key, form: { email: "x@example.com" } }, "FORBIDDEN");
  await expectRefused("DELETE", "/record/delete/{mail}", { key }, "NOT_FOUND", "id");
  const administrators = await service.rest(
    "POST",
    "/domain/add",
    form(`sub.${zone}`).form && { form: { user_id: ids.idle as string, zone: `sub.${zone}` } },
  );
  expect(administrators.status).toBe(201);
});

test("every reason of a refusal names the field as the path does", async () => {
  const form = { ...record, rtype: "NOPE", rdata: "x", owner: "a..b" };
  const { body } = await service.rest("POST", "/record/add", { form });
  expect(body.message).toMatch(/^owner: .* rtype: /);
});

test.each([
  ["DELETE", `/domain/delete?zone=${zone}&dry_run=yes`, "dry_run"],
  ["PUT", "/record/edit/{mail}?forse=yes", "forse"],
  ["POST", `/domain/zonefile/${zone}?mode=replace&dryrun=yes`, "dryrun"],
])("%s %s refuses a parameter that it does not know, and changes nothing", async (method, path, field) => {
  const before = await service.snapshot(zone);
  const options: RestOptions = path.includes("zonefile")
    ? { body: "www 300 A 192.0.2.9\n", headers: { "Content-Type": "text/dns" } }
    : method === "PUT"
      ? { form: { ...record, owner: "mail", rtype: "A", rdata: "192.0.2.99" } }
      : {};
  await expectRefused(method, path, options, "INVALID_VALUE", field);
  expect(await service.snapshot(zone)).toEqual(before);
});

test("a list says which parameters it does not know", async () => {
  const { status, headers } = await service.rest("GET", `/record/list?zone=${zone}&typ=A`);
  expect([status, headers.get("x-warning")]).toEqual([200, expect.stringContaining("does not read (typ)")]);
  expect((await service.rest("GET", `/record/list?zone=${zone}&type=A&limit=3`)).headers.get("x-warning")).toBeNull();
});
