/**
 * Closes a run: what was not run for lack of what program, and how to get it; then one plain line, `N passed, N failed, N skipped`. Where
 * `TEST_SUMMARY` names a file, the numbers of each suite are added to it as a line of JSON.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { AggregatedResult } from "@jest/reporters";

/** Numbers of a suite. */
export interface Summary {
  readonly suite: string;
  passed: number;
  failed: number;
  skipped: number;
  readonly missing: string[];
}

export default class SummaryReporter {
  onRunComplete(_contexts: unknown, { testResults }: AggregatedResult): void {
    const lacks = whatLacks();
    const suites = new Map<string, Summary>();
    for (const file of testResults) {
      const suite = file.displayName?.name ?? "";
      const sum = suites.get(suite) ?? { suite, passed: 0, failed: 0, skipped: 0, missing: [] };
      suites.set(suite, sum);
      sum.passed += file.numPassingTests;
      sum.failed += file.testExecError ? Math.max(1, file.numFailingTests) : file.numFailingTests;
      sum.skipped += file.numPendingTests;
      for (const each of lacks.get(file.testFilePath) ?? []) if (!sum.missing.includes(each)) sum.missing.push(each);
    }
    const sums = [...suites.values()];
    if (process.env.TEST_SUMMARY)
      for (const sum of sums) appendFileSync(process.env.TEST_SUMMARY, `${JSON.stringify(sum)}\n`);
    // After the last lines of Jest itself.
    process.once("exit", () => void process.stdout.write(`\n${[...notRun(sums), total(sums)].join("\n")}\n`));
  }
}

/** What tests of a file miss, by its path. */
function whatLacks(): Map<string, string[]> {
  const file = join(process.env.TEST_RUN_FOLDER ?? "", "missing");
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  const lacks = new Map<string, string[]>();
  for (const line of lines) {
    const { testPath, missing } = JSON.parse(line) as { testPath: string; missing: string[] };
    lacks.set(testPath, [...(lacks.get(testPath) ?? []), ...missing]);
  }
  return lacks;
}

/** Lines that say what was not run, what is missing, and what to type. */
export function notRun(sums: readonly Summary[]): string[] {
  const lacking = sums.filter(({ missing }) => missing.length > 0);
  const wanted = [...new Set(lacking.flatMap(({ missing }) => missing.map(packageOf)))].filter(
    (each) => each !== undefined,
  );
  return [
    ...lacking.map(
      ({ suite, skipped, missing }) =>
        `Not run: ${skipped} ${skipped === 1 ? "test" : "tests"} of ${suite}, for lack of ${missing.toSorted().join(", ")}.`,
    ),
    ...(wanted.length > 0 ? [`To run them on Debian: apt-get install ${wanted.toSorted().join(" ")}`] : []),
  ];
}

/** The packages of Debian that tests need, each with the programs it has. */
const packages = readFileSync(resolve(import.meta.dirname, "../../../.ci/packages"), "utf8")
  .trim()
  .split("\n");

/** The package that has a program; undefined for what no package has. */
const packageOf = (program: string) =>
  packages.find((line) => line.split(/[: ]+/).slice(1).includes(program))?.split(":")[0];

const total = (sums: readonly Summary[]) =>
  (["passed", "failed", "skipped"] as const)
    .map((which) => `${sums.reduce((sum, each) => sum + each[which], 0)} ${which}`)
    .join(", ");
