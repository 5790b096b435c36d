import { beforeAll, expect, test } from "@jest/globals";
import { type Json, testService } from "../../setup/service/service.ts";

const service = testService();
beforeAll(async () => void (await service.domain("example.com", await service.user("owner@example.com"))));

const headers = { "Content-Type": "text/dns", Accept: "application/x-ndjson" };

/** Imports a text; returns the progress that was reported, and the last line. */
async function report(body: string, path = "/domain/zonefile/example.com"): Promise<{ steps: Json[]; last: Json }> {
  const answer = await service.rest("POST", path, { headers, body });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
  const lines = answer.text
    .trimEnd()
    .split("\n")
    .map((line): Json => JSON.parse(line));
  return { steps: lines.slice(0, -1).map(({ progress }) => progress), last: lines.at(-1) };
}

test("an import reports what it has read and checked, then its result", async () => {
  const hosts = Array.from({ length: 1200 }, (_, at) => `h${at} 300 A 192.0.2.1\n`).join("");
  const { steps, last } = await report(hosts);
  expect(steps).toEqual([
    { step: "reading", done: 1000 },
    { step: "reading", done: 1200 },
    { step: "checking", done: 500, of: 1200 },
    { step: "checking", done: 1000, of: 1200 },
    { step: "checking", done: 1200, of: 1200 },
    { step: "storing" },
  ]);
  expect(last).toMatchObject({ status: 200, body: { added: 1200, removed: 0, serial: expect.any(Number) } });
});

test.each([
  ["a wrong line", "a 300 A x\n", undefined, 422, { error: "INVALID_RDATA", reasons: [{ line: 1 }] }],
  ["a rule of the zone", "www 300 A 192.0.2.1\n", undefined, 409, { error: "RECORD_CONFLICT" }],
  [
    "an unknown zone",
    "a 300 A 192.0.2.1\n",
    "/domain/zonefile/unknown.example",
    404,
    { error: "NOT_FOUND", field: "zone" },
  ],
] as [string, string, string | undefined, number, object][])(
  "%s is refused in the last line, with the status it would have",
  async (_what, body, path, status, refusal) => {
    expect((await report(body, path)).last).toMatchObject({
      status,
      body: { code: status, status: "error", ...refusal },
    });
  },
);

test("without asking for it there is the result alone", async () => {
  const { status, body } = await service.rest("POST", "/domain/zonefile/example.com?dry_run=yes", {
    headers: { "Content-Type": "text/dns" },
    body: "b 300 A 192.0.2.1\n",
  });
  expect([status, body.added]).toEqual([200, 1]);
});
