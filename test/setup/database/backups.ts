/** Backups of a test file: what is taken and restored by the functions behind the commands, in a folder of its own. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Manifest } from "../../../src/backup/manifest.ts";
import { type Entry, endOfArchive, entriesOf, entryBytes } from "../../../src/backup/tar.ts";
import { readConfig } from "../../../src/config/config.ts";
import { restoreBackup } from "../../../src/service/restore-backup.ts";
import { takeBackup } from "../../../src/service/take-backup.ts";
import { temporaryFolder } from "../basics/temporary-folder.ts";

const quietly = () => {};

export class Backups {
  readonly folder = temporaryFolder();
  #count = 0;

  /** The path of a file that is not there yet. */
  newFile(): string {
    this.#count += 1;
    return join(this.folder, `${this.#count}.tar.gz`);
  }

  async take(url: string): Promise<string> {
    const file = this.newFile();
    await takeBackup(readConfig({ DATABASE_URL: url }), file, quietly);
    return file;
  }

  /** Restores a backup into a database; whatever its TSIG secrets are sealed with, unless that matters. */
  async restore(
    file: string,
    url: string,
    settings: Record<string, string> = {},
    anySecretKey = true,
  ): Promise<Manifest> {
    const config = readConfig({ DATABASE_URL: url, ...settings });
    return (await restoreBackup(config, file, { anySecretKey, onProgress: quietly })).manifest;
  }

  /** Writes a file with other entries than a backup has. */
  async altered(file: string, alter: (entries: Entry[]) => Entry[]): Promise<string> {
    const entries: Entry[] = [];
    const bytes = gunzipSync(readFileSync(file));
    for await (const entry of entriesOf(only(bytes))) entries.push({ ...entry, content: Buffer.from(entry.content) });
    return this.write(gzipSync(Buffer.concat([...alter(entries).map((each) => entryBytes(each, 0)), endOfArchive])));
  }

  write(bytes: Buffer): string {
    const file = this.newFile();
    writeFileSync(file, bytes);
    return file;
  }
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
