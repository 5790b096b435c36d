/** The database of the running service: the ORM, the pipelined connections, and the watch for later versions. */
import type { MikroORM } from "@mikro-orm/postgresql";
import { Replicas } from "../database/replicas.ts";
import type { Common, StartOptions } from "./common.ts";
import { type Pipelines, startPipelines } from "./database/pipelines.ts";
import { startDatabase, urlOf } from "./database/start-database.ts";
import { versionWatch } from "./database/version-watch.ts";

export interface ServiceDatabase {
  readonly orm: MikroORM;
  readonly pipelines: Pipelines;
  readonly replicas: Replicas;
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
  const { supervisor } = shutdown;
  const replicas = new Replicas({ url: urlOf(orm), readUrl: config.DATABASE_READ_URL, supervisor, log });
  resources.defer(() => replicas.close());
  const pipelines = await startPipelines({ config, orm, replicas, supervisor, resources });
  return { orm, pipelines, replicas, mayGoOn: versionWatch({ orm, log, onFailure }) };
}
