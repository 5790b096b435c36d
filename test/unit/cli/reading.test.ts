/** How the commands read what is typed, and find the service. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { readInput } from "../../../src/cli/changes/edit.ts";
import { readRecord } from "../../../src/cli/command-rows/change-set-rows.ts";
import { announcedIn, readEndpoint } from "../../../src/cli/service/installation.ts";
import { colouredLine, wantsColour } from "../../../src/cli/terminal/difference.ts";
import { readMoment } from "../../../src/cli/terminal/moment.ts";
import { queryAnswerText } from "../../../src/cli/terminal/print.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";

test.each<[string, Record<string, string>, string]>([
  ["ZONESMITH_URL", { ZONESMITH_URL: "http://dns.example.com/x/", HTTP_PORT: "1" }, "http://dns.example.com/x"],
  ["HTTP_PORT", { HTTP_PORT: "4001" }, "http://127.0.0.1:4001"],
  ["LISTEN", { LISTEN: "::1" }, "http://[::1]:4000"],
  ["a wildcard", { LISTEN: "0.0.0.0", HTTP_PORT: "4001" }, "http://127.0.0.1:4001"],
  ["service.json", { HTTP_PORT: "0", DATA_DIR: "there" }, "http://127.0.0.1:4999"],
  ["nothing", { DATA_DIR: "elsewhere" }, "http://127.0.0.1:4000"],
])("the service is found by %s", (_by, environment, url) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "service.json"), JSON.stringify({ url: "http://127.0.0.1:4999", pid: 1 }));
  const folders: Record<string, string> = { there: folder, elsewhere: join(folder, "none") };
  const { DATA_DIR } = environment;
  const given = { ...environment, ...(DATA_DIR && { DATA_DIR: folders[DATA_DIR] }), ZONESMITH_API_KEY: "k" };
  expect(readEndpoint(given).url).toBe(url);
  expect(readdirSync(folder)).toEqual(["service.json"]);
});

test.each(["", "zs_a b", "Its key:\nzs_a"])("a key that is none is refused by the name of its variable: %j", (key) => {
  expect(() => readEndpoint({ ZONESMITH_API_KEY: key })).toThrow(
    /^ZONESMITH_API_KEY is not (set|an API key); set it to/,
  );
});

/** A process id above every limit of Linux. */
const endedPid = 2 ** 30;

test.each<[string, number, number, string]>([
  ["that runs", endedPid, process.ppid, "checkout"],
  ["that is no file of an earlier process with the id of this one", process.pid, process.ppid, "checkout"],
  ["of this folder, when both run", process.ppid, process.ppid, "here"],
  ["of this folder, when none runs", endedPid, endedPid, "here"],
])("of two installations the one is meant %s", (_one, here, inCheckout, expected) => {
  const folders = { here: temporaryFolder(), checkout: temporaryFolder() };
  writeFileSync(join(folders.here, "service.json"), JSON.stringify({ url: "http://here", pid: here }));
  writeFileSync(join(folders.checkout, "service.json"), JSON.stringify({ url: "http://checkout", pid: inCheckout }));
  expect(announcedIn([folders.here, folders.checkout])?.service.url).toBe(`http://${expected}`);
});

test.each([
  ["2026112104", { serial: 2026112104 }],
  ["1000000000000123", { changeId: "1000000000000123" }],
  ["2h", { time: "2030-01-01T10:00:00.000Z" }],
  ["90s", { time: "2030-01-01T11:58:30.000Z" }],
  ["2030-01-01", { time: "2030-01-01" }],
  ["yesterday", { time: "2029-12-31T12:00:00.000Z" }],
  ["2030-01-01T10:00:00+02:00", { time: "2030-01-01T10:00:00+02:00" }],
  ["2030-01-01 10:00Z", { time: "2030-01-01 10:00Z" }],
])("the moment %s is read", (text, expected) => {
  expect(readMoment(text, Date.parse("2030-01-01T12:00:00Z"))).toEqual(expected);
});

test.each([
  ["2030-01-01 10:00", /^"2030-01-01 10:00" has no time zone; write 2030-01-01 10:00Z for UTC, or/],
  ["09:51", /^"09:51" has no time zone; write \d{4}-\d\d-\d\dT09:51Z for UTC, or/],
  ...["", "-1", "2y", "tomorrow", "2030-02-30", "2030-02-30 10:00Z", "2030-02-30 10:00", "25:00"].map(
    (text): [string, RegExp] => [text, /is no moment; write/],
  ),
] as [string, RegExp][])("%j is no moment, and what to write is said", (text, sentence) => {
  expect(() => readMoment(text)).toThrow(sentence);
});

test("a record is read as it is written", () => {
  expect(readRecord("www 300 A 192.0.2.1")).toEqual({ owner: "www", ttl: 300, type: "A", rdata: "192.0.2.1" });
  expect(readRecord("@ MX 10 mail")).toEqual({ owner: "@", type: "MX", rdata: "10 mail" });
  expect(() => readRecord("www A")).toThrow("no record");
});

const read = (options: Parameters<typeof readInput>[0]) =>
  readInput(options, (message: string) => {
    throw new Error(message);
  });

test("options are read as the filter and the edit", () => {
  expect(read({ type: ["mx"], name: "a.test", to: "b.test" })).toMatchObject({
    filter: { types: ["MX"] },
    set: { replace: { name: { from: "a.test", to: "b.test" } } },
  });
  expect(read({ rdata: "10 mail", remove: true })).toMatchObject({
    filter: { rdata: { equals: "10 mail" } },
    set: { remove: true },
  });
  expect(read({ remove: true, all: true })).toMatchObject({ set: { remove: true } });
});

test.each<[Parameters<typeof readInput>[0], string]>([
  [{ to: "x" }, "--to goes with one of"],
  [{ name: "x" }, "nothing to change"],
  [{ name: "x", to: "y", ttl: "60" }, "not several"],
  [{ remove: true }, "nothing selects the records; write an option such as --zones or --type, or --all"],
  [{ ttl: "60" }, "nothing selects the records"],
  [{ ttl: "1h" }, "write seconds"],
  [{ name: "x", contains: "y", ttl: "60" }, "write one of"],
])("%j is no edit", (options, sentence) => {
  expect(() => read(options)).toThrow(sentence);
});

test("a difference is in colour on a terminal alone, and not with NO_COLOR", () => {
  expect([wantsColour({ isTTY: true }, { NO_COLOR: "" }), wantsColour({}, {})]).toEqual([true, false]);
  expect(wantsColour({ isTTY: true }, { NO_COLOR: "1" })).toBe(false);
  const line = "-@ 3600 IN MX 10 mail.example.org.";
  expect([colouredLine(line, false), colouredLine(line, true)]).toEqual([line, `\x1b[31m${line}\x1b[0m`]);
  expect(colouredLine("--- example.com 1", true)).toBe("\x1b[1m--- example.com 1\x1b[0m");
});

test.each([
  ["2026112202", "a.example", "serial 2026112202 (a.example)"],
  ["REFUSED", "a.example", "REFUSED (a.example)"],
  ["7", null, "serial 7"],
])("the answer %s for %s is shown as %s", (answer, zone, text) => {
  expect(queryAnswerText({ answer, zone })).toBe(text);
});
