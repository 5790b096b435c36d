/** The habits of the tests themselves: they wait for conditions and not for time, and say nothing of how long something took. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "@jest/globals";
import jestConfig from "../../jest.config.ts";

const top = resolve(import.meta.dirname, "../..");
const filesOf = (folder: string) =>
  readdirSync(join(top, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.includes("node_modules/"))
    .map((file) => `${folder}/${file}`);
const read = (file: string) => readFileSync(join(top, file), "utf8");

/** Helpers may wait and look at the clock, so that tests need not. */
const mayUseClock = (file: string) => file.startsWith("test/setup/");

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

test("no test sleeps or looks at the clock: it waits by eventually(), and what takes time is measured in bench", () => {
  const files = filesOf("test").filter((file) => !mayUseClock(file) && file !== "test/house/tests.test.ts");
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((file) => clockLines(read(file)).map((line) => `${file}: ${line}`))).toEqual([]);
});

test("a test that sleeps, measures or reads the calendar is seen", () => {
  const seen = [
    'import { setTimeout as sleep } from "node:timers/promises";',
    "await new Promise((resolve) => setTimeout(resolve, 500));",
    "expect(Date.now() - start).toBeLessThan(900);",
    "const today = new Date().toISOString().slice(0, 10);",
  ];
  const unseen = ["// performance.now()", "/* setTimeout(f) */", 'const day = new Date("2026-11-22T00:00:00Z");'];
  expect(clockLines([...seen, ...unseen].join("\n"))).toEqual(seen);
});

/** The time limits of single tests and hooks, ms, that are below the one of jest.config.ts, which a busy machine has come near. */
const shortLimits = (text: string) =>
  [...text.matchAll(/^\s*\}, ([\d_]+_000)\);$/gm)]
    .map(([, limit = ""]) => Number(limit.replaceAll("_", "")))
    .filter((limit) => limit < jestConfig.testTimeout);

test("no test or hook has a time limit below that of all tests; one that is too short is seen", () => {
  expect(filesOf("test").filter((file) => shortLimits(read(file)).length > 0)).toEqual([]);
  expect(shortLimits("beforeAll(async () => {\n}, 60_000);\ntest(name, () => {\n}, 600_000);\n")).toEqual([60_000]);
});

/** The rooms of test/setup that the files of a suite may import, and those that another room of test/setup may import. */
const suites = {
  house: ["basics", "database"],
  unit: ["basics", "dns"],
  service: ["basics", "dns", "database", "zones", "service"],
  browser: ["basics", "dns", "database", "zones", "service", "browser"],
  process: ["basics", "dns", "database", "zones", "service", "process"],
  package: ["basics", "dns", "database", "zones", "service", "process", "servers", "package"],
};
const rooms = {
  basics: [],
  dns: ["basics"],
  database: ["basics"],
  zones: ["basics", "dns", "database"],
  service: ["basics", "dns", "database", "zones"],
  browser: ["basics", "dns", "service"],
  process: ["basics", "dns", "database", "service"],
};
/** Where a file may start a process. */
const mayStart = /^test\/(process|package|interop|soak|setup\/(browser|process|servers|package|ledger|run))\//;

/** What a file of a suite, or a room of test/setup, uses that belongs to another one. */
function strange(file: string, text: string): string[] {
  const [, suite = "", room = ""] = /^test\/(?:setup\/)?(([\w-]+))/.exec(file) ?? [];
  const mayImport: readonly string[] | undefined = file.startsWith("test/setup/")
    ? rooms[room as keyof typeof rooms]
    : suites[suite as keyof typeof suites];
  const imported = [...text.matchAll(/from "(?:\.\.\/)+(?:setup\/)?([a-z]+)\/[\w-]+\.ts"/g)].map(
    ([, name = ""]) => name,
  );
  const isRoom = (name: string) => name in rooms || ["servers", "package", "ledger"].includes(name);
  const isProgram = /\/basics\/programs\.ts"/.test(text) && /^test\/(unit|service)\//.test(file);
  return [
    ...imported.filter((name) => isRoom(name) && name !== room && mayImport !== undefined && !mayImport.includes(name)),
    ...(/"(node:)?child_process"/.test(text) && !mayStart.test(file) ? ["child_process"] : []),
    ...(isProgram ? ["programs"] : []),
  ];
}

test("a test stands in the folder of its suite: one that starts a process, a program or a browser in none of `npm test`", () => {
  const files = filesOf("test").filter((file) => file !== "test/house/tests.test.ts");
  expect(files.flatMap((file) => strange(file, read(file)).map((what) => `${file}: ${what}`))).toEqual([]);
  const inSuite = /^test\/(house|unit|service|browser|process|package|interop|soak)\//;
  expect(files.filter((file) => file.endsWith(".test.ts") && !inSuite.test(file))).toEqual([]);
});

test("a test in the folder of another suite is seen", () => {
  const uses = (file: string, from: string) => strange(file, `import { x } from "${from}";`);
  expect([
    uses("test/service/a.test.ts", "../setup/process/process.ts"),
    uses("test/unit/dns/a.test.ts", "../../setup/database/database.ts"),
    uses("test/service/a.test.ts", "node:child_process"),
    uses("test/unit/a.test.ts", "../setup/basics/programs.ts"),
    uses("test/setup/dns/a.ts", "../service/service.ts"),
    uses("test/soak/a.test.ts", "../setup/servers/follower.ts"),
  ]).toEqual([["process"], ["database"], ["child_process"], ["programs"], ["service"], []]);
});
