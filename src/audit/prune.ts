/**
 * Removes what is older than the audit is kept. The function of the database that does so keeps the last thirty days whatever it is asked, and
 * runs with the rights of the owner of the tables, so that the role of the service needs none to delete.
 */

import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { sql } from "../sql/sql.ts";

/** Entries that are removed at a time. */
const atATime = 1000;

/** Removes the entries that are older than so many days, a few at a time, until it is done or stopped; 0 keeps all. */
export async function pruneAudit(session: Session, days: number, stopped: AbortSignal): Promise<void> {
  if (days === 0) return;
  const before = new Date(session.now().getTime() - days * 86_400_000);
  const query = sql<{ count: number }>`select prune_audit(${before}::timestamptz, ${atATime}::int) as count`;
  while (!stopped.aborted) {
    const [row] = await transaction(session, async (inner) => await query.run(inner));
    if (!row || row.count === 0) return;
  }
}
