/**
 * Reads a backup in two passes: the first checks that it is complete and unaltered, and returns its manifest; the second reads its rows.
 *
 * Checksums find accidental damage. They are no signature: whoever can write the file can write its checksums too.
 */
import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import {
  checksumLine,
  checksumName,
  formatName,
  formatText,
  type Manifest,
  manifestName,
  readManifest,
  tableOf,
} from "./manifest.ts";
import { type Entry, entriesOf } from "./tar.ts";
import type { OnProgress } from "./write-backup.ts";

interface Content {
  readonly hash: Hash;
  bytes: number;
}

/** Reads a whole backup and returns its manifest; throws a sentence when the file is not a backup, is incomplete or was altered. */
export async function checkBackup(file: string, onProgress: OnProgress): Promise<Manifest> {
  const { size } = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be read (${error.code}); write the path of a backup.`);
  });
  let hasFormat = false;
  try {
    const contents = new Map<string, Content>();
    let manifest: Buffer | undefined;
    let checksum: string | undefined;
    const entries = entriesOf(bytesOf(file, (read) => onProgress("checking the file", size === 0 ? 1 : read / size)));
    for await (const { name, content } of entries) {
      if (!hasFormat && (name !== formatName || content.toString() !== formatText)) break;
      hasFormat = true;
      if (name === manifestName) manifest = content;
      else if (name === checksumName) checksum = content.toString();
      else add(contents, name, content);
    }
    if (!hasFormat) throw new Error("its first file is not that of a backup");
    if (manifest === undefined || checksum !== checksumLine(manifest))
      throw new Error("its manifest does not match its checksum");
    return compare(readManifest(manifest), contents);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EACCES" || code === "EISDIR" || code === "EIO") throw new Error(`${file} cannot be read (${code}).`);
    if (!hasFormat)
      throw new Error(`${file} is not a backup of Zonesmith, or is cut off at its beginning (${message}).`);
    throw new Error(`${file} cannot be restored, nothing was changed: ${message}. Use an earlier backup.`);
  }
}

/** Adds a file to the length and hash of its table; ignores a file of no table. */
function add(contents: Map<string, Content>, name: string, content: Buffer): void {
  const table = tableOf(name);
  if (table === undefined) return;
  const noted = contents.get(table) ?? { hash: createHash("sha256"), bytes: 0 };
  contents.set(table, noted);
  noted.hash.update(content);
  noted.bytes += content.length;
}

/** Returns the manifest when its tables have these contents; throws when a table differs, is missing or is not in the manifest. */
function compare(manifest: Manifest, contents: ReadonlyMap<string, Content>): Manifest {
  for (const { name, bytes, sha256 } of manifest.tables) {
    const content = contents.get(name);
    if (content?.bytes !== bytes || content.hash.digest("hex") !== sha256)
      throw new Error(`its table ${name} does not match its checksum`);
  }
  const names = new Set(manifest.tables.map(({ name }) => name));
  const surplus = [...contents.keys()].filter((name) => !names.has(name));
  if (surplus.length > 0) throw new Error(`it has tables that its manifest does not have (${surplus.join(", ")})`);
  return manifest;
}

/** Yields the uncompressed archive of a file; throws when it cannot be uncompressed. */
export async function* bytesOf(file: string, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const unzipped = createGunzip();
  source.on("error", (error) => unzipped.destroy(error));
  try {
    for await (const chunk of source.pipe(unzipped)) {
      onRead(source.bytesRead);
      yield chunk;
    }
  } catch (error) {
    const reasons: Record<string, string> = {
      Z_BUF_ERROR: "it is cut off",
      Z_DATA_ERROR: "it was altered, or is not compressed by gzip",
    };
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? ""];
    throw reason === undefined ? error : new Error(reason);
  } finally {
    source.destroy();
  }
}

/** Yields the tables of a checked backup, each with its files, in the order of the backup. */
export async function* tablesOf(
  file: string,
): AsyncGenerator<{ readonly name: string; readonly files: AsyncIterable<Buffer> }> {
  const entries = entriesOf(bytesOf(file, () => {}));
  let entry = await entries.next();
  async function* filesOf(name: string): AsyncGenerator<Buffer> {
    for (; !entry.done && nameOf(entry.value) === name; entry = await entries.next()) yield entry.value.content;
  }
  try {
    while (!entry.done) {
      const name = nameOf(entry.value);
      if (name === undefined) entry = await entries.next();
      else yield { name, files: filesOf(name) };
    }
  } finally {
    await entries.return(undefined);
  }
}

const nameOf = (entry: Entry) => tableOf(entry.name);
