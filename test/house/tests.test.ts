/**
 * The habits of the tests themselves: they wait for conditions and not for time, say nothing of how long something took, and their
 * files stay short.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "@jest/globals";

const top = resolve(import.meta.dirname, "../..");
const filesOf = (folder: string) =>
  readdirSync(join(top, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.includes("node_modules/"))
    .map((file) => `${folder}/${file}`);
const read = (file: string) => readFileSync(join(top, file), "utf8");

/** Helpers may wait and look at the clock, so that tests need not; fill.ts makes a database once, by hand. */
const mayUseClock = (file: string) => file.startsWith("test/setup/") || file === "test/upgrade/fill.ts";

/** The lines of a test that wait for time to pass, or look at the clock: to compare, to print, or to say what day it is. */
function clockLines(text: string): string[] {
  const sleeps = /\btimers\/promises\b|\bsetTimeout\s*\(|\bAtomics\.wait\b|\bBun\.sleep\b/;
  const clocks =
    /\b(performance|Date)\.now\b|\bnew Date\(\)|\bDate\(\)|\bhrtime\b|\bmonitorEventLoopDelay\b|\bperf_hooks\b/;
  const code = text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, " "));
  return code
    .split("\n")
    .map((line) => line.replace(/^\s*\/\/.*$/, ""))
    .filter((line) => sleeps.test(line) || clocks.test(line))
    .map((line) => line.trim());
}

const tooLong = (text: string) => text.split("\n").length > 330;

test("no test sleeps or looks at the clock: it waits by eventually(), and what takes time is measured in bench", () => {
  const files = filesOf("test").filter((file) => !mayUseClock(file) && file !== "test/house/tests.test.ts");
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((file) => clockLines(read(file)).map((line) => `${file}: ${line}`))).toEqual([]);
});

test("a test that sleeps, measures or reads the calendar is seen", () => {
  const seen = [
    'import { setTimeout as sleep } from "node:timers/promises";',
    "await new Promise((resolve) => setTimeout(resolve, 500));",
    "const start = performance.now();",
    "expect(Date.now() - start).toBeLessThan(900);",
    "const today = new Date().toISOString().slice(0, 10);",
    "const lag = monitorEventLoopDelay({ resolution: 5 });",
  ];
  expect(clockLines(seen.join("\n"))).toEqual(seen);
  expect(
    clockLines('// performance.now()\n/* setTimeout(f) */\nconst day = new Date("2026-11-22T00:00:00Z");'),
  ).toEqual([]);
});

/** The time limits of single tests and hooks, ms, that are below the one of package.json, which a busy machine has come near. */
const shortLimits = (text: string) =>
  [...text.matchAll(/^\s*\}, ([\d_]+_000)\);$/gm)]
    .map(([, limit = ""]) => Number(limit.replaceAll("_", "")))
    .filter((limit) => limit < JSON.parse(read("package.json")).jest.testTimeout);

test("no test or hook has a time limit below that of all tests", () => {
  const files = filesOf("test").filter((file) => shortLimits(read(file)).length > 0);
  expect(files).toEqual([]);
});

test("a time limit that is too short is seen", () => {
  expect(shortLimits("beforeAll(async () => {\n}, 60_000);\ntest(name, () => {\n}, 600_000);\n")).toEqual([60_000]);
});

test("no file of the tests or the bench is longer than about 300 lines", () => {
  expect([...filesOf("test"), ...filesOf("bench")].filter((file) => tooLong(read(file)))).toEqual([]);
});

test("a file that is too long is seen", () => {
  expect([tooLong("\n".repeat(329)), tooLong("\n".repeat(330))]).toEqual([false, true]);
});

test("programs of other packages are started in test/interop, test/deploy, test/examples and test/console alone", () => {
  const needs = /from "[./]*\/setup\/(programs|server-process|follower|following|name-servers)\.ts"/;
  const files = filesOf("test").filter(
    (file) => !/^test\/(interop|deploy|examples|console|setup)\//.test(file) && needs.test(read(file)),
  );
  expect(files).toEqual([]);
});
