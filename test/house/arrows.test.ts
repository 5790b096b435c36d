import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import { allowed } from "./allowed-arrows.ts";
import { sourceFiles as files, sourceGraph as graph, readSource, ringsOf, roomOf, wrongArrows } from "./imports.ts";

test("every room is in the table of arrows, and every room of the table is there", () => {
  expect([...new Set(files.map(roomOf))].toSorted()).toEqual(Object.keys(allowed).toSorted());
});

test("arrows between rooms point inward; a wrong one is seen, also between a room and its own sub-room", () => {
  expect(wrongArrows(graph, allowed)).toEqual([]);
  const wrong = [
    ["zone/domain.ts", ["zone/edit/rules.ts", "dns/name.ts"]],
    ["dns/message/header.ts", ["dns/rdata/rdata.ts"]],
  ] as const;
  expect(wrongArrows(wrong, allowed)).toEqual([
    "zone/domain.ts -> zone/edit/rules.ts",
    "dns/message/header.ts -> dns/rdata/rdata.ts",
  ]);
  expect(graph.get("cli/zonesmith.ts")).toContain("cli/commands.ts");
});

test("neither rooms nor files import each other in a ring", () => {
  expect(ringsOf(new Map(Object.entries(allowed)))).toEqual([]);
  expect(ringsOf(graph)).toEqual([]);
  expect(ringsOf(new Map(Object.entries({ a: ["b"], b: ["c"], c: ["b"] })))).toEqual(["b -> c -> b"]);
});

test("only the command line reads the environment, for config; PostgreSQL's processes are handed PATH and TZ", () => {
  const code = (file: string) => readSource(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  expect(files.filter((file) => /process\.env/.test(code(file))).toSorted()).toEqual([
    "cli/commands.ts",
    "cli/serve.ts",
    "cli/zonesmith.ts",
    "postgres/process.ts",
  ]);
});

test("only points in time are read from the clock that may be set; what passes is measured on the one that may not", () => {
  expect(files.filter((file) => /Date\.now\(/.test(readSource(file))).toSorted()).toEqual([
    "cli/terminal/moment.ts",
    "http/sign-in.ts",
    "nameserver/nameserver.ts",
    "publisher/packets/signed-query.ts",
    "publisher/reconciler.ts",
  ]);
});

test("no room has more than twenty files, besides the migrations", () => {
  const rooms = Map.groupBy(files, roomOf);
  const crowded = [...rooms].filter(([room, inside]) => room !== "migrations" && inside.length > 20);
  expect(crowded.map(([room, { length }]) => `${room}: ${length}`)).toEqual([]);
});

test("a file that a comment names is there: beside the file, above it, or from src", () => {
  const named = (file: string) =>
    [...readSource(file).matchAll(/\/\*[\s\S]*?\*\/|\/\/.*/g)].flatMap(([comment]) =>
      [...comment.matchAll(/(?<![\w./-])(?:[\w-]+\/)*[\w-]+\.ts\b/g)].map(([name]) => name),
    );
  const isThere = (file: string, name: string) =>
    [join(dirname(file), name), join(dirname(file), "..", name), name, name.replace(/^src\//, "")].some((path) =>
      files.includes(path),
    );
  const missing = files.flatMap((file) =>
    named(file)
      .filter((name) => !isThere(file, name) && !/^(test|bench|mikro-orm)\b/.test(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(missing).toEqual([]);
});
