/** The documents: the parts that are generated from the code, which `npm run docs` writes, their length, and what they name. */
import { existsSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { buildSchema, parse, validate } from "graphql";
import { exitCodes, exitMeanings } from "../../src/cli/service/failure.ts";
import { settings } from "../../src/config/settings.ts";
import { databaseFailures } from "../../src/database/sqlstate.ts";
import { levels } from "../../src/doctor/finding.ts";
import { settingRules } from "../../src/doctor/setting-rules.ts";
import { codes } from "../../src/error-codes.ts";
import { findingCodes } from "../../src/finding/finding-code.ts";
import { metrics } from "../../src/metrics/table.ts";
import { eventKinds } from "../../src/outbox/event-kinds.ts";
import { quotaKinds } from "../../src/session/quota.ts";
import { blocksOf, documents, readDocument as read, root } from "../setup/basics/documents.ts";

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
const findingsTable = () =>
  table("Code | Severity | Meaning", Object.entries(findingCodes), ([code, { severity, description, source }]) => [
    `\`${code}\``,
    severity,
    `${description} (${source}).`,
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
  ["monitoring", "metrics", metricsTable],
  ["operation", "quotas", quotasTable],
  ["webhooks", "webhook-events", eventsTable],
  ["check", "findings", findingsTable],
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

test.each([
  ["README.md", 140, 100],
  ["CHANGELOG.md", 140, 140],
  ["docs/architecture.md", 150, 140],
  ["docs/operation.md", 280, 140],
])("%s has at most %d lines of %d characters", (file, lines, characters) => {
  const text = read(file).trimEnd().split("\n");
  expect(text.length).toBeLessThanOrEqual(lines);
  expect(text.filter((line) => line.length > characters && !line.startsWith("|"))).toEqual([]);
});

test("docs/graphql.md shows the codegen.ts of examples/frontend as it is", () => {
  expect(blocksOf("docs/graphql.md", "ts").map(({ text }) => text)).toEqual([read("examples/frontend/codegen.ts")]);
});

test("every code of an error that docs/rest.md shows exists", () => {
  const shown = [...read("docs/rest.md").matchAll(/"error": "([A-Z_]+)"/g)].map(([, code]) => code as string);
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.filter((code) => !(code in codes))).toEqual([]);
});

test("docs/README.md lists every document", () => {
  const listed = [...read("docs/README.md").matchAll(/\]\(([\w./-]+\.md)/g)].map(([, path]) => `docs/${path}`);
  const own = documents.filter((file) => /^docs\/[\w-]+\.md$/.test(file) && file !== "docs/README.md");
  expect(own.filter((file) => !listed.includes(file))).toEqual([]);
});

test("every GraphQL example of a document is valid", () => {
  const schema = buildSchema(read("schema.graphql"));
  const examples = documents.flatMap((file) => blocksOf(file, "graphql").map(({ text }) => ({ file, text })));
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

test("every link of a document leads to a file, and to a heading of it", () => {
  const anchorOf = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replaceAll(" ", "-");
  const wrong = documents.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]+))?\)/g)]
      .filter(([, path = "", anchor]) => {
        const target = path === "" ? resolve(root, file) : resolve(root, dirname(file), path);
        if (!existsSync(target)) return true;
        return (
          anchor &&
          ![...read(relative(root, target)).matchAll(/^#+ (.+)$/gm)].some(
            ([, heading = ""]) => anchorOf(heading) === anchor,
          )
        );
      })
      .map(([link]) => `${file}: ${link}`),
  );
  expect(wrong).toEqual([]);
});

test("commands of documents are in fenced blocks, which test/process/cli/documents.test.ts runs", () => {
  const indented = documents.filter((file) => /(?:^|\n)\n {4,}(?:npm|npx|zonesmith|curl|export) /.test(read(file)));
  expect(indented).toEqual([]);
});
