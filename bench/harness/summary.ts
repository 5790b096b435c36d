/** Writes the tables of a bench as Markdown, and puts them into a document. */
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { cases, type SideName } from "./cases.ts";
import type { ListResult } from "./lists.ts";
import type { Figures, Result } from "./rounds.ts";

/** The names of the sides besides service and floor. */
const titles = { pipelined: "pipelined floor", peer: "PostGraphile" } as const;

interface Column {
  readonly title: string;
  readonly cell: (name: string) => string;
}

export function summary(results: readonly Result[], lists: readonly ListResult[]): string {
  const names = cases.map(({ name }) => name).filter((name) => results.some((result) => result.name === name));
  const table = (title: string, columns: readonly Column[]) => [
    row(title, ...columns.map((column) => column.title)),
    row("---", ...Array<string>(columns.length).fill("---:")),
    ...names.map((name) => row(name, ...columns.map(({ cell }) => cell(name)))),
    "",
  ];
  const cpu = ({ cpu, postgres }: Figures) => `${(cpu * 1000).toFixed(0)} + ${(postgres * 1000).toFixed(0)}`;
  const time = ({ median }: Figures) => median.toFixed(2);
  const many = results.filter(({ connections }) => connections > 1);
  const one = results.filter(({ connections }) => connections === 1);
  const goal = { title: "goal", cell: (name: string) => String(cases.find((each) => each.name === name)?.goal) };
  return [
    ...table("service : floor, 16 connections unless it says 1", [
      goal,
      ...ratioColumns(many, "floor", ({ shape }) => shape),
      ...ratioColumns(one, "floor", ({ shape }) => `${shape}, 1`),
    ]),
    ...table(
      "service : others, 16 connections unless it says 1",
      (["pipelined", "peer"] as const).flatMap((side) => [
        ...ratioColumns(many, side, ({ shape }) => `${titles[side]}, ${shape}`),
        ...ratioColumns(one, side, ({ shape }) => `${titles[side]}, ${shape}, 1`),
      ]),
    ),
    ...table("CPU of the other : CPU of the service, 16 connections", [
      { title: "the same in GraphQL : REST", cell: costRatio(many, ["GraphQL as REST", "service"], "REST") },
      { title: "PostGraphile, bare : unplanned", cell: costRatio(many, ["bare", "peer"], "unplanned") },
    ]),
    ...table("16 connections: process + PostgreSQL, µs of CPU for an answer", figureColumns(many, cpu)),
    ...table("median time of an answer, ms, 1 connection", figureColumns(one, time)),
    row("W7 list of all records, REST", "records", "first byte, ms", "total, ms", "CPU, ms", "peak memory, MB"),
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

/** A column for each shape that a side was measured in: the ratio of the rate of the service to that of the side, in bold for the guard. */
function ratioColumns(results: readonly Result[], side: SideName, title: (result: Result) => string): Column[] {
  const asked = results.filter(({ ratios }) => ratios[side] !== undefined);
  return [...Map.groupBy(asked, title)].map(([title, its]) => ({
    title,
    cell: (name) => {
      const ratio = its.find((result) => result.name === name)?.ratios[side];
      return ratio === undefined ? "–" : `**${ratio.toFixed(2)}**`;
    },
  }));
}

/** The CPU time of another side in its shape, divided by the CPU time of the service in another shape. */
function costRatio(results: readonly Result[], [otherShape, side]: readonly [string, SideName], shape: string) {
  const costOf = (name: string, shape: string, side: SideName) => {
    const figures = results.find((each) => each.name === name && each.shape === shape)?.figures[side];
    return figures && figures.cpu + figures.postgres;
  };
  return (name: string) => {
    const [other, own] = [costOf(name, otherShape, side), costOf(name, shape, "service")];
    return other === undefined || own === undefined ? "–" : `**${(other / own).toFixed(2)}**`;
  };
}

/** A column for each shape with service and floor, and a column for each shape of each other side. */
function figureColumns(results: readonly Result[], text: (figures: Figures) => string): Column[] {
  const column = (title: string, its: readonly Result[], shown: readonly SideName[]): Column => ({
    title,
    cell: (name) => {
      const figures = its.find((result) => result.name === name)?.figures;
      return shown.map((side) => (figures?.[side] ? text(figures[side]) : "–")).join(" : ");
    },
  });
  const byShape = [...Map.groupBy(results, ({ shape }) => shape)];
  return [
    ...byShape.map(([shape, its]) => {
      const shown = (["service", "floor"] as const).filter((side) => its.some(({ figures }) => figures[side]));
      return column(shape, its, shown);
    }),
    ...(["pipelined", "peer"] as const).flatMap((side) =>
      byShape
        .filter(([, its]) => its.some(({ figures }) => figures[side]))
        .map(([shape, its]) => column(`${titles[side]}, ${shape}`, its, [side])),
    ),
  ];
}

export const row = (...cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const pair = (service: number, floor: number, digits: number) =>
  `${service.toFixed(digits)} : ${floor.toFixed(digits)}`;

/** The machine of a run in one sentence, where everything runs on it. */
export const machineText = (): string =>
  `Node ${process.versions.node}, everything on one machine, ${cpus().length} cores (${cpus()[0]?.model.trim()}).`;

/** Puts a text between its markers in a document, by its path in the project; the bench runs at the top of the project. */
export function writeTable(text: string, name = "figures", document = "bench/README.md"): void {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const path = join(process.cwd(), document);
  const [before, rest = ""] = readFileSync(path, "utf8").split(begin);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error(`${path} has lost its markers ${begin} and ${end}.`);
  writeFileSync(path, `${before}${begin}\n${text}${end}${after}`);
}
