import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { settings } from "../../src/config.ts";
import { codes } from "../../src/errors.ts";

const path = resolve(import.meta.dirname, "../../README.md");

function settingsTable(): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const isSecret = "secret" in setting && setting.secret;
    return `| \`${name}\`${isSecret ? " (secret)" : ""} | ${setting.fallback ? `\`${setting.fallback}\`` : ""} | ${setting.says} |`;
  });
  return ["", "| Setting | Default | What it says |", "|---|---|---|", ...rows, ""].join("\n");
}

test("the README's table of settings is the one in config.ts; when it is stale, run npm run readme", () => {
  const text = readFileSync(path, "utf8");
  const fresh = text.replace(
    /(<!-- settings -->\n)[\s\S]*(<!-- \/settings -->)/,
    (_whole, open, close) => `${open}${settingsTable()}\n${close}`,
  );
  if (process.env.UPDATE_README) writeFileSync(path, fresh);
  expect(readFileSync(path, "utf8")).toBe(fresh);
});

test("the README stays under 250 lines", () => {
  expect(readFileSync(path, "utf8").split("\n").length).toBeLessThan(250);
});

test("every code of errors.ts that the README shows exists", () => {
  const shown = readFileSync(path, "utf8").match(/"error": "([A-Z_]+)"/g) ?? [];
  expect(shown.map((text) => text.slice(10, -1)).filter((code) => !(code in codes))).toEqual([]);
});
