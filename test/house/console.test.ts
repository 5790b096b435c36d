/**
 * The rules of the console's own code: it is written from the schema alone, what can be tested without a browser needs none, and its files
 * are short.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "@jest/globals";

const top = resolve(import.meta.dirname, "../../console");
const files = readdirSync(top, { recursive: true, encoding: "utf8" }).filter(
  (file) => /\.tsx?$/.test(file) && !file.startsWith("api/generated/"),
);
const read = (file: string) => readFileSync(join(top, file), "utf8");

/** What a file imports: other files of the console by their path in it, packages by their name. */
function importsOf(file: string): string[] {
  const found = read(file).matchAll(
    /(?:^|\n)\s*(?:import|export)[^"';]*?from "([^"]+)"|import\("([^"]+)"\)|(?:^|\n)import "([^"]+)"/g,
  );
  return [...found].map(([, from, dynamic, bare]) => {
    const path = (from ?? dynamic ?? bare) as string;
    return path.startsWith(".") ? relative(top, resolve(top, dirname(file), path)) : path;
  });
}

test("it imports nothing from beside it", () => {
  expect(files.length).toBeGreaterThan(30);
  const outside = files
    .flatMap((file) => importsOf(file).map((to) => [file, to]))
    .filter(([, to]) => to?.startsWith(".."));
  expect(outside).toEqual([]);
});

test("only its build runs outside a browser", () => {
  expect(files.filter((file) => importsOf(file).some((to) => to.startsWith("node:")))).toEqual(["build.ts"]);
});

test("what is no component imports no React in the sheet", () => {
  const logic = files.filter((file) => file.startsWith("sheet/") && file.endsWith(".ts") && !/\/use-/.test(file));
  expect(logic.filter((file) => importsOf(file).some((to) => /^react(-dom)?(\/|$)/.test(to)))).toEqual([]);
});

test("parts know nothing of what is shown with them: only of the API", () => {
  const wrong = files
    .filter((file) => file.startsWith("parts/"))
    .flatMap((file) =>
      importsOf(file)
        .filter((to) => to.includes("/") && /^[a-z]+\/(?!.*react)/.test(to) && !/^(parts|api)\//.test(to))
        .map((to) => `${file} -> ${to}`),
    );
  expect(wrong).toEqual([]);
});

test("no file is longer than about 300 lines, and each says what it is for", () => {
  expect(files.filter((file) => read(file).split("\n").length > 330)).toEqual([]);
  expect(files.filter((file) => !read(file).startsWith("/**"))).toEqual([]);
});

test("text becomes no markup, code no text, and nothing is styled by a string", () => {
  const dangers = /dangerouslySetInnerHTML|\binnerHTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function\(/;
  expect(files.filter((file) => dangers.test(read(file)))).toEqual([]);
});
