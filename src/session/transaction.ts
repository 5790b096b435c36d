/**
 * Transactions of a session. Within one, entities are loaded, changed and flushed; outside of it, rows are read by SQL. What the session is
 * for is noted in the audit with what its transaction writes.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { IsolationLevel } from "@mikro-orm/core";
import { statementTimeoutMs } from "../database/connection-supervisor.ts";
import { databaseFailureOf } from "../database/sqlstate.ts";
import { type Carrier, sql } from "../sql/sql.ts";
import type { Session, Settlements } from "./session.ts";

/** How often a transaction is run at most, while PostgreSQL ends it in favour of a concurrent one. */
const maxRuns = 5;

/** The longest pause before the second run, ms; it grows with each run, and its length is left to chance. */
const maxPauseMs = 20;

/**
 * Runs an operation in one transaction, all or nothing; inside another transaction it is a savepoint of it. Its
 * entities are its own: it begins with none, so that none is older than the transaction, and it must flush before SQL
 * reads them.
 *
 * PostgreSQL ends a transaction that is in a deadlock or cannot be serialized, and expects that it is run again. So the
 * operation must not keep anything of a run that failed; one that cannot be repeated, since it reads a stream, says so.
 */
export async function transaction<Result>(
  session: Session,
  run: (inner: Session) => Promise<Result>,
  { isRepeatable = true } = {},
): Promise<Result> {
  const mayRepeat = isRepeatable && !session.em.isInTransaction();
  for (let runs = 1; ; runs += 1) {
    try {
      const afterCommit: (() => void)[] = [];
      const beforeCommit: Settlements = new Map();
      const isOutermost = !session.em.isInTransaction();
      const storedChanges = isOutermost ? { count: 0 } : session.storedChanges;
      const runAndSettle = async (em: Session["em"]) => {
        const inner = { ...session, em, afterCommit, beforeCommit, storedChanges };
        if (isOutermost) await limitIdleness(inner);
        const result = await run(inner);
        if (isOutermost) await session.operation?.noteIn(inner, result);
        if (!session.beforeCommit) await settle(inner, beforeCommit);
        if (isOutermost) await session.fence?.(inner);
        return result;
      };
      const result = await session.em.transactional(runAndSettle, { clear: true });
      // What was stored after a savepoint is committed with the transaction around it.
      for (const [settling, items] of session.beforeCommit ? beforeCommit : [])
        for (const item of items) settleBeforeCommit(session, settling, item as never);
      if (session.afterCommit) session.afterCommit.push(...afterCommit);
      else for (const each of afterCommit) each();
      return result;
    } catch (error) {
      if (!mayRepeat || runs === maxRuns || !isExcluded(error)) throw error;
    }
    await sleep(Math.random() * maxPauseMs * runs);
  }
}

async function limitIdleness(session: Session): Promise<void> {
  if (session.idleLimitMs === undefined) return;
  const limit = sql`set local idle_in_transaction_session_timeout = ${sql.lit(session.idleLimitMs)}`;
  await limit.run(session);
}

async function settle(session: Session, settlements: Settlements): Promise<void> {
  for (const [settling, items] of settlements) await settling(session, items as never[]);
}

/**
 * Leaves something to be settled right before the session's transaction is committed, together with all else that is left to the same
 * function in it: rows that many transactions change are locked for that moment alone.
 */
export function settleBeforeCommit<Item>(
  { beforeCommit }: Session,
  settling: (session: Session, items: readonly Item[]) => Promise<void>,
  item: Item,
): void {
  if (!beforeCommit) throw new Error("what is to be settled before a commit needs a transaction");
  const items = beforeCommit.get(settling) ?? [];
  beforeCommit.set(settling, items);
  items.push(item);
}

/** Calls a function once what the session has just stored is committed, which it is already outside of a transaction. */
export function whenCommitted({ afterCommit }: Session, run: () => void): void {
  if (afterCommit) afterCommit.push(run);
  else run();
}

/** Runs reads in one snapshot of the database: they see the same, whatever is committed meanwhile. */
export async function inSnapshot<Result>(session: Session, run: (inner: Session) => Promise<Result>): Promise<Result> {
  const em = session.em.fork();
  await em.begin({ isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true });
  try {
    await limitIdleness({ ...session, em });
    return await run({ ...session, em });
  } finally {
    await em.rollback();
  }
}

/** Runs an operation in a transaction that is rolled back, and returns its result. */
export async function rolledBack<Result>(session: Session, run: (inner: Session) => Promise<Result>): Promise<Result> {
  const end = new Error("a dry run is rolled back");
  const results: Result[] = [];
  try {
    await transaction(session, async (inner) => {
      results.push(await run(inner));
      throw end;
    });
  } catch (error) {
    if (error !== end) throw error;
  }
  return results.at(-1) as Result;
}

/** How long a statement may take for each record that it stores or removes, ms: some twenty times what a quiet machine takes. */
const msPerRecord = 0.6;

/** Gives the statements of a transaction that follow time for so many records, where what any statement has is for fewer. */
export async function allowTimeFor(db: Carrier, records: number): Promise<void> {
  const limitMs = Math.ceil(records * msPerRecord);
  if (limitMs > statementTimeoutMs) await sql`set local statement_timeout = ${sql.lit(limitMs)}`.run(db);
}

/** Whether PostgreSQL ended a transaction, or a statement of its own, in favour of a concurrent one. */
export function isExcluded(error: unknown): boolean {
  return databaseFailureOf(error)?.isRepeated ?? false;
}
