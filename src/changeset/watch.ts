/** Watches a change set: yields its present state, then each later state. Of several steps between two polls, only the last is seen. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Session } from "../session/session.ts";
import { inSnapshot } from "../session/transaction.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { ChangeSetEvent, type ChangeSetRow, changeSetById } from "./change-set.ts";
import { progressOf } from "./contents.ts";

const v = table(ChangeSetEvent, "v");

/** Time between two polls: it grows from the first value to the maximum. */
const [firstLookMs, maxLookMs, lookGrowth] = [50, 1000, 1.5];

/** The client of a watch: `gone` is aborted when the client has left, `confirm` throws once its key is revoked. */
interface SetWatcher {
  readonly gone: AbortSignal;
  readonly confirm: () => Promise<unknown>;
}

/** Yields the states of a set, the present state first; throws NOT_FOUND once the session no longer sees the set. */
export async function* watchChangeSet(
  session: Session,
  id: number,
  { gone, confirm }: SetWatcher,
): AsyncGenerator<ChangeSetRow> {
  let shown: string | undefined;
  for (let wait = firstLookMs; !gone.aborted; wait = Math.min(wait * lookGrowth, maxLookMs)) {
    await confirm();
    const { set, mark } = await look(session, id);
    if (mark !== shown) {
      [shown, wait] = [mark, firstLookMs];
      yield set;
    }
    await sleep(wait, undefined, { signal: gone }).catch(() => {});
  }
}

/**
 * Reads a set, and a mark that changes with each step. Both are read in one snapshot; otherwise the mark could already include a step while
 * the set is still that of before the step.
 */
function look(session: Session, id: number): Promise<{ readonly set: ChangeSetRow; readonly mark: string }> {
  return inSnapshot(session, async (inner) => {
    const set = await changeSetById(inner, id);
    const { applied, refused } = await progressOf(inner, id);
    return { set, mark: `${set.state} ${set.revision} ${await lastOrdinal(inner, id)} ${applied + refused}` };
  });
}

async function lastOrdinal(session: Session, id: number): Promise<number> {
  const query = sql<{ last: number | null }>`select max(${v.ordinal}) as last from ${v} where ${v.changeSetId} = ${id}`;
  return (await query.run(session))[0]?.last ?? 0;
}
