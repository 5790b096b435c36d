import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { allowed } from "./allowed-arrows.ts";
import { importsOf, ringsOf, roomOf, wrongArrows } from "./imports.ts";

const source = resolve(import.meta.dirname, "../../src");
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !file.endsWith(".d.ts"),
);

const graph = new Map(files.map((file) => [file, importsOf(source, file).files]));

test("every room is in the table of arrows, and every room of the table is there", () => {
  expect([...new Set(files.map(roomOf))].toSorted()).toEqual(Object.keys(allowed).toSorted());
});

test("arrows between rooms point inward", () => {
  expect(wrongArrows(graph, allowed)).toEqual([]);
});

test("a wrong arrow is seen, also between a room and its own sub-room", () => {
  const wrong = [
    ["zone/domain.ts", ["zone/edit/rules.ts", "dns/name.ts"]],
    ["dns/message/header.ts", ["dns/rdata/rdata.ts"]],
    ["publisher/notify.ts", ["nameserver/answer.ts"]],
  ] as const;
  expect(wrongArrows(wrong, allowed)).toEqual([
    "zone/domain.ts -> zone/edit/rules.ts",
    "dns/message/header.ts -> dns/rdata/rdata.ts",
    "publisher/notify.ts -> nameserver/answer.ts",
  ]);
});

test("neither rooms nor files import each other in a ring", () => {
  expect(ringsOf(new Map(Object.entries(allowed)))).toEqual([]);
  expect(ringsOf(graph)).toEqual([]);
  expect(
    ringsOf(
      new Map([
        ["a", ["b"]],
        ["b", ["c"]],
        ["c", ["b"]],
      ]),
    ),
  ).toEqual(["b -> c -> b"]);
});

test("the scanner sees imports", () => {
  expect(graph.get("zone/record.ts")).toContain("dns/name.ts");
  expect(graph.get("cli/zonesmith.ts")).toContain("cli/commands.ts");
});

test("only the command line reads the environment, for config; PostgreSQL's processes are handed PATH and TZ", () => {
  const code = (file: string) => readFileSync(join(source, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  expect(files.filter((file) => /process\.env/.test(code(file))).toSorted()).toEqual([
    "cli/commands.ts",
    "cli/serve.ts",
    "cli/zonesmith.ts",
    "postgres/process.ts",
  ]);
});

test("only points in time are read from the clock that may be set; what passes is measured on the one that may not", () => {
  expect(files.filter((file) => readFileSync(join(source, file), "utf8").match(/Date\.now\(/))).toEqual([
    "cli/moment.ts",
    "http/sign-in.ts",
    "nameserver/nameserver.ts",
    "publisher/reconciler.ts",
    "publisher/signed-query.ts",
    "publisher/zone-transfer.ts",
  ]);
});

test("no file is longer than about 300 lines", () => {
  const long = files.filter((file) => readFileSync(join(source, file), "utf8").split("\n").length > 330);
  expect(long).toEqual([]);
});
