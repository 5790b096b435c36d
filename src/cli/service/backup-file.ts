/**
 * Which of its two meanings `restore` has: a backup is a file that gzip wrote, or whose name ends as one; anything else is a domain.
 */
import { closeSync, openSync, readSync } from "node:fs";

/** What a file begins with that gzip wrote (RFC 1952 §2.3.1). */
const gzipMark = Buffer.from([0x1f, 0x8b]);

/** Whether `restore` is given a backup. No domain ends in .gz, which is no top-level domain. */
export function isBackupFile(word: string): boolean {
  if (/\.gz$/i.test(word)) return true;
  try {
    const file = openSync(word, "r");
    try {
      const start = Buffer.alloc(gzipMark.length);
      readSync(file, start);
      return start.equals(gzipMark);
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
