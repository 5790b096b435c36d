/** Master files: the effect of an import on a zone, and the export of a zone: absolute names, complete lines, and the expected order. */
import { expect, test } from "@jest/globals";
import { doWork, Turns, Work } from "../../../../src/turns/queues.ts";
import { exportZone, zoneFileText } from "../../../../src/zone/master-file/export.ts";
import { type ImportProgress, importZone } from "../../../../src/zone/master-file/import.ts";
import type { ImportMode } from "../../../../src/zone/master-file/staging-sql.ts";
import { messagesOf } from "../../../setup/zones/messages.ts";
import { actorOf, reasonsOf, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();
let count = 0;

const soa =
  "@ 3600 SOA ns1.example.net. hostmaster.example.net. 7 10800 3600 1209600 3600\n@ 3600 NS ns1.example.net.\n";
const run = (
  zone: string,
  text: string,
  mode: ImportMode = "MERGE",
  more: { userId?: number; dryRun?: boolean } = {},
) => importZone(zones.session(), { zone, text: [text], mode, ...more });
const freshZone = async (text = "") => {
  const zone = `i${++count}.example.com`;
  await zones.create(zone);
  if (text) await run(zone, text);
  return zone;
};
test("a merge adds what is new in one change and leaves the rest, the SOA too", async () => {
  const zone = await freshZone();
  const result = await run(zone, `${soa}a 300 A 192.0.2.1\n\tAAAA 2001:db8::1\nwww 3600 CNAME @\n`);
  expect(result).toMatchObject({
    change: { previousSerial: 2026112101, serial: 2026112102, source: "import" },
    added: 2,
    removed: 0,
  });
  expect(await zones.lines(zone)).toEqual([
    "@ 3600 SOA ns1.example.net. hostmaster.example.net. 2026112102 10800 3600 1209600 3600",
    "@ 3600 NS ns1.example.net.",
    "@ 3600 NS ns2.example.net.",
    "a 300 A 192.0.2.1",
    "a 300 AAAA 2001:db8::1",
    `www 3600 CNAME ${zone}.`,
  ]);
});

test("a replacement makes the zone equal to the file; the serial of the file is kept when it is greater, otherwise the serial of the zone is incremented", async () => {
  const zone = await freshZone("old 300 A 192.0.2.9\n");
  const lower = await run(zone, `${soa}a 300 A 192.0.2.1\n`, "REPLACE");
  expect(lower).toMatchObject({ change: { previousSerial: 2026112102, serial: 2026112103 }, added: 1, removed: 3 });
  expect(await zones.lines(zone)).toEqual([
    "@ 3600 SOA ns1.example.net. hostmaster.example.net. 2026112103 10800 3600 1209600 3600",
    "@ 3600 NS ns1.example.net.",
    "a 300 A 192.0.2.1",
  ]);
  const greater = await run(zone, soa.replace(" 7 ", " 2030000000 "), "REPLACE");
  expect(greater).toMatchObject({ change: { serial: 2030000000 }, removed: 1, added: 0, notices: [] });
  const leap = await run(zone, soa.replace(" 7 ", " 3000000000 "), "REPLACE");
  expect(messagesOf(leap)).toEqual([
    "line 1: the serial leaps from 2030000000 to 3000000000; secondaries never go back.",
  ]);
});

test("the shown difference has the SOA first when more of it changes than its serial; it is not counted", async () => {
  const zone = await freshZone(soa);
  await run(zone, soa, "REPLACE");
  const changed = soa.replace("ns1.example.net. hostmaster", "ns9.example.net. admin").replace(" 10800 ", " 7200 ");
  for (const dryRun of [true, false]) {
    const result = await run(zone, `${changed}a 300 A 192.0.2.1\n`, "REPLACE", { dryRun });
    expect(result).toMatchObject({ added: 1, removed: 0 });
    const [before, after] = [result.removedRecords, result.addedRecords].map((records) =>
      records.map(({ owner, type, rdata }) => `${owner} ${type} ${rdata.replace(/ 20261121\d\d /, " serial ")}`),
    );
    expect(before).toEqual(["@ SOA ns1.example.net. hostmaster.example.net. serial 10800 3600 1209600 3600"]);
    expect(after).toEqual(["@ SOA ns9.example.net. admin.example.net. serial 7200 3600 1209600 3600", "a A 192.0.2.1"]);
    expect(result.addedRecords[0]?.recordId).toBe(result.removedRecords[0]?.recordId);
  }
});

test("the same file again changes nothing", async () => {
  const zone = await freshZone();
  await run(zone, `${soa}a 300 A 192.0.2.1\n`, "REPLACE");
  const before = await zones.state(zone);
  for (const mode of ["REPLACE", "MERGE"] as const) {
    expect(await run(zone, `${soa}A 300 IN a 192.0.2.1\n`, mode)).toMatchObject({ change: null, added: 0, removed: 0 });
  }
  expect(await zones.state(zone)).toEqual(before);
});

test("a dry run returns the difference and changes nothing", async () => {
  const zone = await freshZone("old 300 A 192.0.2.9\n");
  const before = await zones.state(zone);
  const result = await run(zone, `${soa}a 300 A 192.0.2.1\n`, "REPLACE", { dryRun: true });
  const addedRecords = [{ owner: "a", type: "A", rdata: "192.0.2.1" }];
  expect(result).toMatchObject({ change: null, added: 1, removed: 3, addedRecords });
  expect(result.removedRecords.map(({ owner, type }) => `${owner} ${type}`)).toEqual(["@ NS", "old A", "www CNAME"]);
  expect(await zones.state(zone)).toEqual(before);
});

test("a new TTL applies to all records of an RRset", async () => {
  const zone = await freshZone("a 300 A 192.0.2.1\na 300 A 192.0.2.2\n");
  expect(await run(zone, "a 600 A 192.0.2.3\n")).toMatchObject({ added: 3, removed: 2 });
  expect(await zones.lines(zone, /^a /)).toEqual(["a 600 A 192.0.2.1", "a 600 A 192.0.2.2", "a 600 A 192.0.2.3"]);
});

test("every problem is reported with its line, and nothing is applied", async () => {
  const zone = await freshZone();
  const before = await zones.state(zone);
  const text =
    "good 300 A 192.0.2.1\nbad 300 A 192.0.2.256\n$INCLUDE other\nb..c 300 A 192.0.2.1\nother.example.org. 300 A 192.0.2.1\nx 300 NIX 1\n";
  const error = await run(zone, text).catch((refusal) => refusal);
  expect(error.reasons.map(({ code, line }: { code: string; line: number }) => [line, code])).toEqual([
    [2, "INVALID_RDATA"],
    [3, "BAD_REQUEST"],
    [4, "INVALID_NAME"],
    [5, "OUT_OF_ZONE"],
    [6, "UNSUPPORTED_TYPE"],
  ]);
  expect(await zones.state(zone)).toEqual(before);
});

test("rules that the zone would break are reported with a line", async () => {
  const zone = await freshZone("c 300 CNAME d\n");
  const error = await run(zone, "a 300 A 192.0.2.1\n\nc 300 TXT x\n* 300 NS ns1\n").catch((refusal) => refusal);
  expect(error.reasons).toEqual([
    expect.objectContaining({ code: "RECORD_CONFLICT", line: 4 }),
    expect.objectContaining({ code: "RECORD_CONFLICT", line: 3 }),
  ]);
  expect(await zones.lines(zone, /^a /)).toEqual([]);
});

test.each([
  ["equal records", "a 300 A 192.0.2.1\na 300 A 192.0.2.1\n", /line 2: .* equal to an earlier record/],
  ["differing TTLs", "a 300 A 192.0.2.1\na 600 A 192.0.2.2\n", /line 2: the RRset's first TTL, 300/],
  ["a signer's records", "a 300 NSEC b A\n", /line 1: NSEC belongs to the signer/],
  ["a forgotten dot", "a 300 CNAME b.example.net\n", /line 1: b\.example\.net is relative/],
  ["a delegation without glue", "sub 300 NS ns.sub\n", /has no address/],
])("%s are corrected or accepted with a warning", async (_what, text, warning) => {
  const zone = await freshZone();
  expect(messagesOf(await run(zone, text))).toContainEqual(expect.stringMatching(warning));
});

test.each([
  ["no SOA", "a 300 A 192.0.2.1\n", "RECORD_CONFLICT"],
  ["two SOAs", `${soa}@ 3600 SOA ns2.example.net. hostmaster.example.net. 8 1 1 1 1\n`, "RECORD_CONFLICT"],
  ["no name server at the apex", soa.split("\n")[0] as string, "PROTECTED_RECORD"],
])("a replacement with %s is refused", async (_what, text, code) => {
  await expect(run(await freshZone(), text, "REPLACE")).rejects.toMatchObject({ code });
});

test("an unknown zone is NOT_FOUND, and is created when a user is given", async () => {
  await expect(run("new1.example.com", soa)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const replaced = await run("new1.example.com", `${soa}a 300 A 192.0.2.1\n`, "REPLACE", { userId: zones.userId });
  expect(replaced).toMatchObject({ change: { kind: "CREATE", previousSerial: null, serial: 7 }, added: 2 });
  const merged = await run("new2.example.com", "a 300 A 192.0.2.1\nwww 300 A 192.0.2.1\n", "MERGE", {
    userId: zones.userId,
  });
  expect(merged).toMatchObject({ change: { kind: "CREATE", serial: 2026112101 } });
  const owners = (await zones.lines("new2.example.com")).map((line) => line.replace(/(\S+) \d+ (\w+) .*/, "$1 $2"));
  expect(owners).toEqual(["@ SOA", "@ NS", "@ NS", "a A", "www A"]);
});

test("a zone that cannot be created is refused before its file is read", async () => {
  const unread = (async function* () {
    yield await Promise.reject(new Error("the file was read"));
  })();
  const request = { text: unread, mode: "MERGE" } as const;
  const create = (zone: string, userId: number) => importZone(zones.session(), { ...request, zone, userId });
  await expect(create("new4.example.com", zones.userId + 16)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(create("example", zones.userId)).rejects.toMatchObject({ code: "INVALID_NAME" });
});

test("a merge that creates a zone says that it leaves out the SOA of the file", async () => {
  const created = await run("new3.example.com", `${soa}a 300 A 192.0.2.1\n`, "MERGE", { userId: zones.userId });
  expect(messagesOf(created)).toContainEqual(
    expect.stringMatching(/^line 1: the zone is created with the service's SOA: /),
  );
});

test("a zone imported again under a deleted name starts above its last serial", async () => {
  await run("again.example.com", soa.replace(" 7 ", " 2030000000 "), "REPLACE", { userId: zones.userId });
  await zones.remove("again.example.com");
  expect(await run("again.example.com", soa, "REPLACE", { userId: zones.userId })).toMatchObject({
    change: { serial: 2030000001 },
  });
});

test("a file of many batches is imported and exported, record for record", async () => {
  const zone = await freshZone();
  const lines = function* () {
    yield soa;
    for (let at = 0; at < 5000; at += 1) yield `h${at} 300 A 192.0.2.${at % 256}\n`;
  };
  let read = 0;
  const onProgress = (progress: ImportProgress) => {
    if (progress.step === "reading") read = progress.done;
  };
  const request = { zone, text: lines(), mode: "REPLACE", onProgress } as const;
  const result = await importZone(zones.session(), request);
  expect([result.added, result.removed, read]).toEqual([5000, 2, 5001]);
  const text = await zones.exported(zone);
  expect(text.split("\n")).toHaveLength(5003);
  expect(await run(zone, text, "REPLACE")).toMatchObject({ change: null });
});

test("a file is read in pieces, each in the turn of its key", async () => {
  const zone = await freshZone();
  const turns = new Turns({ connections: 5, requestsOfFlow: 0 });
  const others = ["a", "a", "b", "b", "c", "c"].map((key) => new Work(turns, key));
  for (const work of others) await work.begin();
  const text = [Array.from({ length: 1500 }, (_, at) => `h${at} 300 A 192.0.2.1\n`).join("")];
  const staged: number[] = [];
  const onProgress = (progress: ImportProgress) => {
    if (progress.step === "reading") staged.push(progress.done);
  };
  const request = { zone, text, mode: "MERGE", onProgress } as const;
  const imported = doWork(new Work(turns, "importer"), () => importZone(zones.session(), request));
  for (let at = 0; at < 50; at += 1) await zones.sql("select 1");
  expect(staged).toEqual([]);
  for (const work of others) work.end();
  expect(await imported).toMatchObject({ added: 1500 });
  expect(staged).toEqual([1000, 1500]);
});

const textOf = async (zone: string) => zoneFileText(zones.session(), await zones.domain(zone));

test("the apex and its SOA come first, then the owners; names are absolute and data is in the form of its type", async () => {
  const records = ["b MX 10 mail", "a.b A 192.0.2.1", '@ TXT "x y"', "u TYPE65280 \\# 2 beef", "* A 192.0.2.2"];
  const zone = await zones.zone(...records);
  const lines = (await zones.exported(zone)).trim().split("\n");
  expect(lines.map((line) => line.replaceAll(/\s+/g, " "))).toEqual([
    `${zone}. 3600 IN SOA ns1.example.net. hostmaster.example.net. 2026112102 10800 3600 1209600 3600`,
    `${zone}. 3600 IN NS ns1.example.net.`,
    `${zone}. 3600 IN NS ns2.example.net.`,
    `${zone}. 3600 IN TXT "x y"`,
    `*.${zone}. 3600 IN A 192.0.2.2`,
    `a.b.${zone}. 3600 IN A 192.0.2.1`,
    `b.${zone}. 3600 IN MX 10 mail.${zone}.`,
    `u.${zone}. 3600 IN TYPE65280 \\# 2 beef`,
    `www.${zone}. 3600 IN CNAME ${zone}.`,
  ]);
  expect(await textOf(zone)).toBe(await zones.exported(zone));
});

test("an exported file can be imported without a difference", async () => {
  const zone = await zones.zone("b MX 10 mail", "a\\.b A 192.0.2.1", 't TXT "\\"quoted\\" \\;"');
  const [text, lines] = [await zones.exported(zone), await zones.lines(zone)];
  await zones.remove(zone);
  await importZone(zones.session(), { zone, text: [text], mode: "REPLACE", userId: zones.userId });
  const withoutSoa = (each: string) => !each.includes(" SOA ");
  expect((await zones.lines(zone)).filter(withoutSoa)).toEqual(lines.filter(withoutSoa));
});

test("an export shows one state of the zone, whatever is committed while it is read", async () => {
  const zone = await zones.zone();
  for (const part of ["a", "b", "c"])
    await zones.add(zone, ...Array.from({ length: 1000 }, (_, at) => `h${at}.${part} A 192.0.2.1`));
  const pieces: string[] = [];
  for await (const piece of await exportZone(zones.session(), zone)) {
    if (pieces.push(piece) === 1) await zones.add(zone, "zzz A 192.0.2.9");
  }
  expect(pieces.length).toBeGreaterThan(1);
  const text = pieces.join("");
  expect(text.trim().split("\n")).toHaveLength(3004);
  expect(text).not.toContain("zzz");
  expect(text).toContain(" 2026112104 ");
});

test("a zone of more than a thousand records is streamed, and is not returned as text", async () => {
  const zone = await zones.zone();
  await zones.add(zone, ...Array.from({ length: 996 }, (_, at) => `h${at} A 192.0.2.1`));
  expect((await textOf(zone))?.trim().split("\n")).toHaveLength(1000);
  await zones.add(zone, "more A 192.0.2.1");
  expect(await textOf(zone)).toBeUndefined();
  expect((await zones.exported(zone)).trim().split("\n")).toHaveLength(1001);
});

test("a zone that does not exist, or belongs to another user, is not found before the first piece is read", async () => {
  const zone = await zones.zone();
  expect(await reasonsOf(exportZone(zones.session(), "none.example.net"))).toEqual(["NOT_FOUND zone"]);
  const other = zones.session(actorOf(zones.userId + 1));
  expect(await reasonsOf(exportZone(other, zone))).toEqual(["NOT_FOUND zone"]);
});
