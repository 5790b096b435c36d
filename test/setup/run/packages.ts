/**
 * The packages of Debian that tests need, as `.ci/packages` lists them, each with the programs it has.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const lines = readFileSync(resolve(import.meta.dirname, "../../../.ci/packages"), "utf8")
  .trim()
  .split("\n");

/** The package that has a program; undefined for what no package has. */
export function packageOf(program: string): string | undefined {
  return lines.find((line) => line.split(/[: ]+/).slice(1).includes(program))?.split(":")[0];
}
