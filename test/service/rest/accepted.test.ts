import { beforeAll, expect, test } from "@jest/globals";
import { testService } from "../../setup/service/service.ts";

const service = testService();
const zone = "example.com";
const record = { zone, owner: "new", rtype: "A", rdata: "192.0.2.9", ttl: 3600 };
let six: string;

beforeAll(async () => {
  await service.domain(zone, await service.user("owner@example.com"));
  six = await service.record(zone, "mail", "AAAA", "2001:db8::1");
  await service.record(zone, "odd", "A", "192.0.2.5", 77);
});

test("an edit that changes nothing is 200 and moves nothing, in whatever spelling", async () => {
  const before = await service.state();
  const same = { ...record, owner: "MAIL.example.com.", rtype: "aaaa", rdata: "2001:DB8:0::1", ttl: "3600" };
  const { status, headers, body } = await service.rest("PUT", `/record/edit/${six}`, { form: same });
  expect(status).toBe(200);
  expect(body).toMatchObject({ owner: "mail", type: "AAAA", rdata: "2001:db8::1", ttl: "3600" });
  expect([headers.get("x-change-id"), headers.get("x-zone-serial")]).toEqual([null, null]);
  expect(await service.state()).toEqual(before);
});

test("a TTL is a preserved one, as a number or digits, or the one that the RRset has", async () => {
  const add = async (fields: Record<string, unknown>) =>
    (await service.rest("POST", "/record/add", { json: { ...record, ...fields } })).status;
  const choices = [300, 900, 1800, 3600, 7200, 14400, 28800, 43200, 86400];
  for (const ttl of choices) expect([ttl, await add({ owner: `t${ttl}`, ttl })]).toEqual([ttl, 201]);
  for (const ttl of choices) expect([ttl, await add({ owner: `s${ttl}`, ttl: String(ttl) })]).toEqual([ttl, 201]);
  expect(await add({ owner: "odd", rdata: "192.0.2.6", ttl: "77" })).toBe(201);
  const refused = await service.rest("POST", "/record/add", { json: { ...record, ttl: 78 } });
  for (const choice of choices) expect(refused.body.message).toContain(String(choice));
});

test.each([
  ["plain text with blanks and semicolons", "v=DKIM1; k=rsa; p=MIGf", '"v=DKIM1; k=rsa; p=MIGf"'],
  ["a policy", "v=spf1 a mx ~all", '"v=spf1 a mx ~all"'],
  ["quoted strings", '"one" "two"', '"one" "two"'],
  ["escapes", String.raw`a\"b\;c\\d\065`, String.raw`"a\"b;c\\dA"`],
  ["more than 255 octets, split", "a".repeat(256), `"${"a".repeat(255)}" "a"`],
  ["RFC 3597 form", "\\# 3 026869", '"hi"'],
  ["empty quotes", '""', '""'],
])("a TXT record takes %s", async (_, rdata, expected) => {
  const owner = "texts";
  const { status, body } = await service.rest("POST", "/record/add", {
    form: { ...record, owner, rtype: "TXT", rdata },
  });
  expect({ status, rdata: body.rdata }).toEqual({ status: 201, rdata: expected });
});

test.each([
  ["an MX that points at a CNAME of the zone", { owner: "w2", rtype: "MX", rdata: "10 www" }, "CNAME"],
  ["an NS of the zone without an address", { owner: "w3", rtype: "NS", rdata: "ns" }, "address"],
  ["data below a delegation", { owner: "x.w3", rtype: "TXT", rdata: "hidden" }, "delegation"],
])("warns in X-Warning of %s", async (_, fields, warning) => {
  const { status, headers } = await service.rest("POST", "/record/add", { form: { ...record, ...fields } });
  expect(status).toBe(201);
  expect(headers.get("x-warning")).toContain(warning);
});

test("does not warn of a record that looks right", async () => {
  const { status, headers } = await service.rest("POST", "/record/add", { form: { ...record, owner: "right" } });
  expect([status, headers.get("x-warning")]).toEqual([201, null]);
});
