/** Creates an administrator key on the machine that holds the database, when an operator has lost theirs. */
import { createApiKey } from "../account/api-key.ts";
import type { Config } from "../config/config.ts";
import { Refusal } from "../errors.ts";
import type { Session } from "../session/session.ts";
import { auditedHere } from "./audit.ts";
import { openForCommand } from "./database/start-database.ts";
import { Sessions } from "./sessions.ts";

export async function recoverKey(config: Config, name: string): Promise<string> {
  if (!name.trim() || name.length > 100)
    throw new Refusal("INVALID_VALUE", "name: write what the key is for, 1 to 100 characters.");
  await using resources = new AsyncDisposableStack();
  const orm = await openForCommand({ config, resources, mayCreate: false, mayMigrate: false });
  const create = (session: Session) => createApiKey(session, { name });
  return (await auditedHere(new Sessions(orm, config).asSystem(), "createApiKey", {}, create)).key;
}
