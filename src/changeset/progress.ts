/** The progress of an application: how many zones of a set have an outcome. */

import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { ChangeSetZone } from "./change-set.ts";
import { ZoneOutcome } from "./states.ts";

const z = table(ChangeSetZone, "z");

/** Numbers of zones: all, those that were changed or needed no change, and those that were refused. */
export interface SetProgress {
  readonly zones: number;
  readonly applied: number;
  readonly refused: number;
}

/** The progress of sets, in the order of their ids. */
export async function progressOfSets(session: Session, ids: readonly number[]): Promise<SetProgress[]> {
  const query = sql<SetProgress & { id: number }>`
    select ${z.changeSetId} as id, count(*) as zones,
      count(*) filter (where ${z.outcome} <> ${ZoneOutcome.REFUSED}) as applied,
      count(*) filter (where ${z.outcome} = ${ZoneOutcome.REFUSED}) as refused
    from ${z} where ${z.changeSetId} = any(${ids}) group by ${z.changeSetId}`;
  const rows = await query.run(session);
  const byId = new Map(rows.map(({ id, ...progress }) => [id, progress]));
  return ids.map((id) => byId.get(id) ?? { zones: 0, applied: 0, refused: 0 });
}

export async function progressOf(session: Session, id: number): Promise<SetProgress> {
  return (await progressOfSets(session, [id]))[0] as SetProgress;
}
