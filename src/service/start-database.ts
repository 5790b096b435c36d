/**
 * The database of the running service: the operator's PostgreSQL at DATABASE_URL, otherwise the embedded one, with its tables up to
 * date.
 */
import type { MikroORM } from "@mikro-orm/postgresql";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { isMigrated, migrate, openDatabase } from "../database.ts";
import { startEmbeddedPostgres } from "../postgres/embedded.ts";

/**
 * Opens the database and migrates it; `resources` closes it again. `onFailure` is called with the last lines of the embedded
 * PostgreSQL when it ends by itself.
 */
export async function startDatabase(
  config: Config,
  log: Logger,
  resources: AsyncDisposableStack,
  onFailure: (reason: string) => void = () => {},
): Promise<MikroORM> {
  const url = config.DATABASE_URL || (await startPostgres(config, log, resources, onFailure));
  const orm = await openDatabase({ url, connections: config.DATABASE_POOL });
  resources.defer(() => orm.close(true));
  await migrate(orm);
  return orm;
}

async function startPostgres(
  config: Config,
  log: Logger,
  resources: AsyncDisposableStack,
  onFailure: (reason: string) => void,
): Promise<string> {
  const postgres = await startEmbeddedPostgres(config.DATA_DIR, { log: (line) => log.info(line) });
  resources.defer(() => postgres.stop());
  postgres.onExit((lastLines) => onFailure(`The embedded PostgreSQL stopped by itself: ${lastLines}`));
  return postgres.url;
}

/** Why the database is not ready for requests; undefined when it is. */
export async function whyNotReady(orm: MikroORM): Promise<string | undefined> {
  try {
    return (await isMigrated(orm)) ? undefined : "a migration is missing";
  } catch {
    return "the database cannot be reached";
  }
}

/** The URL that a database was opened with. */
export const urlOf = (orm: MikroORM) => orm.config.get("clientUrl") as string;
