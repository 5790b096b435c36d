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

function settingsTable(): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const isSecret = "secret" in setting && setting.secret;
    const defaultText = setting.default ? `\`${setting.default}\`` : "";
    return `| \`${name}\`${isSecret ? " (secret)" : ""} | ${defaultText} | ${setting.description} |`;
  });
  return ["", "| Setting | Default | Description |", "|---|---|---|", ...rows, ""].join("\n");
}

function errorsTable(): string {
  const rows = Object.entries(codes).map(
    ([code, { status, rcode, meaning }]) => `| \`${code}\` | ${status} | ${rcode} | ${meaning} |`,
  );
  return ["", "| Code | HTTP status | DNS rcode | Meaning |", "|---|---|---|---|", ...rows, ""].join("\n");
}

function failuresTable(): string {
  const rows = databaseFailures.map(({ reason, codes: states, retryAfter, isRepeated }) => {
    const first = isRepeated ? "the transaction is repeated, an import not; then " : "";
    const shown = states.filter((state) => !/^E[A-Z_]{3}/.test(state)).map((state) => `\`${state}\``);
    return `| ${reason} | ${shown.join(" ") || "none"} | ${first}${retryAfter} s |`;
  });
  return ["", "| Reason | SQLSTATE | `Retry-After` |", "|---|---|---|", ...rows, ""].join("\n");
}

function metricsTable(): string {
  const rows = Object.entries(metrics).map(([name, { type, labels, help }]) => {
    const shown = labels.map((label) => `\`${label}\``).join(" ");
    return `| \`${name}\` | ${type} | ${shown} | ${help} |`;
  });
  return ["", "| Metric | Type | Labels | Meaning |", "|---|---|---|---|", ...rows, ""].join("\n");
}

function webhookEventsTable(): string {
  const rows = Object.entries(eventKinds).map(
    ([event, { description, data }]) => `| \`${event}\` | ${description} | ${data} |`,
  );
  return ["", "| Event | When | Fields of `data` |", "|---|---|---|", ...rows, ""].join("\n");
}

function exitCodesTable(): string {
  const rows = Object.entries(exitCodes).map(
    ([name, code]) => `| ${code} | ${exitMeanings[name as keyof typeof exitCodes]} |`,
  );
  return ["", "| Exit code | Meaning |", "|---|---|", ...rows, ""].join("\n");
}

function levelsTable(): string {
  const rows = Object.entries(levels).map(([level, meaning]) => `| \`${level}\` | ${meaning} |`);
  return ["", "| Level | Meaning |", "|---|---|", ...rows, ""].join("\n");
}

function settingRulesTable(): string {
  const rows = settingRules.map(([names, when]) => `| ${names.replaceAll(/\S+/g, "`$&`")} | ${when} |`);
  return ["", "| Setting | When |", "|---|---|", ...rows, ""].join("\n");
}

function quotasTable(): string {
  const rows = Object.entries(quotaKinds).map(
    ([name, { setting, meaning }]) => `| \`${name}\` | \`${setting}\` | ${meaning} |`,
  );
  return ["", "| Quota | Default by | Counts |", "|---|---|---|", ...rows, ""].join("\n");
}

/** The text of a document with a generated part, between two comments, as the code says it now. */
function withGenerated(text: string, part: string, table: string): string {
  const marked = new RegExp(`(<!-- ${part} -->\n)[\\s\\S]*(<!-- /${part} -->)`);
  expect(text).toMatch(marked);
  return text.replace(marked, (_whole, open, close) => `${open}${table}\n${close}`);
}

/** Fails when the generated part of a document is stale; writes it instead when UPDATE_DOCS is set. */
function expectFresh(file: string, part: string, table: string): void {
  const text = read(file);
  const fresh = withGenerated(text, part, table);
  if (process.env.UPDATE_DOCS) writeFileSync(resolve(root, file), fresh);
  else if (text !== fresh) throw new Error(`${file} is stale; update it with: npm run docs`);
}

test("docs/settings.md is the table in settings.ts", () => {
  expectFresh("docs/settings.md", "settings", settingsTable());
});

test("docs/errors.md is the table in error-codes.ts", () => {
  expectFresh("docs/errors.md", "errors", errorsTable());
});

test("docs/errors.md has the failures of the database of sqlstate.ts", () => {
  expectFresh("docs/errors.md", "failures", failuresTable());
});

test("docs/operation.md has the table in metrics/table.ts", () => {
  expectFresh("docs/operation.md", "metrics", metricsTable());
});

test("docs/operation.md has the table in quota.ts", () => {
  expectFresh("docs/operation.md", "quotas", quotasTable());
});

test("docs/operation.md has the events of event-kinds.ts", () => {
  expectFresh("docs/operation.md", "webhook-events", webhookEventsTable());
});

test("docs/operation.md has the exit codes of failure.ts, and what doctor looks for", () => {
  expectFresh("docs/operation.md", "exit-codes", exitCodesTable());
  expectFresh("docs/operation.md", "levels", levelsTable());
  expectFresh("docs/operation.md", "setting-rules", settingRulesTable());
});

test("a stale table is seen", () => {
  const text = "<!-- errors -->\nold\n<!-- /errors -->\n";
  expect(withGenerated(text, "errors", errorsTable())).not.toBe(text);
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
