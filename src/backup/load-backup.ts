/**
 * Loads the rows of a backup into empty tables of the same version, within a transaction, and reads them back: each table has to
 * have the rows and the checksum of the backup.
 */
import type { PoolClient } from "pg";
import { copyIn } from "../database/copy-in.ts";
import type { Manifest, TableSummary } from "./manifest.ts";
import { tablesOf } from "./read-backup.ts";
import { tableFiles } from "./table-files.ts";
import { copyInText, quoted, readTables, setSequenceText, type Table } from "./tables.ts";
import type { OnProgress } from "./write-backup.ts";

/** PostgreSQL's code for a lock that was waited for too long. */
const lockTimeout = "55P03";

/** How many rows there are in tables that should be empty, such as `user 3`; those that migrations filled do not count. */
export async function rowsInTheWay(client: PoolClient, filled: readonly string[]): Promise<readonly string[]> {
  const tables = (await readTables(client)).filter(({ name }) => !filled.includes(name));
  if (tables.length === 0) return [];
  await lockTables(client, tables);
  const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::int as count from ${quoted(name)}`);
  const { rows } = await client.query<{ name: string; count: number }>(counts.join(" union all "));
  return rows.filter(({ count }) => count > 0).map(({ name, count }) => `${name} ${count}`);
}

/** Keeps everybody else from the tables until the end of the transaction. */
async function lockTables(client: PoolClient, tables: readonly Table[]): Promise<void> {
  await client.query("set local lock_timeout = '10s'");
  try {
    await client.query(`lock table ${tables.map(({ name }) => quoted(name)).join(", ")} in access exclusive mode`);
  } catch (error) {
    if ((error as { readonly code?: string }).code !== lockTimeout) throw error;
    throw new Error("The database is in use; stop the service on it, every instance of it. Nothing was restored.");
  }
}

export interface LoadOptions {
  /** What the backup says of itself. */
  readonly manifest: Manifest;
  /** The tables that migrations filled. */
  readonly filled: readonly string[];
  readonly onProgress: OnProgress;
}

/** Loads a backup that was checked, and compares what was loaded. The tables are empty but for the rows of migrations. */
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
  // Later migrations may change tables for which no check is pending.
  await client.query("set constraints all immediate");
  for (const sequence of manifest.sequences) await client.query(setSequenceText(sequence));
  await compareTables(client, summaries, counterOf(manifest, onProgress));
}

/** Throws unless the tables and columns are those of the backup. */
async function expectTables(client: PoolClient, summaries: ReadonlyMap<string, TableSummary>): Promise<void> {
  const columnsOf = (columns: readonly string[]) => columns.join(", ");
  const present = new Map((await readTables(client)).map(({ name, columns }) => [name, columnsOf(columns)]));
  const others = [...new Set([...present.keys(), ...summaries.keys()])].filter(
    (name) => present.get(name) !== columnsOf(summaries.get(name)?.columns ?? []),
  );
  if (others.length > 0)
    throw new Error(
      `The tables ${others.join(", ")} are other ones in the backup than its version has here; nothing was restored.`,
    );
}

/** Reads all tables as a backup of them would be. */
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
      throw new Error(`The table ${table.name} is not what is in the backup, once it is stored; nothing was restored.`);
  }
}

/** Counts the bytes of all tables together; for each step, what is called with those of a file. */
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
