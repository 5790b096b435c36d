/**
 * Takes the versions of Node that packages ask for out of package-lock.json where these do not admit Node 20, after `npm install` has written
 * it (`npm run lock`). npm compares them with the Node of the shell and warns where that is older, while our packages run on the Node 24
 * that is a package itself. What the shell's Node must be is in `engines` of package.json.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

/** A package in the lock file. */
interface Entry {
  engines?: { readonly node?: string };
}

/** Whether a range of versions admits Node 20, late in its life. */
export function admitsNode20(range: string): boolean {
  return range.split("||").some((part) => {
    const [, operator = "", major = "0"] = /^\s*(>=|\^|~|)\s*(\d+)/.exec(part) ?? [];
    return operator === ">=" ? Number(major) <= 20 : part.trim() === "*" || Number(major) === 20;
  });
}

/** The packages of a lock file whose `engines` make npm warn on Node 20. */
export function warnedOf(packages: Readonly<Record<string, Entry>>): string[] {
  return Object.keys(packages).filter((path) => path !== "" && !admitsNode20(packages[path]?.engines?.node ?? "*"));
}

if (process.argv[1] === import.meta.filename) {
  const file = resolve(import.meta.dirname, "../package-lock.json");
  const lock = JSON.parse(readFileSync(file, "utf8")) as { packages: Record<string, Entry> };
  for (const path of warnedOf(lock.packages)) delete lock.packages[path]?.engines;
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
