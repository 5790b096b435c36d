/**
 * Administrator keys that come without an API: the first one, and the one for an operator who lost theirs.
 */
import { pino } from "pino";
import { createApiKey, hasAdministratorKey, storeKey } from "../account/api-key.ts";
import type { Config } from "../config.ts";
import { Refusal } from "../errors.ts";
import { runningPostgres } from "../postgres/embedded.ts";
import type { Session } from "../session/session.ts";
import { Sessions } from "./session-factory.ts";
import { startDatabase } from "./start-database.ts";

/** Creates the first administrator key, or stores ADMIN_API_KEY as it; undefined when there is an administrator key already. */
export async function createFirstKey(session: Session, config: Config): Promise<string | undefined> {
  if (await hasAdministratorKey(session.em)) return undefined;
  const grant = { name: "administrator" };
  if (config.ADMIN_API_KEY === "") return (await createApiKey(session, grant)).key;
  await storeKey(session, grant, config.ADMIN_API_KEY);
  return config.ADMIN_API_KEY;
}

/** Issues a new administrator key on the machine that holds the database, whether the service runs or not. */
export async function recoverKey(config: Config, name: string): Promise<string> {
  if (!name.trim() || name.length > 100)
    throw new Refusal("INVALID_VALUE", "name: write what the key is for, 1 to 100 characters.");
  const running = config.DATABASE_URL === "" ? runningPostgres(config.DATA_DIR) : undefined;
  const reachable = running === undefined ? config : { ...config, DATABASE_URL: running };
  await using resources = new AsyncDisposableStack();
  const orm = await startDatabase({ config: reachable, log: pino({ level: "silent" }), resources });
  return (await createApiKey(new Sessions(orm, config).asSystem(), { name })).key;
}
