/**
 * Blame: finds the change that gave a record its content, or that removed the record. The deletion and the restoration of a zone are
 * skipped. To find who wrote a version that a restoration began, the search goes back to the version that the deletion ended. To find who
 * removed a version that a deletion ended, it goes on to the version that the restoration began.
 */

import type { Session } from "../../session/session.ts";
import { Reference, table } from "../../sql/columns.ts";
import { type Sql, sql } from "../../sql/sql.ts";
import { Change, ChangeKind, type ChangeRow, changeColumns } from "../change.ts";
import { ChangeRecord } from "../change-record.ts";
import { ZoneRecord } from "../record.ts";

const c = table(Change, "c");
const n = table(Change, "n");
const v = table(ChangeRecord, "v");
const r = table(ZoneRecord, "r");
const w = table(Change, "w");

/** The SQL of the change that wrote record `r`; 0 when it was written before the journal. */
const writer = `case when exists (select from ${c} where ${c.id} = ${r.changeId} and ${c.kind} = '${ChangeKind.RESTORE}') then (
  with recursive step as (
    select 0 as depth, ${r.changeId} as change
    union all
    select depth + 1, ${v.since} from step join ${c} on ${c.id} = step.change and ${c.kind} = '${ChangeKind.RESTORE}'
    join ${v} on ${v.domainId} = ${r.domainId} and ${v.owner} = ${r.owner} and ${v.type} = ${r.type} and ${v.recordId} = ${r.id}
      and ${v.changeId} = (select max(${n.id}) from ${n} where ${n.domainId} = ${r.domainId} and ${n.id} < ${c.id})
  ) select change from step order by depth desc limit 1
) else ${r.changeId} end`;

export const writerOfRecord = new Reference<number>(writer);

export const timeOfWriter = new Reference<Date | null>(`(select ${w.createdAt} from ${w} where ${w.id} = ${writer})`);

/** The changes that wrote these records, as far as the journal has them. The caller has checked that the session may see the records. */
export async function writersOfRecords(
  session: Session,
  recordIds: readonly number[],
): Promise<ReadonlyMap<number, ChangeRow>> {
  const query = sql<ChangeRow & { recordId: number }>`
    select ${r.id} as "recordId", ${changeColumns} from (
      select ${r.id}, ${writerOfRecord} as writer from ${r} where ${r.id} = any(${recordIds}::bigint[])
    ) r join ${c} on ${c.id} = r.writer`;
  return new Map((await query.run(session)).map(({ recordId, ...change }) => [recordId, change]));
}

interface BlamedVersion {
  readonly recordId: number;
  readonly owner: string;
  readonly type: string;
  readonly changeId: number;
}

/** The changes that wrote versions; `changeId` is the change that began each version. */
export const writersOf = (session: Pick<Session, "em">, versions: readonly BlamedVersion[]) =>
  led(session, versions, {
    through: ChangeKind.RESTORE,
    next: sql`select max(${n.id}) as id from ${n} where ${n.domainId} = ${c.domainId} and ${n.id} < ${c.id}`,
    isNext: (change) => sql`${v.changeId} = ${change}`,
    reached: sql`${v.since}`,
  });

/** The changes that edited or removed versions; `changeId` is the change that ended each version. */
export const removersOf = (session: Pick<Session, "em">, versions: readonly BlamedVersion[]) =>
  led(session, versions, {
    through: ChangeKind.DELETE,
    next: sql`select min(${n.id}) as id from ${n} where ${n.domainId} = ${c.domainId} and ${n.id} > ${c.id}`,
    isNext: (change) => sql`${v.since} = ${change}`,
    reached: sql`${v.changeId}`,
  });

/** A step from a version to the version of the same record before a restoration or after a deletion. */
interface Step {
  readonly through: ChangeKind;
  /** The SQL of the change on the other side of the deletion: the deletion before the restoration, or the reverse. */
  readonly next: Sql;
  /** The condition that the change ends, or begins, version `v`. */
  readonly isNext: (change: Sql) => Sql;
  readonly reached: Sql;
}

async function led(
  session: Pick<Session, "em">,
  versions: readonly BlamedVersion[],
  { through, next, isNext, reached }: Step,
): Promise<readonly number[]> {
  const ids = [...new Set(versions.map(({ changeId }) => changeId))];
  const ofWholeZone = await sql<{ id: number }>`
    select ${c.id} from ${c} where ${c.id} = any(${ids}) and ${c.kind} = ${through}`.run(session);
  const isLed = new Set(ofWholeZone.map(({ id }) => id));
  if (isLed.size === 0) return versions.map(({ changeId }) => changeId);
  const steps = await sql<{ place: number; changeId: number }>`
    with recursive step as (
      select 0 as depth, given.* from unnest(
        ${versions.map((_, place) => place)}::integer[], ${versions.map(({ recordId }) => recordId)}::bigint[],
        ${versions.map(({ owner }) => owner)}::text[], ${versions.map(({ type }) => type)}::text[],
        ${versions.map(({ changeId }) => changeId)}::bigint[]
      ) as given (place, record, owner, type, change)
      where given.change = any(${[...isLed]})
      union all
      select depth + 1, place, step.record, step.owner, step.type, ${reached} from step
      join ${c} on ${c.id} = step.change and ${c.kind} = ${through}
      cross join lateral (${next}) beyond
      join ${v} on ${v.domainId} = ${c.domainId} and ${v.owner} = step.owner collate "C" and ${v.type} = step.type collate "C"
        and ${v.recordId} = step.record and ${isNext(sql`beyond.id`)}
    )
    select distinct on (place) place, change as "changeId" from step order by place, depth desc`.run(session);
  const reachedBy = new Map(steps.map(({ place, changeId }) => [place, changeId]));
  return versions.map(({ changeId }, place) => reachedBy.get(place) ?? changeId);
}
