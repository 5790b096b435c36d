/** All suites in turn, `npm test` first, and a table of them at the end: `npm run test:all`. What is written after `--` goes to each. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { notRun, type Summary } from "./summary.ts";

/** The minutes that `npm test` may take in CI: twice what it may take on two quiet cores. */
const budgetMinutes = 10;

const scripts = ["test", "test:process", "test:browser", "test:package", "test:interop", "test:soak"];

const folder = mkdtempSync(join(tmpdir(), "zonesmith-all-"));
const rows: (Summary & { script: string; minutes: number })[] = [];
let failed = false;
for (const script of scripts) {
  const file = join(folder, script.replace(":", "-"));
  const start = performance.now();
  const { status } = spawnSync("npm", ["run", script, "--", ...process.argv.slice(2)], {
    stdio: "inherit",
    env: { ...process.env, TEST_SUMMARY: file },
  });
  const minutes = (performance.now() - start) / 60_000;
  failed ||= status !== 0;
  const sums = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  rows.push(...sums.map((line) => ({ ...(JSON.parse(line) as Summary), script, minutes })));
  if (sums.length === 0) rows.push({ suite: script, script, minutes, passed: 0, failed: 1, skipped: 0, missing: [] });
}
rmSync(folder, { recursive: true });

const cell = (text: string | number, width: number) => `${text}`.padStart(width);
console.log(
  `\n${"suite".padEnd(10)}${["passed", "failed", "skipped", "minutes"].map((name) => cell(name, 9)).join("")}`,
);
rows.forEach(({ suite, script, passed, failed: wrong, skipped, minutes }, at) => {
  // A script's time stands beside the first of its suites.
  const time = rows[at - 1]?.script === script ? "" : minutes.toFixed(1);
  console.log(`${suite.padEnd(10)}${[passed, wrong, skipped, time].map((value) => cell(value, 9)).join("")}`);
});
for (const line of notRun(rows)) console.log(line);
const [{ minutes } = { minutes: 0 }] = rows;
if (process.env.CI && minutes > budgetMinutes) {
  console.log(`npm test took ${minutes.toFixed(1)} minutes, more than its budget of ${budgetMinutes}`);
  failed = true;
}
process.exitCode = failed ? 1 : 0;
