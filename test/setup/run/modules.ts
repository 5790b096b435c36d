/**
 * How modules are found while tests run: `src` is the built `dist/src`, which is what is shipped, and the files of `test` are loaded anew
 * for each test file.
 */
import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = pathToFileURL(resolve(import.meta.dirname, "../../..")).href;

/** The number of the test file, which tells the modules of `test` apart that several files load. */
let file = 0;

/** Begins with another test file; returns its number. */
export function nextFile(): number {
  file += 1;
  return file;
}

registerHooks({
  resolve(specifier, context, next) {
    const wanted = specifier === "@jest/globals" ? `${root}/test/setup/run/globals.ts` : specifier;
    const resolved = next(wanted, context);
    const { url } = resolved;
    if (url.startsWith(`${root}/src/`) && url.endsWith(".ts"))
      return { ...resolved, url: url.replace("/src/", "/dist/src/").replace(/\.ts$/, ".js"), format: "module" };
    const isOfTests = file > 0 && url.startsWith(`${root}/test/`) && url.endsWith(".ts");
    return isOfTests ? { ...resolved, url: `${url}?file=${file}` } : resolved;
  },
});
