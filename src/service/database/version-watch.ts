/** Watches for migrations of a later version. If the database does not allow this version, the service stops. */
import type { MikroORM } from "@mikro-orm/postgresql";
import type { Logger } from "pino";
import { forbiddenText, laterMigrations, laterText } from "./migrate.ts";

interface VersionWatchDeps {
  readonly orm: MikroORM;
  readonly log: Pick<Logger, "warn">;
  /** Stops the service, for this reason. */
  readonly onFailure: (reason: string) => void;
}

/** Returns the function that looks; it returns whether this version may go on. */
export function versionWatch({ orm, log, onFailure }: VersionWatchDeps): () => Promise<boolean> {
  let isSaid = false;
  return async () => {
    const { names, forbidden } = await laterMigrations(orm);
    if (forbidden.length > 0) onFailure(forbiddenText(forbidden));
    else if (names.length > 0 && !isSaid)
      log.warn(`the ${laterText(names)}, but may go on with it; upgrade this instance too (docs/upgrade.md)`);
    isSaid ||= names.length > 0;
    return forbidden.length === 0;
  };
}
