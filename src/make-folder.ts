/** Creates a folder and those above it. Node's `recursive` mkdir never returns below a folder such as /proc. */
import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Throws the system's error when it cannot be created, or is a file. */
export function makeFolder(path: string): void {
  const folder = resolve(path);
  if (isFolder(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !isFolder(folder)) throw error;
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
