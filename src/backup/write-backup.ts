/**
 * Writes a backup from one snapshot of all tables; writes to the database go on meanwhile. It needs only the right to read, and none of
 * PostgreSQL's programs. (Before it, service/take-backup.ts compares the tables, and for that creates the tables of an earlier version if
 * it may.)
 *
 * The backup holds a lock on every table, which only changes of a table's definition have to wait for. So migrations wait until the backup
 * is written. Sequences are read last, so that their values are greater than every id in the snapshot.
 */
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { PoolClient } from "pg";
import {
  checksumLine,
  checksumName,
  fileOf,
  formatName,
  formatText,
  type Manifest,
  manifestName,
  type TableSummary,
} from "./manifest.ts";
import { tableFiles } from "./table-files.ts";
import { migrationTable, quoted, readMigrations, readSequences, readTables, type Table } from "./tables.ts";
import { endOfArchive, entryBytes } from "./tar.ts";

/** Reports progress: the step, and the share of it that is done, 0 to 1. */
export type OnProgress = (step: string, share: number) => void;

interface WriteOptions {
  readonly version: string;
  readonly sealedSecrets: number;
  readonly now: () => Date;
  readonly onProgress: OnProgress;
}

// A higher level takes much longer and saves little, since most of the data are digests.
const gzipLevel = 3;

/** Writes a backup of the database and returns its manifest. The connection must not be in a transaction. */
export async function writeBackup(client: PoolClient, target: Writable, options: WriteOptions): Promise<Manifest> {
  const present = (await readTables(client)).map(({ name }) => quoted(name));
  await client.query("begin isolation level repeatable read read only");
  await client.query("set local enable_seqscan = on");
  try {
    // The first query takes the snapshot, after the lock.
    await client.query("set local lock_timeout = 0");
    await client.query(`lock table ${[migrationTable, ...present].join(", ")} in access share mode`);
    const files = new BackupFiles(client, options);
    const archive = Readable.from(files.archive(), { objectMode: false });
    await pipeline(archive, createGzip({ level: gzipLevel }), target, { end: target !== process.stdout });
    return files.manifest as Manifest;
  } finally {
    await client.query("rollback");
  }
}

class BackupFiles {
  readonly #client: PoolClient;
  readonly #options: WriteOptions;
  readonly #takenAt: Date;
  manifest: Manifest | undefined;

  constructor(client: PoolClient, options: WriteOptions) {
    this.#client = client;
    this.#options = options;
    this.#takenAt = options.now();
  }

  async *archive(): AsyncGenerator<Buffer> {
    yield this.#entry(formatName, formatText);
    const tables = await readTables(this.#client);
    const total = tables.reduce((sum, { size }) => sum + size, 0);
    const summaries: TableSummary[] = [];
    let done = 0;
    for (const table of tables) {
      const onBytes = (bytes: number) =>
        this.#options.onProgress(`writing ${table.name}`, (done + Math.min(bytes, table.size)) / total);
      summaries.push(yield* this.#filesOf(table, onBytes));
      done += table.size;
    }
    const manifest = await this.#describe(summaries);
    const content = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    yield this.#entry(manifestName, content);
    yield this.#entry(checksumName, checksumLine(content));
    yield endOfArchive;
    this.manifest = manifest;
  }

  async *#filesOf(table: Table, onBytes: (bytes: number) => void): AsyncGenerator<Buffer, TableSummary> {
    const files = tableFiles(this.#client, table);
    let bytes = 0;
    for (let at = 1; ; at += 1) {
      const file = await files.next();
      if (file.done) return file.value;
      yield this.#entry(fileOf(table.name, at), file.value);
      bytes += file.value.length;
      onBytes(bytes);
    }
  }

  #entry(name: string, content: string | Buffer): Buffer {
    return entryBytes({ name, content: Buffer.from(content) }, Math.floor(this.#takenAt.getTime() / 1000));
  }

  async #describe(tables: readonly TableSummary[]): Promise<Manifest> {
    const client = this.#client;
    const { rows } = await client.query<{ postgres: string }>("select current_setting('server_version') as postgres");
    return {
      format: 1,
      version: this.#options.version,
      takenAt: this.#takenAt.toISOString(),
      postgres: rows[0]?.postgres ?? "",
      migrations: await readMigrations(client),
      tables,
      sequences: await readSequences(client),
      sealedSecrets: this.#options.sealedSecrets,
    };
  }
}
