/** Writes a file under another name, flushes it and renames it: it is complete or does not exist. */
import { open, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Writable } from "node:stream";

/** `what` begins the sentence that is thrown when the file cannot be written, such as "The backup". */
export async function wholeFile<Result>(
  file: string,
  what: string,
  write: (target: Writable) => Promise<Result>,
): Promise<Result> {
  const partial = `${file}.${process.pid}.partial`;
  try {
    const created = await open(partial, "wx", 0o600);
    const result = await write(created.createWriteStream());
    await flush(partial);
    await rename(partial, file);
    await flush(dirname(resolve(file)));
    return result;
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {});
    throw notWritten(error, `${what} cannot be written to ${file}`, "write the name of a file in a folder with space");
  }
}

/** The sentence about a failure of the file system, with what to do; any other error unchanged. */
export function notWritten(error: unknown, fault: string, remedy: string): unknown {
  const { code, path } = error as NodeJS.ErrnoException;
  if (path === undefined && code !== "ENOSPC") return error;
  return new Error(`${fault} (${code}); ${remedy}.`);
}

async function flush(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}
