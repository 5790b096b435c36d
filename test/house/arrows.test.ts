import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "@jest/globals";

/** Which room may import which; `errors` and `config` are files beside the rooms. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  dns: [],
  errors: [],
  config: [],
  zone: ["dns", "errors"],
  graphql: ["zone", "dns", "errors"],
  rest: ["errors"],
  nameserver: ["zone", "dns", "errors"],
  publisher: ["zone", "dns", "errors"],
  migrations: [],
  http: ["errors", "config"],
  postgres: [],
  database: ["zone", "migrations"],
  main: ["config", "errors", "database", "postgres", "http", "graphql", "rest", "nameserver", "publisher", "zone"],
  cli: ["config", "main"],
};

const source = resolve(import.meta.dirname, "../../src");
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !file.endsWith(".d.ts"),
);

const roomOf = (file: string) => (file.includes("/") ? (file.split("/")[0] as string) : file.replace(/\.ts$/, ""));

function importsOf(file: string): string[] {
  const text = readFileSync(join(source, file), "utf8");
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)[^"';]*?from "(\.[^"]+)"|import\("(\.[^"]+)"\)|(?:^|\n)import "(\.[^"]+)"/g,
  );
  return [...found].map(([, from, dynamic, bare]) =>
    relative(source, resolve(source, dirname(file), (from ?? dynamic ?? bare) as string)),
  );
}

const graph = new Map(files.map((file) => [file, importsOf(file)]));

test("every room is in the table of arrows", () => {
  expect([...new Set(files.map(roomOf))].filter((room) => !(room in allowed))).toEqual([]);
});

test("arrows between rooms point inward", () => {
  const wrong = [...graph].flatMap(([file, imports]) =>
    imports
      .filter((to) => roomOf(to) !== roomOf(file) && !allowed[roomOf(file)]?.includes(roomOf(to)))
      .map((to) => `${file} -> ${to}`),
  );
  expect(wrong).toEqual([]);
});

test("no file imports itself in a ring", () => {
  const done = new Set<string>();
  const ringFrom = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return [[...path.slice(path.indexOf(file)), file].join(" -> ")];
    if (done.has(file)) return [];
    const rings = (graph.get(file) ?? []).flatMap((to) => ringFrom(to, [...path, file]));
    done.add(file);
    return rings;
  };
  expect(files.flatMap((file) => ringFrom(file, []))).toEqual([]);
});

test("the scanner sees imports", () => {
  expect(graph.get("zone/record.ts")).toContain("dns/name.ts");
  expect(graph.get("cli/zonesmith.ts")).toContain("cli/commands.ts");
});

test("only the command line reads the environment, for config; PostgreSQL's processes are handed PATH and TZ", () => {
  const code = (file: string) => readFileSync(join(source, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  expect(files.filter((file) => /process\.env/.test(code(file))).toSorted()).toEqual([
    "cli/commands.ts",
    "cli/zonesmith.ts",
    "postgres/process.ts",
  ]);
});

test("no file is longer than about 300 lines", () => {
  const long = files.filter((file) => readFileSync(join(source, file), "utf8").split("\n").length > 330);
  expect(long).toEqual([]);
});

test("only the door, for edits and for whole zones, stores records and serials", () => {
  const importers = [...graph].filter(([, imports]) => imports.includes("zone/zone-store.ts")).map(([file]) => file);
  expect(importers.toSorted()).toEqual(["zone/ownership.ts", "zone/zone-change.ts", "zone/zone-import.ts"]);
  const writers = files.filter((file) =>
    /(insert into|update|delete from) (public\.)?record\b/i.test(readFileSync(join(source, file), "utf8")),
  );
  expect(writers.toSorted()).toEqual(["zone/import-store.ts", "zone/zone-store.ts"]);
});
