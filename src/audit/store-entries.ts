/** Writes entries of the audit. The entry of a change is written with the change (zone/edit/change-statement.ts). */

import type { Asking, AuditNote } from "../session/audit-note.ts";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Domain } from "../zone/domain.ts";
import { AuditEntry } from "./audit-entry.ts";

/** Returns the actor of a session as entries have it. Without a named operation, the source is the name of the operation. */
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
 * Adds entries, in their order. The refusal of a user's request is an entry of that user, not of the zone's owner: who asks for a zone does
 * not learn who owns it, and its owner does not learn who asked.
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
