/**
 * The summary of a bench as Markdown, and its place in README.md.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type SideName, sides } from "./cases.ts";
import type { ListResult } from "./lists.ts";
import type { Figures, Result } from "./rounds.ts";

/** The names of those who are asked, in the tables. */
const titles: Readonly<Record<SideName, string>> = {
  floor: "floor",
  pipelined: "pipelined floor",
  service: "service",
  peer: "PostGraphile",
};

/** All tables. */
export function summary(results: readonly Result[], lists: readonly ListResult[]): string {
  const named = sides.filter((side) => results.some(({ figures }) => figures[side]));
  const others = named.filter((side) => side !== "service");
  const cells = (result: Result, text: (figures: Figures) => string) =>
    named.map((side) => (result.figures[side] ? text(result.figures[side]) : "–"));
  const numbers = (count: number) => row("---", ...Array<string>(count).fill("---:"));
  return [
    row("answers in a second, 16 connections unless it says 1", ...others.map((side) => `service : ${titles[side]}`)),
    numbers(others.length),
    ...results.map((result) =>
      row(
        rowName(result),
        ...others.map((side) =>
          side in result.ratios ? `**${(result.ratios as Record<string, number>)[side]?.toFixed(2)}**` : "–",
        ),
      ),
    ),
    "",
    row("16 connections: process + PostgreSQL, µs of CPU for an answer", ...named.map((side) => titles[side])),
    numbers(named.length),
    ...results
      .filter(({ connections }) => connections > 1)
      .map((result) =>
        row(
          result.name,
          ...cells(result, ({ cpu, postgres }) => `${(cpu * 1000).toFixed(0)} + ${(postgres * 1000).toFixed(0)}`),
        ),
      ),
    "",
    row("median time of an answer, ms, 1 connection", ...named.map((side) => titles[side])),
    numbers(named.length),
    ...results
      .filter(({ connections }) => connections === 1)
      .map((result) => row(result.name, ...cells(result, ({ median }) => median.toFixed(2)))),
    "",
    row("list of all records, REST", "records", "first byte, ms", "total, ms", "CPU, ms", "peak memory, MB"),
    numbers(5),
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

/** What the row of a result begins with. */
export const rowName = ({ name, connections }: Result) => (connections === 1 ? `${name}, 1` : name);

/** A row of a table. */
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
