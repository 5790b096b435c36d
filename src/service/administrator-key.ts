/**
 * The administrator key of the first start.
 *
 * No key is lost, whenever the process dies. Only the hash of a key is stored, so a key that is stored before anybody
 * has seen it may be lost for good. So it is shown first and stored then: printed on a terminal, otherwise written to a
 * file of DATA_DIR that only its owner may read, and flushed to the disk. A process that dies in between leaves a key
 * that is shown and never works; the next start finds none, and shows a new one. What may fail for other reasons
 * comes before: HTTP and DNS listen already. Instances that start at the same time take turns. Where nobody would see
 * the key, no key is created, and the log says how to get one.
 */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { administratorKeys, newKey, storeKey } from "../account/api-key.ts";
import { noteDone } from "../audit/audited.ts";
import type { Config } from "../config/config.ts";
import { makeFolder } from "../make-folder.ts";
import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { sql } from "../sql/sql.ts";

/**
 * The state of the administrator's keys after a start. `created`: by this start; `file` holds the key, when it is not
 * on the terminal or in ADMIN_API_KEY. `unused`: none was ever used; `file` holds one, if it is there. `none`: none was
 * created, since nobody would have seen it.
 */
export type FirstKey =
  | { readonly kind: "created" | "unused"; readonly file: string | undefined }
  | { readonly kind: "none" | "used" };

/** How the first key is shown: the text around it (around ADMIN_API_KEY, when that is undefined), and the terminal. */
export interface KeyDisplay {
  readonly text: (key: string | undefined) => string;
  readonly terminal: ((text: string) => void) | undefined;
}

/** The advisory lock of the first key: "zonesmKy" in ASCII. */
const firstKeyLock = 0x7a6f6e65736d4b79n;

/** Creates the first administrator key, or stores ADMIN_API_KEY as it, when there is no administrator key yet. */
export async function createFirstKey(session: Session, config: Config, display: KeyDisplay): Promise<FirstKey> {
  const file = config.DATA_DIR === "" ? undefined : join(resolve(config.DATA_DIR), "administrator-key.txt");
  return transaction(session, async (inner) => {
    await sql`select pg_advisory_xact_lock(${sql.raw(String(firstKeyLock))})`.run(inner);
    const { exist, wereUsed } = await administratorKeys(inner);
    const { text, terminal } = display;
    if (wereUsed || (terminal && !exist)) removeOld(file);
    if (exist) return stateOf(wereUsed || config.ADMIN_API_KEY !== "", file);
    if (config.ADMIN_API_KEY !== "") {
      terminal?.(text(undefined));
      await storeFirst(inner, config.ADMIN_API_KEY);
      return { kind: "created", file: undefined };
    }
    const key = newKey();
    if (terminal) terminal(text(key));
    else if (file !== undefined) writePrivately(file, text(key));
    else return { kind: "none" };
    await storeFirst(inner, key);
    return { kind: "created", file: terminal ? undefined : file };
  });
}

/** Stores the first key, with an entry of the audit. */
async function storeFirst(inner: Session, key: string): Promise<void> {
  const { id } = await storeKey(inner, { name: "administrator" }, key);
  await noteDone(inner, "createApiKey", id);
}

const stateOf = (isKnown: boolean, file: string | undefined): FirstKey =>
  isKnown ? { kind: "used" } : { kind: "unused", file: file !== undefined && existsSync(file) ? file : undefined };

/** Removes a file whose key is known to its owner, or never worked. */
function removeOld(file: string | undefined): void {
  try {
    if (file !== undefined) rmSync(file, { force: true });
  } catch {
    // The folder cannot be written; then the file is not there either, or harmless.
  }
}

/** Writes a file that only its owner may read, as a whole and flushed to the disk; throws what to do when it cannot. */
function writePrivately(file: string, text: string): void {
  const temporary = `${file}.new`;
  try {
    makeFolder(dirname(file));
    rmSync(temporary, { force: true });
    const opened = openSync(temporary, "wx", 0o600);
    try {
      writeSync(opened, text);
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
    renameSync(temporary, file);
    const folder = openSync(dirname(file), "r");
    fsyncSync(folder);
    closeSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `The administrator key cannot be written to ${file} (${code}); set DATA_DIR to a folder that the service may write.`,
    );
  }
}
