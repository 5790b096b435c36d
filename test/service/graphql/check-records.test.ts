/**
 * checkRecords: what a form shows while one types. The rules are in test/service/zone/edit/check-records.test.ts.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { type Json, testService } from "../../setup/service/service.ts";

const service = testService();
const zone = "example.com";
beforeAll(async () => {
  await service.domain(zone, await service.user("owner@example.com"));
});

const document = `query ($zone: String!, $records: [RecordInput!]!) {
  checkRecords(zone: $zone, records: $records) { ok owner type ttl rdata wire refusals { code field message } } }`;

test("a good record is shown as it would be stored, a bad one as a refusal in its row", async () => {
  const records = [
    { owner: "WWW", type: "a", rdata: "192.0.2.1", ttl: 300 },
    { owner: "a..b", type: "A", rdata: "192.0.2.1" },
  ];
  const { checkRecords } = await service.data(document, { zone, records });
  expect(checkRecords).toEqual([
    { ok: true, owner: "www", type: "A", ttl: 300, rdata: "192.0.2.1", wire: "c0000201", refusals: [] },
    {
      ...{ ok: false, owner: null, type: null, ttl: null, rdata: null, wire: null },
      refusals: [{ code: "INVALID_NAME", field: "owner", message: expect.stringMatching(/^\S.{5,}\.$/s) }],
    },
  ]);
});

test("too many records, and a zone that is not there, are errors of the call", async () => {
  const records = Array.from({ length: 1001 }, (_, at): Json => ({ owner: `h${at}`, type: "A", rdata: "192.0.2.1" }));
  const { body } = await service.graphql(document, { zone, records });
  expect(body.errors[0].extensions).toMatchObject({ code: "INVALID_VALUE", field: "records" });
  expect(await service.refusal(document, { zone: "example.net", records: [] })).toBe("NOT_FOUND");
  expect(await service.refusal(document, { zone: "a..b", records: [] })).toBe("INVALID_NAME");
});

test("any record that is good shows its data as fields and what is probably wrong with it, one that is refused neither", async () => {
  const fields = `query ($zone: String!, $records: [RecordInput!]!) {
    checkRecords(zone: $zone, records: $records) { fields { name values } warnings notices { code field type } } }`;
  const records = [
    { owner: "@", type: "MX", rdata: "10 mail" },
    { owner: "a", data: { txt: { strings: ["one", 'two"'] } } },
    { owner: "a", type: "TXT", rdata: "v=spf1" },
    { owner: "a", type: "TYPE65280", rdata: "\\# 1 00" },
    { owner: "a", type: "A", rdata: "x" },
  ];
  const { checkRecords } = await service.data(fields, { zone, records });
  const field = (name: string, ...values: string[]) => ({ name, values });
  expect(checkRecords.map((check: Json) => check.fields)).toEqual([
    [field("preference", "10"), field("exchange", "mail.example.com.")],
    [field("strings", "one", 'two\\"')],
    [field("strings", "v=spf1")],
    [],
    null,
  ]);
  const [, , { warnings, notices }] = checkRecords;
  expect(notices).toEqual([{ code: "DAMAGED_TEXT", field: "rdata", type: "TXT" }]);
  expect(warnings).toEqual([expect.stringMatching(/^rdata is "v=spf1" alone/)]);
  expect(checkRecords.map((check: Json) => check.notices.length)).toEqual([0, 0, 1, 0, 0]);
});
