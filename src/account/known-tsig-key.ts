/**
 * TSIG keys as the name server knows them. However many messages come, the database is read little: each existing key at most once a second;
 * for unknown names, the list of all names at most once a second. A key that another process makes or revokes is seen within that second, one
 * of this process at once (key-cache.ts).
 * Limitation: one message a second with an unknown key, which anybody can forge, makes us read that list every second.
 */

import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { readOne } from "../sql/single-statement.ts";
import { slottedStatement } from "../sql/slot.ts";
import { sql } from "../sql/sql.ts";
import { keyCacheOf, lookUpKey } from "./key-cache.ts";
import { TsigKey, type TsigSecret, tsigSecret } from "./tsig-key.ts";

const t = table(TsigKey, "t");

const namesOfAll = slottedStatement<Record<string, never>>(
  sql`select coalesce(json_agg(${t.name}), '[]')::text as row from ${t}`,
);

const readNames = async (session: Session): Promise<ReadonlySet<string>> =>
  new Set(await readOne<string[], Record<string, never>>(session, namesOfAll, {}));

/** The key of this name that works now, with its secret; undefined when no such key does. */
export async function knownTsigKey(session: Session, name: string): Promise<TsigSecret | undefined> {
  const { em } = session;
  const { names } = keyCacheOf(em);
  const earlier = names.get("TSIG")?.accepted as ReadonlySet<string> | undefined;
  if (!earlier?.has(name) && !(await lookUpKey(names, "TSIG", () => readNames(session))).has(name)) return undefined;
  const read = async () => ({ key: await tsigSecret(session, { name }) });
  const { key } = await lookUpKey(keyCacheOf(em).keys, `TSIG key ${name}`, read);
  return key?.expiresAt && key.expiresAt <= session.now() ? undefined : key;
}
