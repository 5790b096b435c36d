/**
 * What `doctor` prints: a line for each finding, below it what to do, and at the end how many there are of each level.
 */
import { type Finding, type Level, levels } from "../doctor/finding.ts";
import { exitCodes } from "./service/failure.ts";

const colours: Readonly<Record<Level, string>> = { OK: "32", NOTE: "36", WARNING: "33", FAILURE: "1;31" };

/** How findings are shown. */
export interface Shown {
  readonly json: boolean;
  readonly isColoured: boolean;
}

/** Prints findings as they come, and returns the exit code that they mean. */
export async function printFindings(findings: AsyncIterable<Finding>, { json, isColoured }: Shown): Promise<number> {
  const all: Finding[] = [];
  for await (const each of findings) {
    all.push(each);
    if (!json) console.log(textOf(each, isColoured));
  }
  const counts = Object.fromEntries(
    Object.keys(levels).map((level) => [level, all.filter((each) => each.level === level).length]),
  ) as Record<Level, number>;
  if (json) console.log(JSON.stringify({ findings: all, counts }, null, 2));
  else console.log(`\n${summaryOf(counts)}`);
  if (counts.FAILURE > 0) return exitCodes.failed;
  return counts.WARNING > 0 ? exitCodes.warnings : exitCodes.done;
}

const levelWidth = Math.max(...Object.keys(levels).map(({ length }) => length));

function textOf({ check, level, finding, fix }: Finding, isColoured: boolean): string {
  const padded = level.padEnd(levelWidth);
  const shown = isColoured ? `\x1b[${colours[level]}m${padded}\x1b[0m` : padded;
  const line = `${shown}  ${check}: ${finding}`;
  return fix === undefined ? line : `${line}\n${" ".repeat(levelWidth)}  To do: ${fix}`;
}

function summaryOf({ OK, NOTE, WARNING, FAILURE }: Record<Level, number>): string {
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  return `${OK} OK, ${count(NOTE, "note")}, ${count(WARNING, "warning")}, ${count(FAILURE, "failure")}.`;
}
