/**
 * The rules of the console's own code: it is written from the schema alone, its rooms import each other in one direction, what can be
 * tested without a browser needs none, and its files are short.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { arrowsOf, importsOf, ringsOf, roomOf, wrongArrows } from "./imports.ts";

const top = resolve(import.meta.dirname, "../../console");
const files = readdirSync(top, { recursive: true, encoding: "utf8" }).filter(
  (file) => /\.tsx?$/.test(file) && !file.startsWith("api/generated/"),
);
const read = (file: string) => readFileSync(join(top, file), "utf8");
const imports = new Map(files.map((file) => [file, importsOf(top, file)]));
const packagesOf = (file: string) => imports.get(file)?.packages ?? [];
/** The files that each file imports; what is generated from the schema is no room, nor are the looks that all share. */
const graph = new Map(
  [...imports].map(([file, { files: to }]) => [file, to.filter((each) => !/generated\/|^parts\/look/.test(each))]),
);

/** What the pages are made of: text without React, what is pressed and written into, what a page is laid out by, what shows zones, and what happened. */
const parts = "parts/text parts/control parts/page parts/zone parts/stream";

/** Which room of the console may import which, from the inside out. In the sheet they are in the order of what is done with records. */
const allowed = arrowsOf(`
build:
graphiql: api
api:
parts/text: api
parts/control: api parts/text
parts/page: api parts/text parts/control
parts/zone: api parts/text parts/control parts/page
parts/stream: api parts/text parts/control parts/page parts/zone
difference: ${parts}
users: api ${parts}
labels: api ${parts}
attention: api ${parts} sheet/draft
templates: api ${parts} users labels sheet/records sheet/clipboard
sheet/records: api parts/text difference
sheet/draft: api ${parts} difference sheet/records
history/moment: api ${parts} difference sheet/records sheet/view sheet/grid
history/deleted: api ${parts} users changesets history/moment
history: api ${parts} difference history/moment history/deleted sheet/draft
changesets: api ${parts} difference
change: api ${parts} difference history history/moment history/deleted changesets sheet/draft
sheet/apply: api difference sheet/records sheet/draft
sheet/view: parts/text sheet/records sheet/draft
sheet/model: api parts/text difference sheet/records sheet/draft sheet/apply sheet/view
sheet/clipboard: api parts/text difference sheet/records sheet/draft sheet/model
sheet/grid: ${parts} difference sheet/records sheet/draft sheet/apply sheet/view sheet/model
sheet/form: api ${parts} sheet/records sheet/apply sheet/view sheet/model sheet/clipboard
sheet/composer: api ${parts} sheet/records sheet/draft sheet/apply sheet/view sheet/model sheet/form
sheet/review: api ${parts} difference changesets change sheet/records sheet/draft sheet/apply sheet/view sheet/model
    sheet/clipboard
sheet: api ${parts} sheet/records sheet/draft sheet/apply sheet/view sheet/model sheet/clipboard sheet/grid sheet/form
    sheet/composer sheet/review
import: api ${parts} difference changesets sheet/records sheet/apply
text: api ${parts} sheet/draft import
zones: api ${parts} attention difference users labels templates changesets sheet sheet/draft history
    history/deleted import
keys: api ${parts} users
webhooks: api ${parts} users
about: api ${parts}
search: api ${parts}
check: api ${parts}
palette: api ${parts}
servers: api ${parts} attention
activity: api ${parts} attention changesets change
app: api ${parts} attention users templates sheet sheet/draft history history/moment history/deleted changesets import text zones
    keys webhooks about activity check search palette servers change
`);

test("it imports nothing from beside it", () => {
  expect(files.length).toBeGreaterThan(30);
  const outside = [...graph].flatMap(([file, to]) =>
    to.filter((each) => each.startsWith("..")).map((each) => [file, each]),
  );
  expect(outside).toEqual([]);
});

test("its rooms are in the table of arrows, import what it allows, and neither they nor their files make a ring", () => {
  expect([...new Set(files.map(roomOf))].toSorted()).toEqual(Object.keys(allowed).toSorted());
  expect(wrongArrows(graph, allowed)).toEqual([]);
  expect(ringsOf(new Map(Object.entries(allowed)))).toEqual([]);
  expect(ringsOf(graph)).toEqual([]);
  expect(graph.get("sheet/sheet.tsx")).toContain("sheet/grid/grid.tsx");
});

test("only its build runs outside a browser", () => {
  expect(files.filter((file) => packagesOf(file).some((name) => name.startsWith("node:")))).toEqual(["build.ts"]);
});

test("what is no component imports no React in the sheet", () => {
  const logic = files.filter((file) => file.startsWith("sheet/") && file.endsWith(".ts") && !/\/use-/.test(file));
  expect(logic.filter((file) => packagesOf(file).some((name) => /^react(-dom)?(\/|$)/.test(name)))).toEqual([]);
});

test("each file says what it is for", () => {
  expect(files.filter((file) => !read(file).startsWith("/**"))).toEqual([]);
});

test("text becomes no markup, code no text, and nothing is styled by a string", () => {
  const dangers = /dangerouslySetInnerHTML|\binnerHTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function\(/;
  expect(files.filter((file) => dangers.test(read(file)))).toEqual([]);
});
