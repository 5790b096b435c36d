/**
 * Restores a backup into an empty database, in one transaction: if the process dies, the database is empty or complete. The tables are
 * those of the backup's version until its rows are compared; then later migrations run.
 */
import type { EntityManager, MikroORM, PostgreSqlConnection } from "@mikro-orm/postgresql";
import type { PoolClient } from "pg";
import { unreadableKeys } from "../account/tsig-key.ts";
import { loadBackup, rowsInTheWay } from "../backup/load-backup.ts";
import type { Manifest } from "../backup/manifest.ts";
import { checkBackup } from "../backup/read-backup.ts";
import { readMigrations } from "../backup/tables.ts";
import type { OnProgress } from "../backup/write-backup.ts";
import type { Config } from "../config/config.ts";
import type { Session } from "../session/session.ts";
import { switchOffRestored, unreadableWebhooks } from "../webhook/backup.ts";
import { lockMigrations, migrateWithin } from "./database/migrate.ts";
import { filledByMigrations } from "./database/open-database.ts";
import { openForCommand } from "./database/start-database.ts";
import { Sessions } from "./sessions.ts";

export interface RestoreOptions {
  /** Whether the backup is restored although SECRET_KEY does not open secrets in it. */
  readonly anySecretKey: boolean;
  readonly onProgress: OnProgress;
}

export interface Restored {
  readonly manifest: Manifest;
  /** The number of webhooks that were switched off, and that somebody has to switch on again. */
  readonly webhooksOff: number;
}

/** Restores a backup and returns its manifest. Throws a sentence when it cannot be restored, and then changes nothing. */
export async function restoreBackup(config: Config, file: string, options: RestoreOptions): Promise<Restored> {
  const manifest = await checkBackup(file, options.onProgress);
  await using resources = new AsyncDisposableStack();
  const orm = await openForCommand({ config, resources, mayCreate: true, mayMigrate: true });
  expectKnown(orm, manifest);
  const filled = filledByMigrations.map((entity) => orm.getMetadata().get(entity).tableName);
  const webhooksOff = await inTransaction(orm, async (em, client) => {
    await lockMigrations(em);
    await expectEmpty(client, manifest, filled);
    await orm.migrator.up({ transaction: em.getTransactionContext(), migrations: [...manifest.migrations] });
    await loadBackup(client, file, { manifest, filled, onProgress: options.onProgress });
    options.onProgress("creating indexes", 1);
    await migrateWithin(orm, em);
    const session = { ...new Sessions(orm, config).asSystem(), em };
    if (!options.anySecretKey) await expectSecretKey(session);
    return switchOffRestored(session);
  });
  // Plans need the numbers of rows; without this, PostgreSQL counts them by itself after a while.
  await orm.em
    .getConnection()
    .execute("analyze")
    .catch(() => {});
  return { manifest, webhooksOff };
}

/** Runs a function in a transaction of the ORM, with the transaction's connection. */
async function inTransaction<Result>(
  orm: MikroORM,
  run: (em: EntityManager, client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const pool = await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient();
  let client: PoolClient | undefined;
  pool.once("acquire", (acquired) => {
    client = acquired;
  });
  return orm.em.fork().transactional((em) => run(em, client as PoolClient));
}

function expectKnown(orm: MikroORM, { migrations, version }: Manifest): void {
  const ours = new Set(orm.config.get("migrations").migrationsList?.map(({ name }) => name));
  if (migrations.every((name) => ours.has(name))) return;
  throw new Error(`The backup is of a later version, ${version}; restore it with that version, or a later one.`);
}

/** Throws unless the database has no rows, and no tables that the backup's version does not have. */
async function expectEmpty(
  client: PoolClient,
  { migrations, version }: Manifest,
  filled: readonly string[],
): Promise<void> {
  const inTheWay = await rowsInTheWay(client, filled);
  if (inTheWay.length > 0)
    throw new Error(
      `The database is not empty (rows: ${inTheWay.join(", ")}); nothing was restored. Set DATABASE_URL to an empty database, or DATA_DIR to a new folder.`,
    );
  if ((await readMigrations(client)).some((name) => !migrations.includes(name)))
    throw new Error(
      `The database has tables of a later version than the backup, ${version}; nothing was restored. Restore it into a database without tables, which it migrates then.`,
    );
}

/** Throws when SECRET_KEY does not open all secrets of TSIG keys and webhooks. */
async function expectSecretKey(session: Session): Promise<void> {
  const names = [...(await unreadableKeys(session)), ...(await unreadableWebhooks(session))];
  if (names.length === 0) return;
  throw new Error(
    `SECRET_KEY does not open ${names.length} secrets of TSIG keys and webhooks in the backup (${names.slice(0, 5).join(", ")}); nothing was restored. Set it to what it was where the backup was taken; with --any-secret-key it is restored all the same, and what is signed with these keys is refused, and these webhooks receive nothing.`,
  );
}
