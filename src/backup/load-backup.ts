/** Loads a backup into empty tables of its version, reads it back, and compares rows and checksums. */
import type { PoolClient } from "pg";
import { copyIn } from "../database/copy-in.ts";
import type { Manifest, TableSummary } from "./manifest.ts";
import { tablesOf } from "./read-backup.ts";
import { tableFiles } from "./table-files.ts";
import { copyInText, quoted, readTables, setSequenceText, type Table } from "./tables.ts";
import type { OnProgress } from "./write-backup.ts";

/** PostgreSQL's error code for a lock that was not granted within lock_timeout. */
const lockTimeout = "55P03";

/** Returns the number of rows of each table that should be empty and is not, such as `user 3`, except the tables that migrations fill. */
export async function rowsInTheWay(client: PoolClient, filled: readonly string[]): Promise<readonly string[]> {
  const tables = (await readTables(client)).filter(({ name }) => !filled.includes(name));
  if (tables.length === 0) return [];
  await lockTables(client, tables);
  const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::int as count from ${quoted(name)}`);
  const { rows } = await client.query<{ name: string; count: number }>(counts.join(" union all "));
  return rows.filter(({ count }) => count > 0).map(({ name, count }) => `${name} ${count}`);
}

/** Locks the tables against everybody else until the end of the transaction; throws when they are in use. */
async function lockTables(client: PoolClient, tables: readonly Table[]): Promise<void> {
  await client.query("set local lock_timeout = '10s'");
  try {
    await client.query(`lock table ${tables.map(({ name }) => quoted(name)).join(", ")} in access exclusive mode`);
  } catch (error) {
    if ((error as { readonly code?: string }).code !== lockTimeout) throw error;
    throw new Error("The database is in use; stop the service on it, every instance of it. Nothing was restored.");
  }
}

interface LoadOptions {
  readonly manifest: Manifest;
  readonly filled: readonly string[];
  readonly onProgress: OnProgress;
}

/**
 * Loads a checked backup into tables, and compares the loaded tables with the backup. The tables must be empty, except those that
 * migrations have filled, whose rows are deleted first. Throws when the tables and the backup differ.
 */
export async function loadBackup(
  client: PoolClient,
  file: string,
  { manifest, filled, onProgress }: LoadOptions,
): Promise<void> {
  const summaries = new Map(manifest.tables.map((table) => [table.name, table]));
  await expectTables(client, summaries);
  for (const name of filled) if (summaries.has(name)) await client.query(`delete from ${quoted(name)}`);
  const progressOf = counterOf(manifest, onProgress);
  for await (const { name, files } of tablesOf(file)) {
    const table = summaries.get(name) as TableSummary;
    const rows = await copyIn(client, copyInText(table), counted(files, progressOf(`loading ${name}`)));
    if (rows !== table.rows)
      throw new Error(`${rows} rows of ${name} were stored, not ${table.rows}; nothing was restored.`);
  }
  // A later migration cannot alter a table while checks of its constraints are pending.
  await client.query("set constraints all immediate");
  for (const sequence of manifest.sequences) await client.query(setSequenceText(sequence));
  await compareTables(client, summaries, counterOf(manifest, onProgress));
}

async function expectTables(client: PoolClient, summaries: ReadonlyMap<string, TableSummary>): Promise<void> {
  const columnsOf = (columns: readonly string[]) => columns.join(", ");
  const present = new Map((await readTables(client)).map(({ name, columns }) => [name, columnsOf(columns)]));
  const others = [...new Set([...present.keys(), ...summaries.keys()])].filter(
    (name) => present.get(name) !== columnsOf(summaries.get(name)?.columns ?? []),
  );
  if (others.length > 0)
    throw new Error(
      `The tables ${others.join(", ")} in the backup differ from the tables of its version here; nothing was restored.`,
    );
}

/** Reads all tables in the form of a backup; throws when the rows or checksum of one differ from the backup's. */
async function compareTables(
  client: PoolClient,
  summaries: ReadonlyMap<string, TableSummary>,
  progressOf: (step: string) => (bytes: number) => void,
): Promise<void> {
  for (const table of await readTables(client)) {
    const onBytes = progressOf(`comparing ${table.name}`);
    const files = tableFiles(client, table);
    let file = await files.next();
    for (; !file.done; file = await files.next()) onBytes(file.value.length);
    const { rows, sha256 } = file.value;
    const wanted = summaries.get(table.name);
    if (rows !== wanted?.rows || sha256 !== wanted.sha256)
      throw new Error(`The table ${table.name} differs from the backup after it was stored; nothing was restored.`);
  }
}

/** Returns a function that makes a counter of bytes for each step. The counters report how much of all tables' bytes is done, 0 to 1. */
function counterOf({ tables }: Manifest, onProgress: OnProgress): (step: string) => (bytes: number) => void {
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  return (step) => (bytes) => {
    done += bytes;
    onProgress(step, done / total);
  };
}

async function* counted(files: AsyncIterable<Buffer>, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const file of files) {
    yield file;
    onBytes(file.length);
  }
}
