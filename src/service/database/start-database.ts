/** Opens the database of the running service, the operator's PostgreSQL at DATABASE_URL or the embedded one, and migrates it. */
import type { MikroORM } from "@mikro-orm/postgresql";
import { type Logger, pino } from "pino";
import type { Config } from "../../config/config.ts";
import type { ConnectionSupervisor } from "../../database/connection-supervisor.ts";
import { runningPostgres, startEmbeddedPostgres } from "../../postgres/embedded.ts";
import { expectOurDatabase, type Permissions } from "./expected-database.ts";
import { expectUsable, laterMigrations, migrate } from "./migrate.ts";
import { openDatabase } from "./open-database.ts";
import { expectOwnerOf, migrateByOwner } from "./table-owner.ts";
import { lineOf, tableDifferences } from "./table-structure.ts";

const withoutIndexes =
  "searches for parts of names and data read every record, as this database is without the extension pg_trgm: install it (postgresql-contrib), let a superuser run CREATE EXTENSION pg_trgm in the database, and restart";

/** `resources` closes the database. `onFailure` is called when the embedded PostgreSQL has ended and does not start again. */
interface DatabaseDeps {
  readonly config: Config;
  readonly log: Logger;
  readonly resources: AsyncDisposableStack;
  /**
   * The shutdown of the service: it breaks the connections, and limits the time in which the embedded PostgreSQL may end. Undefined for a
   * command.
   */
  readonly shutdown?: { readonly supervisor: ConnectionSupervisor; readonly timeLeftMs: number };
  readonly onFailure?: (reason: string) => void;
  readonly mayCreate?: boolean;
  /** Whether another process has migrated the database at this start. */
  readonly isMigrated?: boolean;
}

/** Opens the database and migrates it; throws a sentence that says what to write when it is not Zonesmith's. */
export async function startDatabase(deps: DatabaseDeps): Promise<MikroORM> {
  const { log, mayCreate = true, isMigrated = false } = deps;
  const orm = await reachDatabase(deps);
  if (isMigrated) return orm;
  const { hasSearchIndexes } = await migrated(orm, deps.config, mayCreate).catch((error) => fail(orm, error));
  if (!hasSearchIndexes) log.warn(withoutIndexes);
  await sayDifferences(orm, log);
  return orm;
}

async function sayDifferences(orm: MikroORM, log: Logger): Promise<void> {
  if ((await laterMigrations(orm)).names.length > 0) return;
  const differences = await tableDifferences(orm);
  if (differences.length > 0)
    log.error(`the tables are not those of this version: ${lineOf(differences)}; docs/upgrade.md says what to do`);
}

/** Throws the error of a migration, with what differs where the tables were not those of the earlier version. */
async function fail(orm: MikroORM, error: Error & { readonly code?: unknown }): Promise<never> {
  const differences = error.code === undefined ? [] : await tableDifferences(orm).catch(() => []);
  if (differences.length === 0) throw error;
  throw new Error(
    `The database could not be migrated, and is as it was (${error.message}): its tables are not those of its version: ${lineOf(differences)}; docs/upgrade.md says what to do`,
    { cause: error },
  );
}

/** Migrates the database, with the role of DATABASE_OWNER_URL if it is set. */
async function migrated(orm: MikroORM, config: Config, mayCreate: boolean): Promise<{ hasSearchIndexes: boolean }> {
  if (config.DATABASE_OWNER_URL !== "") return migrateByOwner(orm, config, mayCreate);
  await expectOurDatabase(orm, { mayCreate, mayMigrate: true });
  return migrate(orm);
}

async function reachDatabase(deps: DatabaseDeps): Promise<MikroORM> {
  const { config, resources, shutdown } = deps;
  const url = config.DATABASE_URL || (await startPostgres(deps));
  const { DATABASE_POOL: connections, LIST_TIMEOUT_MS: listTimeoutMs } = config;
  const own = shutdown && { supervisor: shutdown.supervisor };
  const orm = await openDatabase({ url, connections, listTimeoutMs, ...own });
  resources.defer(() => orm.close(true));
  return orm;
}

interface CommandDeps extends Permissions {
  readonly config: Config;
  readonly resources: AsyncDisposableStack;
}

/**
 * Opens the database for a command, whether or not the service runs. When another process runs the embedded PostgreSQL, it is reached by
 * its socket. The database is not migrated. Throws a sentence that says what to write when the database is not Zonesmith's.
 */
export async function openForCommand({ config, resources, ...permissions }: CommandDeps): Promise<MikroORM> {
  const running = config.DATABASE_URL === "" ? runningPostgres(config.DATA_DIR) : undefined;
  const owner = running === undefined && permissions.mayMigrate ? config.DATABASE_OWNER_URL : "";
  const reachable = { ...config, DATABASE_URL: running ?? (owner || config.DATABASE_URL) };
  const { mayCreate } = permissions;
  const orm = await reachDatabase({ config: reachable, log: pino({ level: "silent" }), resources, mayCreate });
  if (owner !== "") await expectOwnerOf(config, orm);
  await expectOurDatabase(orm, permissions);
  await expectUsable(orm);
  return orm;
}

/** The embedded PostgreSQL takes so many connections for each worker, and 100 at least. */
const connectionsOfWorker = 50;

async function startPostgres(deps: DatabaseDeps): Promise<string> {
  const { config, log, resources, shutdown, onFailure = () => {}, mayCreate = true } = deps;
  const settings = { max_connections: String(connectionsOfWorker * Math.max(2, config.WORKERS)) };
  const postgres = await startEmbeddedPostgres(config.DATA_DIR, { settings, log: (line) => log.warn(line), mayCreate });
  resources.defer(() => postgres.stop(shutdown?.timeLeftMs));
  postgres.onExit((lastLines) =>
    onFailure(`The embedded PostgreSQL ended by itself, and starting it again did not help: ${lastLines}`),
  );
  return postgres.url;
}

/** The URL of an opened database; it may name several servers. */
export const urlOf = (orm: MikroORM) =>
  (orm.config.get("driverOptions") as { readonly connectionString: string }).connectionString;
