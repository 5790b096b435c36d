/** A database of its own for a test file: a clone of the migrated template. */
import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import pg from "pg";
import { eventually } from "../basics/eventually.ts";

/** The database that all others are cloned from. */
export const template = "zonesmith_test_template";

/** The test server's URL with another database. */
export function withDatabase(name: string): string {
  return (process.env.TEST_SERVER_URL as string).replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
}

export async function onServer(statement: string): Promise<void> {
  await query(process.env.TEST_SERVER_URL as string, statement);
}

export async function query<Row extends pg.QueryResultRow>(
  url: string,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  // A lost connection fails the statement too.
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end();
  }
}

export function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // end() does not wait until its connections are closed; the drop of the database may find one open.
  pool.on("error", () => {});
  return pool;
}

/** Waits until one connection to a database waits for a lock. */
export async function waitsForLock(database: { sql(statement: string): Promise<readonly object[]> }): Promise<void> {
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await eventually(async () => (await database.sql(waiting)).length === 1);
}

/** Clones the template; returns the URL of the clone. */
export function freshDatabase(): Promise<string> {
  return createDatabase(` template ${template}`);
}

/** Creates a database without any tables; returns its URL. */
export function emptyDatabase(): Promise<string> {
  return createDatabase("");
}

async function createDatabase(options: string): Promise<string> {
  const name = `${prefixOfFile()}${randomBytes(6).toString("hex")}`;
  await onServer(`create database ${name}${options}`);
  return withDatabase(name);
}

/** Copies a database as it is now, which nothing is connected to any more; returns the URL of the copy. */
export function copyDatabase(url: string): Promise<string> {
  return eventually(() => createDatabase(` template ${nameOf(url)}`));
}

/** Puts a copy into the place of a database, as a restore of a backup does. */
export async function replaceDatabase(url: string, copy: string): Promise<void> {
  await dropDatabase(url);
  await eventually(() => onServer(`create database ${nameOf(url)} template ${nameOf(copy)}`));
}

/** What the names of the databases of the running test file begin with. */
function prefixOfFile(): string {
  const folders = [process.env.TEST_RUN_FOLDER, process.env.TMPDIR].map((folder = "") => basename(folder));
  return `zonesmith_test_${folders.join("_")}_`.toLowerCase().replaceAll("-", "_");
}

/** Drops the databases of the running test file. */
export async function dropDatabases(): Promise<void> {
  const statement = "select datname as name from pg_database where starts_with(datname, $1)";
  const names = await query<{ name: string }>(process.env.TEST_SERVER_URL as string, statement, [prefixOfFile()]);
  for (const { name } of names) await onServer(`drop database ${name} with (force)`);
}

export async function dropDatabase(url: string): Promise<void> {
  await onServer(`drop database if exists ${nameOf(url)} with (force)`);
}

/** The name of the database at a URL, which may name a socket's folder. */
export const nameOf = (url: string) => new URL(url.replace(/@[^/]*\//, "@host/")).pathname.slice(1);
