/** Removes change sets that ended long ago, each with its zones, edits and events in one transaction. The journal keeps their changes. */

import type { Session } from "../session/session.ts";
import { allowTimeFor, transaction } from "../session/transaction.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { ChangeSet, ChangeSetEdit, ChangeSetEvent, ChangeSetZone, maxEdits } from "./change-set.ts";
import { endedStates } from "./states.ts";

const s = table(ChangeSet, "s");
const contents = [table(ChangeSetEdit, "e"), table(ChangeSetZone, "z"), table(ChangeSetEvent, "v")];

/** Removes the sets that ended at least `days` ago by the clock of the database, one after the other; 0 keeps all sets. */
export async function pruneSets(session: Session, days: number, stopped?: AbortSignal): Promise<void> {
  if (days === 0) return;
  while (!stopped?.aborted && (await transaction(session, (inner) => pruneOne(inner, days))));
}

/** Returns false when there was no set to remove. */
async function pruneOne(session: Session, days: number): Promise<boolean> {
  const query = sql<{ id: number }>`
    select ${s.id} as id from ${s}
    where ${s.state} in (${sql.join(endedStates.map((state) => sql.lit(state)))})
      and ${s.updatedAt} < clock_timestamp() - make_interval(days => ${days}::int)
    order by ${s.updatedAt} limit 1 for update skip locked`;
  const [set] = await query.run(session);
  if (!set) return false;
  await allowTimeFor(session, maxEdits);
  await deleteSet(session, set.id);
  return true;
}

export async function deleteSet(session: Session, id: number): Promise<void> {
  for (const each of contents) await sql`delete from ${each} where ${each.changeSetId} = ${id}`.run(session);
  await sql`delete from ${s} where ${s.id} = ${id}`.run(session);
}
