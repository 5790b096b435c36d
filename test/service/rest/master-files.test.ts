import { beforeAll, describe, expect, test } from "@jest/globals";
import { type Json, testService } from "../../setup/service/service.ts";

const service = testService({ IMPORT_MEGABYTES: "1" });
let userId: string;
beforeAll(async () => {
  userId = await service.user("owner@example.com");
});

const soa =
  "@ 3600 SOA ns1.example.net. hostmaster.example.net. 7 10800 3600 1209600 3600\n@ 3600 NS ns1.example.net.\n";
const headers = { "Content-Type": "text/dns" };
const post = (path: string, body: string) => service.rest("POST", `/domain/zonefile/${path}`, { headers, body });

test("a file creates a zone for a user, and comes out again as text/dns", async () => {
  const created = await post(`made.example.com?mode=replace&user_id=${userId}`, `${soa}a 300 A 192.0.2.1\n`);
  expect(created.status).toBe(200);
  const { added_records: records, ...counts } = created.body;
  const loss = { lost: 0, records: 0, large: false };
  const none = { removed: 0, removed_records: [], loss, warnings: [] };
  expect(counts).toEqual({ change_id: expect.any(Number), serial: 7, added: 2, ...none });
  expect(records).toEqual([
    { owner: "@", rdata: "ns1.example.net.", type: "NS", ttl: "3600" },
    { owner: "a", rdata: "192.0.2.1", type: "A", ttl: "300" },
  ]);
  const { status, headers, text } = await service.rest("GET", "/domain/zonefile/made.example.com");
  expect([status, headers.get("content-type")]).toEqual([200, "text/dns; charset=utf-8"]);
  expect(text.split("\n")).toEqual([
    "made.example.com.\t3600\tIN\tSOA\tns1.example.net. hostmaster.example.net. 7 10800 3600 1209600 3600",
    "made.example.com.\t3600\tIN\tNS\tns1.example.net.",
    "a.made.example.com.\t300\tIN\tA\t192.0.2.1",
    "",
  ]);
  const { domain } = await service.data('{ domain(by: { zone: "made.example.com" }) { zoneFile } }');
  expect(domain.zoneFile).toBe(text);
});

test("a refused file says every line, and nothing is applied", async () => {
  await service.domain("refused.example.com", userId);
  const before = await service.snapshot("refused.example.com");
  const { status, body } = await post("refused.example.com", "a 300 A 192.0.2.1\nb 300 A nonsense\nc 300 MX 1\n");
  expect([status, body.error]).toEqual([422, "INVALID_RDATA"]);
  expect(body.reasons.map(({ line }: Json) => line)).toEqual([2, 3]);
  expect(await service.snapshot("refused.example.com")).toEqual(before);
});

test.each([
  ["an unknown zone", "unknown.example.com", {}, 404, "NOT_FOUND"],
  ["an unknown mode", "made.example.com?mode=append", {}, 422, "INVALID_VALUE"],
  ["another media type", "made.example.com", { "Content-Type": "text/plain" }, 415, "UNSUPPORTED_MEDIA_TYPE"],
  ["a file above the limit", "made.example.com", {}, 413, "TOO_LARGE"],
  ["a user who is not an id", "new.example.com?user_id=me", {}, 422, "INVALID_VALUE"],
  ["a serial that is not one", "made.example.com?expected_serial=4294967296", {}, 422, "INVALID_VALUE"],
  ["a serial of a new zone", "new.example.com?expected_serial=1&user_id={user}", {}, 404, "NOT_FOUND"],
])("%s is refused", async (_what, path, type, status, error) => {
  const body = status === 413 ? `; ${"x".repeat(2_000_000)}\n` : soa;
  const sent = { headers: { ...headers, ...type }, body };
  const answer = await service.rest("POST", `/domain/zonefile/${path.replace("{user}", userId)}`, sent);
  expect([answer.status, answer.body?.error]).toEqual([status, error]);
});

test.each([
  ["a parameter that is not known", "?nope=1", {}, "INVALID_VALUE", "nope"],
  ["another media type", "", { "Content-Type": "text/plain" }, "UNSUPPORTED_MEDIA_TYPE", undefined],
  ["its size", "", {}, "TOO_LARGE", undefined],
])("a file of several times the limit is refused because of %s, and the refusal arrives", async (...row) => {
  const [_why, query, type, error, field] = row;
  const sent = { headers: { ...headers, ...type }, body: `; ${"x".repeat(12_000_000)}\n` };
  const { body } = await service.rest("POST", `/domain/zonefile/made.example.com${query}`, sent);
  expect([body.error, body.field]).toEqual([error, field]);
});

test("an import expects the serial at which its dry run was made", async () => {
  const zone = "previewed.example.com";
  await service.domain(zone, userId);
  const text = "a 300 A 192.0.2.1\n";
  const preview = await post(`${zone}?dry_run=yes`, text);
  const serial = await service.serial(zone);
  expect([preview.status, preview.body.added]).toEqual([200, 1]);
  expect([preview.headers.get("x-change-id"), preview.headers.get("x-zone-serial")]).toEqual([null, String(serial)]);
  await service.record(zone, "b", "A", "192.0.2.2");
  const before = await service.snapshot(zone);
  const { status, body } = await post(`${zone}?expected_serial=${serial}`, text);
  expect([status, body.error, body.field]).toEqual([409, "STALE_SERIAL", "expected_serial"]);
  expect(await service.snapshot(zone)).toEqual(before);
  const imported = await post(`${zone}?expected_serial=${serial + 1}`, text);
  expect([imported.status, imported.headers.get("x-zone-serial")]).toEqual([200, String(serial + 2)]);
});

describe("an import with Accept: application/x-ndjson", () => {
  /** Imports a text into a zone of its own; returns the progress that was reported, and the last line. */
  async function report(zone: string, body: string): Promise<{ steps: Json[]; last: Json }> {
    const accepting = { ...headers, Accept: "application/x-ndjson" };
    const answer = await service.rest("POST", `/domain/zonefile/${zone}`, { headers: accepting, body });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
    const lines: Json[] = answer.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    return { steps: lines.slice(0, -1).map(({ progress }) => progress), last: lines.at(-1) };
  }

  test("reports what it has read and checked, then its result", async () => {
    await service.domain("progress.example.com", userId);
    const hosts = Array.from({ length: 1200 }, (_, at) => `h${at} 300 A 192.0.2.1\n`).join("");
    const { steps, last } = await report("progress.example.com", hosts);
    expect(steps).toEqual([
      ...[1000, 1200].map((done) => ({ step: "reading", done })),
      ...[500, 1000, 1200].map((done) => ({ step: "checking", done, of: 1200 })),
      { step: "storing" },
    ]);
    expect(last).toMatchObject({ status: 200, body: { added: 1200, removed: 0, serial: expect.any(Number) } });
  });

  test.each([
    ["a wrong line", "made.example.com", "a 300 A x\n", 422, { error: "INVALID_RDATA", reasons: [{ line: 1 }] }],
    ["a rule of the zone", "made.example.com", "a 300 CNAME b\n", 409, { error: "RECORD_CONFLICT" }],
    ["an unknown zone", "unknown.example", "a 300 A 192.0.2.1\n", 404, { error: "NOT_FOUND", field: "zone" }],
  ])("refuses %s in the last line, with the status it would have", async (_what, zone, text, status, refusal) => {
    const body = { code: status, status: "error", ...refusal };
    expect((await report(zone, text)).last).toMatchObject({ status, body });
  });
});
