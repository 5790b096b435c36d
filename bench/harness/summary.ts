/**
 * The summary of a bench as Markdown, and its place in README.md.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ListResult } from "./lists.ts";
import type { Result } from "./rounds.ts";

/** Both tables. */
export function summary(results: readonly Result[], lists: readonly ListResult[]): string {
  return [
    row("", "connections", "service : floor", "answers/s", "median, ms", "CPU, ms", "CPU of PostgreSQL, ms"),
    row("---", ...Array<string>(6).fill("---:")),
    ...results.map(({ name, connections, floor, service, ratio }) =>
      row(
        name,
        String(connections),
        `**${ratio.toFixed(2)}**`,
        pair(service.rate, floor.rate, 0),
        pair(service.median, floor.median, 2),
        pair(service.cpu, floor.cpu, 2),
        pair(service.postgres, floor.postgres, 2),
      ),
    ),
    "",
    row("list of all records, REST", "records", "first byte, ms", "total, ms", "CPU, ms", "peak memory, MB"),
    row("---", ...Array<string>(5).fill("---:")),
    ...lists.map(({ name, records, floor, service }) =>
      row(
        name,
        String(records),
        pair(service.firstByte, floor.firstByte, 0),
        pair(service.total, floor.total, 0),
        pair(service.cpu, floor.cpu, 0),
        pair(service.peak, floor.peak, 0),
      ),
    ),
    "",
  ].join("\n");
}

export const row = (...cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const pair = (service: number, floor: number, digits: number) =>
  `${service.toFixed(digits)} : ${floor.toFixed(digits)}`;

/** Puts the text between the markers of this name in README.md; the bench is run from the compiled output, at the top of the project. */
export function writeReadme(text: string, name = "figures"): void {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const path = join(process.cwd(), "bench/README.md");
  const readme = readFileSync(path, "utf8");
  const [before, rest = ""] = readme.split(begin);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error(`${path} has lost its markers ${begin} and ${end}.`);
  writeFileSync(path, `${before}${begin}\n${text}${end}${after}`);
}
