/** The database of the running service: the ORM, the pipelined connections, and the watch for later versions. */
import type { MikroORM } from "@mikro-orm/postgresql";
import type { Common, StartOptions } from "./common.ts";
import { type Pipelines, startPipelines } from "./database/pipelines.ts";
import { startDatabase } from "./database/start-database.ts";
import { versionWatch } from "./database/version-watch.ts";

export interface ServiceDatabase {
  readonly orm: MikroORM;
  readonly pipelines: Pipelines;
  /** Looks for later versions; returns whether this version may go on. */
  readonly mayGoOn: () => Promise<boolean>;
}

/** Opens the database and migrates it; throws a sentence that says what to do when it is not Zonesmith's. */
export async function openServiceDatabase(
  common: Common,
  { mayCreate = true, worker }: StartOptions,
): Promise<ServiceDatabase> {
  const { config, log, resources, shutdown, onFailure } = common;
  const orm = await startDatabase({
    config,
    log,
    resources,
    shutdown,
    onFailure,
    mayCreate,
    isMigrated: worker !== undefined,
  });
  const pipelines = await startPipelines({ config, orm, supervisor: shutdown.supervisor, resources });
  return { orm, pipelines, mayGoOn: versionWatch({ orm, log, onFailure }) };
}
