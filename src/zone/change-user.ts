/**
 * The user whose key made a change. The journal has the name and fingerprint of an API key, or the name of a TSIG key; such names are
 * never given to another key, and revoked keys are kept. Keys that were deleted with their user are not found.
 */

import { ApiKey } from "../account/api-key.ts";
import { TsigKey } from "../account/tsig-key.ts";
import type { Session } from "../session/session.ts";
import { Reference, table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Change, ChangeSource } from "./change.ts";

const c = table(Change, "c");
const k = table(ApiKey, "k");
const t = table(TsigKey, "t");

export const userIdOfChange = new Reference<number | null>(`(
  select coalesce(${k.userId}, ${t.userId})
  from (select substring(${c.actor} from ' [(]([0-9a-f]{8})[)]$') collate "C" as part) f
  left join ${k} on ${k.fingerprint} >= f.part and ${k.fingerprint} < f.part || 'g'
    and ${c.actor} = ${k.name} || ' (' || f.part || ')'
  left join ${t} on ${c.source} = '${ChangeSource.UPDATE}' and ${t.name} = substring(${c.actor} from '^(.*) [(]TSIG[)]$') collate "C"
  limit 1)`);

export async function userIdsOfChanges(session: Session, ids: readonly number[]): Promise<(number | null)[]> {
  const query = sql<{ id: number; userId: number | null }>`
    select ${c.id}, ${userIdOfChange} as "userId" from ${c} where ${c.id} = any(${ids})`;
  const users = new Map((await query.run(session)).map(({ id, userId }) => [id, userId]));
  return ids.map((id) => users.get(id) ?? null);
}
