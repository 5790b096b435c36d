/** Writes entries of the audit. The entry of a change is written with the change (zone/edit/change-statement.ts). */

import type { Asking, AuditNote } from "../session/audit-note.ts";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Domain } from "../zone/domain.ts";
import { AuditEntry } from "./audit-entry.ts";

/**
 * Returns who asks, in the form of audit entries. If the session has no named operation, the source of the session is stored as the
 * operation.
 */
export function askingOf({ actor, source, address, operation }: Session): Asking {
  const { name, keyId = null, userId } = actor;
  return {
    ...{ actor: name, keyId, actorUserId: userId },
    ...{ address: address ?? null, operation: operation?.name ?? source },
  };
}

const a = table(AuditEntry);
const d = table(Domain, "d");

/**
 * Adds entries in the given order. When a user's request is refused, the entry belongs to that user and not to the owner of the zone. So
 * the user does not learn who owns the zone, and the owner does not learn who asked for it.
 */
export async function storeEntries(session: Pick<Session, "em">, entries: readonly AuditNote[]): Promise<void> {
  const names = a.names(
    ...(["createdAt", "actor", "apiKeyId", "actorUserId", "userId", "source", "address", "operation"] as const),
    ...(["zone", "subjectId", "code", "field", "count"] as const),
  );
  const query = sql`
    insert into ${a} (${names})
    select at, actor, "keyId", "actorUserId",
      case when code is null or "actorUserId" is null
        then coalesce(g."userId", (select ${d.userId} from ${d} where ${d.zone} = g.zone), "actorUserId") else "actorUserId" end,
      source, address, operation, g.zone, "subjectId", code, field, count
    from rows from (json_to_recordset(${JSON.stringify(entries)}::json) as (at timestamptz, actor text, "keyId" bigint, "actorUserId" bigint,
      "userId" bigint, source text, address text, operation text, zone text, "subjectId" bigint, code text, field text, count int))
      with ordinality g order by ordinality`;
  await query.run(session);
}
