/** Records checked while they are typed: each on its own, in its canonical form or with every reason of its refusal. */
import { beforeAll, expect, test } from "@jest/globals";
import type { RecordFields } from "../../../../src/zone/edit/canonical-record.ts";
import { checkRecords } from "../../../../src/zone/edit/check-records.ts";
import { fieldsOf, reasonsOf, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();
const zone = "example.com";
beforeAll(() => zones.create(zone));
const check = (records: readonly RecordFields[]) => checkRecords(zones.session(), zone, records);
const nulls = { owner: null, type: null, ttl: null, rdata: null };

test.each([
  ["WWW 300 a 192.0.2.1", "www 300 A 192.0.2.1"],
  [" AAAA 2001:DB8:0:0::1", "@ 3600 AAAA 2001:db8::1"],
  ["a.example.com. 0 MX 010 Mail", "a 0 MX 10 Mail.example.com."],
  ["t 2147483647 TXT v=spf1 -all", 't 2147483647 TXT "v=spf1 -all"'],
  ["u TYPE65280 \\# 2 beef", "u 3600 TYPE65280 \\# 2 beef"],
])("a good record, %j, is returned as it would be stored", async (given, stored) => {
  const row = { ok: true, ...fieldsOf(stored), refusals: [], notices: [] };
  expect(await check([fieldsOf(given)])).toMatchObject([row]);
});

const good = { owner: "a", type: "A", rdata: "192.0.2.1" };
test.each<[string, RecordFields, ...string[]]>([
  ["a bad type", { ...good, type: "NONSENSE" }, "UNSUPPORTED_TYPE type"],
  ["an empty type", { ...good, type: "" }, "UNSUPPORTED_TYPE type"],
  ["a type of 5000 letters", { ...good, type: "A".repeat(5000) }, "UNSUPPORTED_TYPE type"],
  ["a question's type", { ...good, type: "ANY" }, "UNSUPPORTED_TYPE type"],
  ["an empty label", { ...good, owner: "a..b" }, "INVALID_NAME owner"],
  ["a label of 64 letters", { ...good, owner: "a".repeat(64) }, "INVALID_NAME owner"],
  ["a name of 5000 letters", { ...good, owner: "a.".repeat(2500) }, "INVALID_NAME owner"],
  ["a NUL", { ...good, owner: "a\0", rdata: "\0" }, "INVALID_NAME owner", "INVALID_RDATA rdata"],
  ["an owner outside", { ...good, owner: "a.example.net." }, "OUT_OF_ZONE owner"],
  ["an ambiguous owner", { ...good, owner: "a.example.com" }, "AMBIGUOUS_NAME owner"],
  ["a negative TTL", { ...good, ttl: -1 }, "INVALID_TTL ttl"],
  ["data of another form", { ...good, rdata: "192.0.2.256" }, "INVALID_RDATA rdata"],
  ["data of 70000 octets", { ...good, type: "TXT", rdata: "x".repeat(70_000) }, "INVALID_RDATA rdata"],
  [
    "everything at once",
    { owner: "a..b", type: "A", ttl: -1, rdata: "x" },
    ...["INVALID_NAME owner", "INVALID_TTL ttl", "INVALID_RDATA rdata"],
  ],
])("a bad record is a refusal in its row: %s", async (_case, given, ...expected) => {
  const [row] = await check([given]);
  expect(row).toMatchObject({ ok: false, ...nulls });
  expect(row?.refusals.map(({ code, field }) => `${code} ${field}`)).toEqual(expected);
  for (const { message } of row?.refusals ?? []) expect(message).toMatch(/^\S.{5,}\.$/s);
});

test("a reason names the field of the data that it is about", async () => {
  const [row] = await check([{ owner: "@", type: "MX", rdata: "ten mail" }]);
  expect(row?.refusals).toMatchObject([{ field: "rdata", part: "preference" }]);
});

test("each record is checked on its own and in order, not against the zone or the other records; nothing is stored", async () => {
  const before = await zones.state(zone);
  const cname = { owner: "www", type: "CNAME", rdata: "example.com." };
  const a = { owner: "www", type: "A", rdata: "192.0.2.1" };
  const rows = await check([cname, a, a, { ...a, ttl: 60 }, { owner: "", type: "?", rdata: "" }, cname]);
  expect(rows.map(({ type }) => type)).toEqual(["CNAME", "A", "A", "A", null, "CNAME"]);
  expect(rows.map(({ ok }) => ok)).toEqual(rows.map(({ type }) => type !== null));
  expect(await zones.state(zone)).toEqual(before);
});

test("a call may ask about 1000 records and not about 1001", async () => {
  const many = Array.from({ length: 1001 }, (_, at) => ({ owner: `h${at}`, type: "A", rdata: "192.0.2.1" }));
  const rows = await check(many.slice(1));
  expect(rows.map(({ owner }) => owner)).toEqual(many.slice(1).map(({ owner }) => owner));
  expect(await reasonsOf(check(many))).toEqual(["INVALID_VALUE records"]);
  expect(await check([])).toEqual([]);
});

test.each([
  ["that is not there", "example.net", "NOT_FOUND"],
  ["whose name is none", "a..b", "INVALID_NAME"],
])("a zone %s is a refusal of the call", async (_which, name, code) => {
  expect(await reasonsOf(checkRecords(zones.session(), name, []))).toEqual([`${code} zone`]);
});
