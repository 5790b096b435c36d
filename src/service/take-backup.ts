/** Writes a backup to a file that is complete or does not exist. */
import type { Writable } from "node:stream";
import type { MikroORM, PostgreSqlConnection } from "@mikro-orm/postgresql";
import { sealedSecretCount } from "../account/tsig-key.ts";
import type { Manifest } from "../backup/manifest.ts";
import { type OnProgress, writeBackup } from "../backup/write-backup.ts";
import type { Config } from "../config/config.ts";
import { version } from "../version.ts";
import { sealedWebhookCount } from "../webhook/backup.ts";
import { wholeFile } from "../whole-file.ts";
import { laterMigrations, laterText } from "./database/migrate.ts";
import { openForCommand } from "./database/start-database.ts";
import { lineOf, NotCompared, tableDifferences } from "./database/table-structure.ts";
import { Sessions } from "./sessions.ts";

interface TakenBackup {
  readonly manifest: Manifest;
  /** Whether the tables were compared with those that a restore creates; the role may have no right to do so. */
  readonly isCompared: boolean;
}

/** Writes a backup to a file, or to standard output for `-`. */
export async function takeBackup(config: Config, file: string, onProgress: OnProgress): Promise<TakenBackup> {
  await using resources = new AsyncDisposableStack();
  const orm = await openForCommand({ config, resources, mayCreate: false, mayMigrate: true });
  const isCompared = await expectRestorable(orm);
  const pool = await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient();
  const client = await pool.connect();
  resources.defer(() => client.release());
  const session = new Sessions(orm, config).asSystem();
  const sealedSecrets = (await sealedSecretCount(session)) + (await sealedWebhookCount(session));
  const options = { version: version(), sealedSecrets, now: () => new Date(), onProgress };
  // The database stays open until the backup is written.
  const write = (target: Writable) => writeBackup(client, target, options);
  return { manifest: await (file === "-" ? write(process.stdout) : wholeFile(file, "The backup", write)), isCompared };
}

/** Throws when a restore would create other tables than these; returns whether the tables could be compared. */
async function expectRestorable(orm: MikroORM): Promise<boolean> {
  const { names } = await laterMigrations(orm);
  if (names.length > 0)
    throw new Error(`Nothing was written: the ${laterText(names)}. Take the backup by the later version.`);
  const all = await tableDifferences(orm).catch((error: unknown) => {
    if (!(error instanceof NotCompared)) throw error;
  });
  if (all === undefined) return false;
  const differences = all.filter(({ isOfRows }) => isOfRows);
  if (differences.length === 0) return true;
  throw new Error(
    `Nothing was written: the backup could not be restored, since the tables are not those of their version (${lineOf(differences)}). docs/upgrade.md says how to correct them; pg_dump takes them as they are.`,
  );
}
