/**
 * The administrator key of the first start.
 *
 * The key must not be lost when the process dies. Only its hash is stored, so a key that is stored before anybody has seen it could never
 * be known. Therefore the key is shown first and stored afterwards. To show it, it is printed on a terminal, or written to a file of
 * DATA_DIR that only its owner may read, and flushed to the disk. If the process dies in between, the shown key never works; the next start
 * finds no stored key and shows a new one. Steps that can fail for other reasons are taken before: HTTP and DNS are already listening.
 * Instances that start at the same time take turns. When nobody would see the key, none is created, and the log says how to get one.
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
 * The state of the administrator's keys after a start. `created`: this start created the key; `file` holds it unless it is on the terminal
 * or in ADMIN_API_KEY. `unused`: no key was ever used; `file` holds one, if the file exists. `none`: no key was created, since nobody would
 * have seen it. `used`: a key was used before, or ADMIN_API_KEY is set.
 */
export type FirstKey =
  | { readonly kind: "created" | "unused"; readonly file: string | undefined }
  | { readonly kind: "none" | "used" };

/** How the first key is shown. `text` returns the welcome text around a key, or around ADMIN_API_KEY for undefined. */
interface KeyDisplay {
  readonly text: (key: string | undefined) => string;
  readonly terminal: ((text: string) => void) | undefined;
}

/** The advisory lock of the first key: "zonesmKy" in ASCII. */
const firstKeyLock = 0x7a6f6e65736d4b79n;

/** Stores ADMIN_API_KEY or a new key as the first administrator key, unless there is one; returns the state of administrators' keys. */
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

async function storeFirst(inner: Session, key: string): Promise<void> {
  const { id } = await storeKey(inner, { name: "administrator" }, key);
  await noteDone(inner, "createApiKey", id);
}

const stateOf = (isKnown: boolean, file: string | undefined): FirstKey =>
  isKnown ? { kind: "used" } : { kind: "unused", file: file !== undefined && existsSync(file) ? file : undefined };

function removeOld(file: string | undefined): void {
  try {
    if (file !== undefined) rmSync(file, { force: true });
  } catch {
    // The folder cannot be written: then the file does not exist, or its key is harmless.
  }
}

/** Writes a whole file that only its owner may read, and flushes it to the disk; throws a sentence that says what to do when it cannot. */
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
