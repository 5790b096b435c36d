/** The arrows of a folder of code: which file imports which, whether its rooms may, and the rings among them. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const source = resolve(import.meta.dirname, "../../src");

/** The files of src, and what is in one. */
export const sourceFiles = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !file.endsWith(".d.ts"),
);
export const readSource = (file: string) => readFileSync(join(source, file), "utf8");

/** What a file imports: files by their path in the folder, packages by their name. */
export interface Imports {
  readonly files: readonly string[];
  readonly packages: readonly string[];
}

export function importsOf(folder: string, file: string): Imports {
  const found = readFileSync(join(folder, file), "utf8").matchAll(
    /(?:^|\n)\s*(?:import|export)[^"';]*?from "([^"]+)"|import\("([^"]+)"\)|(?:^|\n)import "([^"]+)"/g,
  );
  const targets = [...found].map(([, from, dynamic, bare]) => (from ?? dynamic ?? bare) as string);
  const isFile = (target: string) => target.startsWith(".");
  return {
    files: targets.filter(isFile).map((target) => relative(folder, resolve(folder, dirname(file), target))),
    packages: targets.filter((target) => !isFile(target)),
  };
}

/** The files of src that each of them imports; the types that are generated from the schema are no room. */
export const sourceGraph = new Map(
  sourceFiles.map((file) => [file, importsOf(source, file).files.filter((to) => !/generated\//.test(to))]),
);

/** The room of a file: its folder, or itself when it stands beside the rooms. */
export const roomOf = (file: string) => (file.includes("/") ? dirname(file) : file.replace(/\.tsx?$/, ""));

/** Which rooms a room may import. */
export type Arrows = Readonly<Record<string, readonly string[]>>;

/** A table of arrows: of each room a line with those that it may import, continued on lines that begin with a blank. */
export function arrowsOf(table: string): Arrows {
  const lines = table.trim().replaceAll(/\n +/g, " ").split("\n");
  return Object.fromEntries(lines.map((line) => [line.split(":")[0], line.split(" ").slice(1)]));
}

/** The arrows of a graph of imports that a table does not allow. */
export function wrongArrows(imports: Iterable<readonly [string, readonly string[]]>, allowed: Arrows): string[] {
  return [...imports].flatMap(([file, targets]) =>
    targets
      .filter((to) => roomOf(to) !== roomOf(file) && !allowed[roomOf(file)]?.includes(roomOf(to)))
      .map((to) => `${file} -> ${to}`),
  );
}

/** A way from a node back to itself for each ring that is found. */
export function ringsOf(arrows: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const ringsFrom = (node: string, path: readonly string[]): string[] => {
    if (path.includes(node)) return [[...path.slice(path.indexOf(node)), node].join(" -> ")];
    if (done.has(node)) return [];
    const rings = (arrows.get(node) ?? []).flatMap((to) => ringsFrom(to, [...path, node]));
    done.add(node);
    return rings;
  };
  return [...arrows.keys()].flatMap((node) => ringsFrom(node, []));
}
