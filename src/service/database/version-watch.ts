/**
 * Watches whether a later version migrates the database while this version runs. If the database allows this version, the log says so once;
 * otherwise the service stops, since it could write wrong data.
 */
import type { MikroORM } from "@mikro-orm/postgresql";
import type { Logger } from "pino";
import { forbiddenText, laterMigrations, laterText } from "./migrate.ts";

export interface VersionWatchDeps {
  readonly orm: MikroORM;
  readonly log: Pick<Logger, "warn">;
  /** Stops the service, for this reason. */
  readonly onFailure: (reason: string) => void;
}

export class VersionWatch {
  readonly #deps: VersionWatchDeps;
  #isSaid = false;

  constructor(deps: VersionWatchDeps) {
    this.#deps = deps;
  }

  /** Returns whether this version may go on. */
  async look(): Promise<boolean> {
    const { orm, log, onFailure } = this.#deps;
    const { names, forbidden } = await laterMigrations(orm);
    if (names.length > 0 && !this.#isSaid) {
      this.#isSaid = true;
      if (forbidden.length === 0)
        log.warn(`the ${laterText(names)}, but may go on with it; upgrade this instance too (docs/upgrade.md)`);
    }
    if (forbidden.length > 0) onFailure(forbiddenText(forbidden));
    return forbidden.length === 0;
  }
}
