/**
 * Transactions of a session. Inside one, entities are loaded, changed and flushed; outside, rows are read by SQL. The session's operation
 * is noted in the audit by the same transaction.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { IsolationLevel } from "@mikro-orm/core";
import { statementTimeoutMs } from "../database/connection-supervisor.ts";
import { databaseFailureOf } from "../database/sqlstate.ts";
import { type Carrier, sql } from "../sql/sql.ts";
import type { Session, Settlements } from "./session.ts";

/** The most runs of a transaction that PostgreSQL ends in favour of a concurrent one. */
const maxRuns = 5;

/** The longest random pause before the second run, ms; it grows with each run. */
const maxPauseMs = 20;

/**
 * Runs an operation in one transaction, all or nothing; inside another transaction it is a savepoint. It begins without entities, so that
 * none is older than the transaction, and it must flush before SQL reads its entities.
 *
 * The operation is run again after a deadlock or a serialization failure, so it must keep nothing of a failed run. `isRepeatable: false`
 * is for operations that cannot run twice, such as those that read a stream.
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
      // Items that were left inside a savepoint settle with the surrounding transaction.
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
 * Leaves an item to `settling`, which runs once right before the session's transaction is committed, with all items that were left to it.
 * So rows that many transactions change are locked only for that moment.
 */
export function settleBeforeCommit<Item>(
  { beforeCommit }: Session,
  settling: (session: Session, items: readonly Item[]) => Promise<void>,
  item: Item,
): void {
  if (!beforeCommit) throw new Error("a settlement before a commit needs a transaction");
  const items = beforeCommit.get(settling) ?? [];
  beforeCommit.set(settling, items);
  items.push(item);
}

/** Calls a function after the session's transaction is committed; outside of one, at once. */
export function whenCommitted({ afterCommit }: Session, run: () => void): void {
  if (afterCommit) afterCommit.push(run);
  else run();
}

/** Runs reads in one snapshot of the database, which later commits do not change. */
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

/** Runs an operation in a transaction, as `transaction` does, and rolls it back. */
export async function rolledBack<Result>(
  session: Session,
  run: (inner: Session) => Promise<Result>,
  options = {},
): Promise<Result> {
  const end = new Error("a dry run is rolled back");
  const results: Result[] = [];
  try {
    const runAndEnd = async (inner: Session) => {
      results.push(await run(inner));
      throw end;
    };
    await transaction(session, runAndEnd, options);
  } catch (error) {
    if (error !== end) throw error;
  }
  return results.at(-1) as Result;
}

/** The time limit of a statement for each record that it stores or removes, ms: some twenty times what a quiet machine needs. */
const msPerRecord = 0.6;

/** Raises the time limit of the transaction's later statements, if so many records need more than the usual limit. */
export async function allowTimeFor(db: Carrier, records: number): Promise<void> {
  const limitMs = Math.ceil(records * msPerRecord);
  if (limitMs > statementTimeoutMs) await sql`set local statement_timeout = ${sql.lit(limitMs)}`.run(db);
}

/** Whether PostgreSQL ended a transaction or a single statement in favour of a concurrent one. */
export function isExcluded(error: unknown): boolean {
  return databaseFailureOf(error)?.isRepeated ?? false;
}
