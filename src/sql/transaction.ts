/**
 * Transactions of a session. Within one, entities are loaded, changed and flushed; outside of it, rows are read by SQL.
 */
import type { Session } from "../session/session.ts";

/**
 * Runs an operation in one transaction, all or nothing; inside another transaction it is a savepoint of it. Its
 * entities are its own: it begins with none, so that none is older than the transaction, and it must flush before SQL
 * reads them.
 */
export function transaction<Result>(session: Session, run: (inner: Session) => Promise<Result>): Promise<Result> {
  return session.em.transactional((em) => run({ ...session, em }), { clear: true });
}
