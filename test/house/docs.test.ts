/**
 * The parts of the documents that are generated from the code: of docs/settings.md, docs/errors.md and docs/operation.md.
 * `npm run docs` writes them.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { buildSchema, parse, validate } from "graphql";
import { exitCodes, exitMeanings } from "../../src/cli/failure.ts";
import { databaseFailures } from "../../src/database/sqlstate.ts";
import { levels } from "../../src/doctor/finding.ts";
import { settingRules } from "../../src/doctor/setting-rules.ts";
import { codes } from "../../src/error-codes.ts";
import { metrics } from "../../src/metrics/table.ts";
import { eventKinds } from "../../src/outbox/event-kinds.ts";
import { quotaKinds } from "../../src/session/quota.ts";
import { settings } from "../../src/settings.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(resolve(root, file), "utf8");

/** A table of Markdown with these columns, a row for each entry of a table of the code. */
function table<Row>(columns: string, rows: readonly Row[], cellsOf: (row: Row) => readonly unknown[]): string {
  const rule = columns.split(" | ").map(() => "---");
  const lines = rows.map((row) => `| ${cellsOf(row).join(" | ")} |`);
  return ["", `| ${columns} |`, `|${rule.join("|")}|`, ...lines, ""].join("\n");
}

const inCode = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(" ");

const settingsTable = () =>
  table("Setting | Default | Description", Object.entries(settings), ([name, setting]) => [
    `\`${name}\`${"secret" in setting && setting.secret ? " (secret)" : ""}`,
    setting.default ? `\`${setting.default}\`` : "",
    setting.description,
  ]);
const errorsTable = () =>
  table("Code | HTTP status | DNS rcode | Meaning", Object.entries(codes), ([code, { status, rcode, meaning }]) => [
    `\`${code}\``,
    status,
    rcode,
    meaning,
  ]);
const failuresTable = () =>
  table("Reason | SQLSTATE | `Retry-After`", databaseFailures, ({ reason, codes: states, retryAfter, isRepeated }) => [
    reason,
    inCode(states.filter((state) => !/^E[A-Z_]{3}/.test(state))) || "none",
    `${isRepeated ? "the transaction is repeated, an import not; then " : ""}${retryAfter} s`,
  ]);
const metricsTable = () =>
  table("Metric | Type | Labels | Meaning", Object.entries(metrics), ([name, { type, labels, help }]) => [
    `\`${name}\``,
    type,
    inCode(labels),
    help,
  ]);
const quotasTable = () =>
  table("Quota | Default by | Counts", Object.entries(quotaKinds), ([name, { setting, meaning }]) => [
    `\`${name}\``,
    `\`${setting}\``,
    meaning,
  ]);
const eventsTable = () =>
  table("Event | When | Fields of `data`", Object.entries(eventKinds), ([event, { description, data }]) => [
    `\`${event}\``,
    description,
    data,
  ]);
const exitCodesTable = () =>
  table("Exit code | Meaning", Object.entries(exitCodes), ([name, code]) => [
    code,
    exitMeanings[name as keyof typeof exitCodes],
  ]);
const levelsTable = () => table("Level | Meaning", Object.entries(levels), ([level, text]) => [`\`${level}\``, text]);
const settingRulesTable = () =>
  table("Setting | When", settingRules, ([names, when]) => [inCode(names.split(" ")), when]);

/** The text of a document with a generated part, between two comments, as the code says it now. */
function withGenerated(text: string, part: string, generated: string): string {
  const marked = new RegExp(`(<!-- ${part} -->\n)[\\s\\S]*(<!-- /${part} -->)`);
  expect(text).toMatch(marked);
  return text.replace(marked, (_whole, open, close) => `${open}${generated}\n${close}`);
}

test.each([
  ["settings", "settings", settingsTable],
  ["errors", "errors", errorsTable],
  ["errors", "failures", failuresTable],
  ["operation", "metrics", metricsTable],
  ["operation", "quotas", quotasTable],
  ["operation", "webhook-events", eventsTable],
  ["operation", "exit-codes", exitCodesTable],
  ["operation", "levels", levelsTable],
  ["operation", "setting-rules", settingRulesTable],
])("docs/%s.md has the %s that the code has; else: npm run docs", (document, part, generated) => {
  const file = `docs/${document}.md`;
  const text = read(file);
  const fresh = withGenerated(text, part, generated());
  if (process.env.UPDATE_DOCS) writeFileSync(resolve(root, file), fresh);
  else if (text !== fresh) throw new Error(`${file} is stale; update it with: npm run docs`);
});

test("the README stays under 250 lines", () => {
  expect(read("README.md").split("\n").length).toBeLessThan(250);
});

test("the README shows the codegen.ts of examples/frontend as it is", () => {
  const indented = read("examples/frontend/codegen.ts").replace(/^(?=.)/gm, "    ");
  expect(read("README.md")).toContain(`\n\n${indented}\n`);
});

test("every code that the README shows exists", () => {
  const shown = read("README.md").match(/"error": "([A-Z_]+)"/g) ?? [];
  expect(shown.map((text) => text.slice(10, -1)).filter((code) => !(code in codes))).toEqual([]);
});

const documents = [
  "README.md",
  ...readdirSync(resolve(root, "docs"), { recursive: true, encoding: "utf8" }).map((file) => `docs/${file}`),
].filter((file) => file.endsWith(".md"));

test("every GraphQL example of a document is valid", () => {
  const schema = buildSchema(read("schema.graphql"));
  const examples = documents.flatMap((file) =>
    [...read(file).matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, text]) => ({ file, text: text as string })),
  );
  expect(examples.length).toBeGreaterThan(2);
  const wrong = examples.flatMap(({ file, text }) =>
    validate(schema, parse(text)).map(({ message }) => `${file}: ${message}`),
  );
  expect(wrong).toEqual([]);
});

test("every file that a document names exists", () => {
  const missing = documents
    .flatMap((file) =>
      [...read(file).matchAll(/`((?:src|test|bench|docs|deploy|examples)\/[\w./-]+)`/g)].map(([, path]) => [
        file,
        path as string,
      ]),
    )
    .filter(([, path]) => !existsSync(resolve(root, path as string)));
  expect(missing).toEqual([]);
});
