/**
 * Deletes old entries of the audit. A function of the database does it: it never deletes entries of the last thirty days, and runs with the
 * rights of the owner of the tables, so that the role of the service needs no right to delete.
 */

import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { sql } from "../sql/sql.ts";

const atATime = 1000;

/** Deletes the entries older than `days`, in batches, until all are deleted or `stopped` is aborted; 0 deletes nothing. */
export async function pruneAudit(session: Session, days: number, stopped: AbortSignal): Promise<void> {
  if (days === 0) return;
  const before = new Date(session.now().getTime() - days * 86_400_000);
  const query = sql<{ count: number }>`select prune_audit(${before}::timestamptz, ${atATime}::int) as count`;
  while (!stopped.aborted) {
    const [row] = await transaction(session, async (inner) => await query.run(inner));
    if (!row || row.count === 0) return;
  }
}
