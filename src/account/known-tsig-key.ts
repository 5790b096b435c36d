/**
 * TSIG keys for the name server, through the cache of key-cache.ts. Each existing key is read at most once a second; for unknown names the
 * list of all names is read at most once a second, however many messages come. A key that another process creates or revokes takes effect
 * within that second, a key of this process at once.
 * Limitation: one message a second with an unknown key, which anybody can forge, causes a read of the list every second.
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

/** Returns the working key of this name with its secret; undefined when no such key works now. */
export async function knownTsigKey(session: Session, name: string): Promise<TsigSecret | undefined> {
  const { em } = session;
  const { names } = keyCacheOf(em);
  const earlier = names.get("TSIG")?.accepted as ReadonlySet<string> | undefined;
  if (!earlier?.has(name) && !(await lookUpKey(names, "TSIG", () => readNames(session))).has(name)) return undefined;
  const read = async () => ({ key: await tsigSecret(session, { name }) });
  const { key } = await lookUpKey(keyCacheOf(em).keys, `TSIG key ${name}`, read);
  return key?.expiresAt && key.expiresAt <= session.now() ? undefined : key;
}
