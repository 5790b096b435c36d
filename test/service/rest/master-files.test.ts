import { beforeAll, expect, test } from "@jest/globals";
import { testService } from "../../setup/service/service.ts";

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
  expect([created.status, created.body]).toEqual([
    200,
    {
      change_id: expect.any(Number),
      serial: 7,
      added: 2,
      removed: 0,
      added_records: [
        { owner: "@", rdata: "ns1.example.net.", type: "NS", ttl: "3600" },
        { owner: "a", rdata: "192.0.2.1", type: "A", ttl: "300" },
      ],
      removed_records: [],
      warnings: [],
    },
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
  expect([status, body.error, body.reasons.map(({ line }: { line: number }) => line)]).toEqual([
    422,
    "INVALID_RDATA",
    [2, 3],
  ]);
  expect(await service.snapshot("refused.example.com")).toEqual(before);
});

test.each([
  ["an unknown zone", "unknown.example.com", soa, headers, 404, "NOT_FOUND"],
  ["an unknown mode", "made.example.com?mode=append", soa, headers, 422, "INVALID_VALUE"],
  ["another media type", "made.example.com", soa, { "Content-Type": "text/plain" }, 415, "UNSUPPORTED_MEDIA_TYPE"],
  ["a file above the limit", "made.example.com", `; ${"x".repeat(2_000_000)}\n`, headers, 413, "TOO_LARGE"],
  ["a user who is not an id", "new.example.com?user_id=me", soa, headers, 422, "INVALID_VALUE"],
])("%s is refused", async (_what, path, body, sent, status, error) => {
  const answer = await service.rest("POST", `/domain/zonefile/${path}`, { headers: sent, body });
  expect([answer.status, answer.body?.error]).toEqual([status, error]);
});

test("an import expects the serial at which its dry run was made", async () => {
  await service.domain("previewed.example.com", userId);
  const preview = await post("previewed.example.com?dry_run=yes", "a 300 A 192.0.2.1\n");
  const serial = preview.headers.get("x-zone-serial");
  expect([preview.status, preview.headers.get("x-change-id"), serial]).toEqual([
    200,
    null,
    String(await service.serial("previewed.example.com")),
  ]);
  await service.record("previewed.example.com", "b", "A", "192.0.2.2");
  const path = `previewed.example.com?expected_serial=${serial}`;
  const before = await service.snapshot("previewed.example.com");
  const { status, body } = await post(path, "a 300 A 192.0.2.1\n");
  expect([status, body.error, body.field]).toEqual([409, "STALE_SERIAL", "expected_serial"]);
  expect(await service.snapshot("previewed.example.com")).toEqual(before);
  const present = await service.serial("previewed.example.com");
  const imported = await post(`previewed.example.com?expected_serial=${present}`, "a 300 A 192.0.2.1\n");
  expect([imported.status, imported.headers.get("x-zone-serial")]).toEqual([200, String(present + 1)]);
});

test.each([
  ["a serial that is not one", "previewed.example.com?expected_serial=4294967296", 422, "INVALID_VALUE"],
  ["a serial of a zone that would be created", "absent.example.com?expected_serial=1", 404, "NOT_FOUND"],
])("%s is refused", async (_, path, status, error) => {
  const answer = await post(`${path}&user_id=${userId}`, "a 300 A 192.0.2.1\n");
  expect([answer.status, answer.body.error]).toEqual([status, error]);
});

test("a user's key reads and writes its own zones, and a read-only one only reads", async () => {
  const other = await service.user("other@example.com");
  await service.domain("mine.example.org", other);
  const [own, readOnly] = [
    await service.key({ name: "own", userId: other }),
    await service.key({ name: "ro", userId: other, readOnly: true }),
  ];
  const status = async (method: string, zone: string, key: string | null) =>
    (
      await service.rest(method, `/domain/zonefile/${zone}`, {
        key,
        ...(method === "POST" && { headers, body: "a 300 A 192.0.2.1\n" }),
      })
    ).status;
  expect([
    await status("GET", "mine.example.org", own),
    await status("POST", "mine.example.org", own),
    await status("GET", "mine.example.org", readOnly),
    await status("POST", "mine.example.org", readOnly),
    await status("GET", "made.example.com", own),
    await status("POST", "made.example.com", own),
    await status("GET", "mine.example.org", null),
    await status("POST", "mine.example.org", "wrong"),
  ]).toEqual([200, 200, 200, 403, 404, 404, 401, 401]);
});
