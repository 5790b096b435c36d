/**
 * Removes old history: changes with the versions that they ended, and deleted zones with all that is known of them. It walks all zones by
 * id, some at a time, with pauses, so that no writer waits. The oldest changes of a zone go first, so its journal has no gap; what leads
 * back beyond its beginning is HISTORY_GONE, and an IXFR from there is answered by the whole zone (RFC 1995 §4).
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Session } from "../../session/session.ts";
import { allowTimeFor, transaction } from "../../session/transaction.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { Change, DeletedDomain } from "../change.ts";
import { ChangeRecord } from "../change-record.ts";
import { Domain } from "../domain.ts";

const c = table(Change, "c");
const k = table(Change, "k");
const v = table(ChangeRecord, "v");
const d = table(Domain, "d");
const x = table(DeletedDomain, "x");

/** For how many days history is kept; 0 keeps it for ever. */
export interface HistoryKept {
  readonly journalDays: number;
  /** The newest changes of a zone that are kept whatever their age, at least 1: the deletion of a deleted zone. */
  readonly newestChanges: number;
  readonly deletedZoneDays: number;
}

/** Removes what another room has of deleted domains, in the same transaction. */
type Forget = (session: Session, domainIds: readonly number[]) => Promise<void>;

/** The zones that a step looks at, and the changes and the deleted zones that it removes at most. */
const step = { zones: 500, changes: 1000, changesOfZone: 100, deletedZones: 50 };

/** The most versions that a change ends: those of an import. */
const maxVersions = 2_000_000;

/** The pause after a step, in times of its duration. */
const restFactor = 9;

/** Removes all history that is older, or stops soon after `stopped` is aborted. */
export async function pruneHistory(
  session: Session,
  kept: HistoryKept,
  forget: readonly Forget[],
  stopped: AbortSignal,
): Promise<void> {
  let after: number | null = 0;
  while (after !== null && !stopped.aborted) {
    const from: number = after;
    const began = performance.now();
    after = await transaction(session, (inner) => pruneZones(inner, kept, forget, from));
    const restMs = (performance.now() - began) * restFactor;
    await sleep(restMs, undefined, { signal: stopped }).catch(() => {});
  }
}

/** Removes history of the zones after an id. Returns the id after which the next step begins; null after the last zone. */
async function pruneZones(
  session: Session,
  { journalDays, newestChanges, deletedZoneDays }: HistoryKept,
  forget: readonly Forget[],
  after: number,
): Promise<number | null> {
  const ids = await zonesAfter(session, after);
  const last = ids.at(-1);
  if (last === undefined) return null;
  await allowTimeFor(session, maxVersions);
  const ago = (days: number) => new Date(session.now().getTime() - days * 86_400_000);
  if (journalDays > 0 && (await removeChanges(session, ids, newestChanges, ago(journalDays))) > 0) return after;
  if (deletedZoneDays > 0 && (await removeDeleted(session, ids, ago(deletedZoneDays), forget)) > 0) return after;
  return last;
}

/** The ids of the next zones, also of deleted ones, ascending. */
async function zonesAfter(session: Session, after: number): Promise<number[]> {
  const query = sql<{ id: number }>`
    (select ${d.id} as id from ${d} where ${d.id} > ${after} order by ${d.id} limit ${step.zones})
    union all (select ${x.id} from ${x} where ${x.id} > ${after} order by ${x.id} limit ${step.zones})
    order by id limit ${step.zones}`;
  return (await query.run(session)).map(({ id }) => id);
}

/** Removes changes of these zones with the versions that they ended. Returns the number of removed changes. */
async function removeChanges(session: Session, ids: readonly number[], newest: number, before: Date): Promise<number> {
  const query = sql<{ count: number }>`
    with gone as materialized (
      select oldest.id from unnest(${ids}::bigint[]) zone(id) cross join lateral (
        select ${c.columns("id", "createdAt")} from ${c}
        where ${c.domainId} = zone.id and ${c.id} < (
          select ${k.id} from ${k} where ${k.domainId} = zone.id order by ${k.id} desc offset ${newest - 1} limit 1)
        order by ${c.id} limit ${step.changesOfZone}
      ) oldest where oldest."createdAt" < ${before}
      limit ${step.changes}
    ), versions as (
      delete from ${v} where ${v.changeId} = any(array(select id from gone))
    ), changes as (
      delete from ${c} where ${c.id} = any(array(select id from gone))
    )
    select count(*)::int as count from gone`;
  return (await query.run(session))[0]?.count ?? 0;
}

/**
 * Removes some of these zones that were deleted long ago, with their journals; a zone that is being restored is left. Returns the number of
 * removed zones.
 */
async function removeDeleted(
  session: Session,
  ids: readonly number[],
  before: Date,
  forget: readonly Forget[],
): Promise<number> {
  const query = sql<{ id: number }>`
    select ${x.id} as id from ${x}
    where ${x.id} = any(${ids}) and ${x.deletedAt} < ${before}
    order by ${x.id} limit ${step.deletedZones} for update skip locked`;
  const gone = (await query.run(session)).map(({ id }) => id);
  if (gone.length === 0) return 0;
  await sql`delete from ${v} where ${v.domainId} = any(${gone})`.run(session);
  await sql`delete from ${c} where ${c.domainId} = any(${gone})`.run(session);
  for (const each of forget) await each(session, gone);
  await sql`delete from ${x} where ${x.id} = any(${gone})`.run(session);
  return gone.length;
}
