import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { type Arrows, importsOf, ringsOf, roomOf, wrongArrows } from "../setup/imports.ts";

/**
 * Which room may import which. A room is a folder; `dns` means the files that stand in `dns` itself, and `dns/rdata` is a room of its
 * own. A file beside the rooms, such as `errors.ts`, is one too.
 */
const allowed: Arrows = {
  trace: [],
  metrics: [],
  database: ["trace"],
  "error-codes": [],
  errors: ["database", "error-codes"],
  setting: ["database"],
  settings: ["setting", "session"],
  config: ["settings", "setting"],
  time: [],
  scalars: ["error-codes", "errors", "time"],
  "node-interface": [],
  "listen-failure": [],
  "listening-address": [],
  certificate: [],
  "make-folder": [],
  version: [],
  dns: [],
  "dns/fields": ["dns"],
  "dns/rdata": ["dns", "dns/fields"],
  "dns/message": ["dns"],
  "dns/master-file": ["dns", "dns/fields", "dns/rdata"],
  turns: ["errors"],
  session: ["dns", "error-codes", "errors"],
  sql: ["session", "turns", "errors", "database"],
  outbox: ["sql", "session"],
  account: ["outbox", "sql", "session", "node-interface", "scalars", "dns", "dns/rdata", "dns/message", "errors"],
  zone: ["account", "sql", "session", "turns", "node-interface", "scalars", "dns", "dns/rdata", "errors"],
  audit: ["zone", "sql", "session", "turns", "node-interface", "scalars", "dns", "error-codes", "errors"],
  "zone/edit": [
    "audit",
    "zone",
    "outbox",
    "account",
    "sql",
    "session",
    "turns",
    "trace",
    "dns",
    "dns/rdata",
    "error-codes",
    "errors",
  ],
  "zone/history": ["zone/master-file", "zone/edit", "zone", "sql", "session", "turns", "dns", "dns/rdata", "errors"],
  "zone/master-file": ["zone/edit", "zone", "sql", "session", "turns", "dns", "dns/rdata", "dns/master-file", "errors"],
  "zone/dynamic-update": [
    "outbox",
    "zone/edit",
    "zone",
    "account",
    "sql",
    "session",
    "node-interface",
    "scalars",
    "dns",
    "dns/rdata",
    "dns/message",
    "error-codes",
    "errors",
  ],
  template: [
    "zone/edit",
    "zone",
    "account",
    "sql",
    "session",
    "node-interface",
    "scalars",
    "dns",
    "dns/fields",
    "dns/rdata",
    "errors",
  ],
  secondary: [
    "zone/edit",
    "zone",
    "account",
    "sql",
    "session",
    "turns",
    "node-interface",
    "scalars",
    "dns",
    "dns/rdata",
    "errors",
  ],
  webhook: [
    "outbox",
    "secondary",
    "zone",
    "account",
    "sql",
    "session",
    "node-interface",
    "scalars",
    "version",
    "dns",
    "errors",
  ],
  changeset: [
    "audit",
    "outbox",
    "template",
    "zone/master-file",
    "dns/fields",
    "turns",
    "zone/history",
    "zone/edit",
    "zone",
    "account",
    "sql",
    "session",
    "node-interface",
    "scalars",
    "dns",
    "dns/rdata",
    "errors",
  ],
  publisher: ["database", "secondary", "zone", "session", "trace", "dns", "dns/fields", "dns/rdata", "dns/message"],
  instance: ["sql", "session", "version"],
  nameserver: [
    "database",
    "zone/dynamic-update",
    "zone",
    "account",
    "sql",
    "session",
    "dns",
    "dns/rdata",
    "dns/message",
    "listen-failure",
    "trace",
    "certificate",
    "error-codes",
    "errors",
  ],
  graphql: [
    "audit",
    "zone/dynamic-update",
    "secondary",
    "zone",
    "account",
    "sql",
    "session",
    "turns",
    "error-codes",
    "errors",
  ],
  "graphql/plan": [
    "graphql",
    "graphql/schema",
    "zone",
    "account",
    "sql",
    "session",
    "turns",
    "database",
    "dns",
    "errors",
  ],
  "graphql/schema": [
    "graphql",
    "audit",
    "changeset",
    "webhook",
    "outbox",
    "template",
    "instance",
    "zone/history",
    "zone/master-file",
    "zone/dynamic-update",
    "zone/edit",
    "secondary",
    "zone",
    "account",
    "sql",
    "session",
    "node-interface",
    "scalars",
    "dns",
    "dns/fields",
    "dns/rdata",
    "version",
    "error-codes",
    "errors",
  ],
  rest: ["turns", "error-codes", "errors", "time"],
  http: ["turns", "trace", "listen-failure", "listening-address", "certificate", "errors", "config"],
  postgres: ["make-folder"],
  migrations: [],
  backup: ["database"],
  service: [
    "metrics",
    "trace",
    "backup",
    "listen-failure",
    "listening-address",
    "make-folder",
    "certificate",
    "version",
    "config",
    "errors",
    "database",
    "migrations",
    "postgres",
    "http",
    "graphql",
    "graphql/plan",
    "graphql/schema",
    "rest",
    "nameserver",
    "secondary",
    "audit",
    "instance",
    "template",
    "outbox",
    "webhook",
    "zone",
    "zone/dynamic-update",
    "zone/history",
    "zone/master-file",
    "changeset",
    "account",
    "session",
    "sql",
  ],
  doctor: [
    "audit",
    "config",
    "settings",
    "listening-address",
    "certificate",
    "database",
    "dns",
    "dns/message",
    "instance",
    "postgres",
    "publisher",
    "secondary",
    "service",
    "session",
    "sql",
    "account",
    "zone",
    "version",
  ],
  main: ["config", "service", "metrics", "http", "instance", "publisher", "secondary", "zone", "account", "session"],
  cli: ["config", "listening-address", "doctor", "main", "service", "backup", "version", "error-codes", "time", "dns"],
};

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
