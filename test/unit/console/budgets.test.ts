/** How much a browser loads: the first page of the console, compressed, within what docs and design allow it. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "@jest/globals";

const built = resolve(import.meta.dirname, "../../../dist/console");
const assets = readdirSync(join(built, "assets"));
const gzipped = (name: string) => gzipSync(readFileSync(join(built, "assets", name)), { level: 9 }).length;
const index = readFileSync(join(built, "index.html"), "utf8");

/** What a script or style sheet loads besides, the chunk of a screen with all that it imports. */
function loadedBy(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  const imports = readFileSync(join(built, "assets", name), "utf8").matchAll(
    /(?:from|^import|;import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g,
  );
  for (const [, imported] of imports) loadedBy(imported as string, seen);
  return seen;
}

const first = [...index.matchAll(/\/console\/assets\/([\w.-]+\.(?:js|css))/g)].map(([, name]) => name as string);
const zones = assets.find((name) => /^zones-[\w-]+\.js$/.test(name)) ?? "";
const scripts = new Set(
  [...first.filter((name) => name.endsWith(".js")), zones].flatMap((name) => [...loadedBy(name)]),
);

test("the JavaScript of the first page, the list of zones, is within 170 KB", () => {
  expect(scripts.size).toBeGreaterThan(2);
  const bytes = [...scripts].reduce((sum, name) => sum + gzipped(name), 0);
  expect(bytes).toBeLessThan(170_000);
});

test("the style sheet is one, within 13 KB", () => {
  const sheets = assets.filter((name) => name.endsWith(".css"));
  expect(sheets).toHaveLength(1);
  expect(gzipped(sheets[0] as string)).toBeLessThan(13_000);
});

test("every text is there compressed, and no source map with it", () => {
  const texts = assets.filter(
    (name) => /\.(js|css)$/.test(name) && readFileSync(join(built, "assets", name)).length > 500,
  );
  for (const name of texts) expect(assets).toEqual(expect.arrayContaining([`${name}.br`, `${name}.gz`]));
  expect(assets.filter((name) => name.endsWith(".map"))).toEqual([]);
});
