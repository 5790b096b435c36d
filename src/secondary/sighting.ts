/**
 * Reads sightings for the publisher. The zone is LIVE where `provenSerial` is ours and the copy is not `isUnproven`. For a deleted domain,
 * a row without `isRefused` means that the zone may still be served. `lastError` says why the last probe was inconclusive, or another
 * problem.
 */

import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { Change, DeletedDomain } from "../zone/change.ts";
import { Domain } from "../zone/domain.ts";
import { Secondary, Sighting } from "./secondary.ts";

const s = table(Secondary, "s");
const g = table(Sighting, "g");
const d = table(Domain, "d");
const x = table(DeletedDomain, "x");
const c = table(Change, "c");

/** What a secondary should serve: a zone at its committed serial, or no zone, deleted with this last serial. */
export interface Target {
  readonly domainId: number;
  readonly zone: string;
  readonly serial: number;
  readonly isDeleted: boolean;
  readonly isCatalog: boolean;
  /** The commit, ms since 1970; where a comparison found the zone behind, that of the first unserved change, among the newest 1,000. */
  readonly since: number;
}

export interface DueZone extends Target {
  readonly isBehind: boolean;
  /** Whether no copy of the zone is known at the secondary. */
  readonly isAbsent: boolean;
}

/** isOnWay of dns/serial.ts in SQL. */
export function isOnWay(value: Sql, from: Sql, to: Sql): Sql<boolean> {
  return sql<boolean>`((${value} - ${from} + 4294967296) % 4294967296 <= (${to} - ${from} + 4294967296) % 4294967296)`;
}

const [sighted, catalog] = [table(Sighting, "sighted"), table(Domain, "catalog")];
const servedCatalogs = sql`${sighted} join ${catalog} on ${catalog.id} = ${sighted.domainId}
  and ${catalog.userId} is null and ${sighted.serial} is not null`;

/** The secondary whose id is in `column` was observed to serve a catalog. */
export function followsCatalog(column: Sql): Sql<boolean> {
  return sql<boolean>`exists (select from ${servedCatalogs} where ${sighted.secondaryId} = ${column})`;
}

/** The newest changes of a zone among which the first unserved one is searched. */
const maxUnservedChanges = 1000;

/** How long after its deletion a domain is probed and its sightings are kept. */
export const deletionRetention = sql`interval '1 day'`;

interface DueRequest {
  /** The zones after the domain with this id; with 0, also the catalogs. */
  readonly after: number;
  readonly limit: number;
  readonly term: number;
  /** Undefined: only zones that are behind. */
  readonly staleBefore: Date | undefined;
}

/** `count`: the zones that were looked at. `last`: the id of the last one; null where none follow. */
interface DueZones {
  readonly zones: readonly DueZone[];
  readonly count: number;
  readonly last: number | null;
}

/** Of the next zones, those that are behind at a secondary, or were last observed under another term or before `staleBefore`. */
export async function zonesDue(
  session: Session,
  secondaryId: number,
  { after, limit, term, staleBefore }: DueRequest,
): Promise<DueZones> {
  const isBehind = sql`("isDeleted" or ${g.provenSerial} is distinct from zone.serial or ${g.isUnproven})`;
  const isStale = staleBefore
    ? sql`(${g.term} <> ${term} or ${g.seenAt} is null or ${g.seenAt} < ${staleBefore})`
    : sql`false`;
  const isAwaited = sql`${x.deletedAt} > ${session.now()}::timestamptz - ${deletionRetention}
    and ${x.deletedAt} >= ${s.createdAt} and ${x.userId} is not null and ${followsCatalog(s.id)}`;
  const live = sql`${d.columns("id", "zone", "serial", "createdAt")}, false as "isDeleted", ${d.userId} is null as "isCatalog"`;
  const newest = sql`select ${c.columns("id", "createdAt", "previousSerial")} from ${c}
    where ${c.domainId} = due.id and due.proven is not null order by ${c.id} desc`;
  const firstUnserved = sql`coalesce(
    (select n."createdAt" from (${newest} limit ${maxUnservedChanges}) n where n."previousSerial" = due.proven order by n.id desc limit 1),
    (select n."createdAt" from (${newest} offset ${maxUnservedChanges - 1} limit 1) n))`;
  const query = sql<DueZones>`
    with page as materialized (
      select * from (
        (select ${live} from ${d} where ${d.userId} is not null and ${d.id} > ${after} order by ${d.id} limit ${limit})
        union all (
          select ${x.columns("id", "zone", "serial", "deletedAt")}, true, false
          from ${s} cross join ${x} left join ${g} on ${g.secondaryId} = ${s.id} and ${g.domainId} = ${x.id}
          where ${s.id} = ${secondaryId} and ${isAwaited} and ${g.isRefused} is not true and ${x.id} > ${after}
            and ${x.id} <= coalesce((select ${d.id} from ${d} where ${d.id} > ${after} order by ${d.id} offset ${limit} limit 1), ${x.id})
          order by ${x.id} limit ${limit}
        )
      ) either order by id limit ${limit}
    ), due as (
      select zone.*, ${isBehind} as "isBehind", ${g.serial} is null as "isAbsent",
        case when not "isDeleted" and ${isBehind} and not ${g.isUnproven} then ${g.provenSerial} end as proven
      from (
        select * from page union all select ${live} from ${d} cross join ${s}
        where ${after}::bigint = 0 and ${d.userId} is null and ${s.id} = ${secondaryId} and ${s.tsigKeyId} is not null
      ) zone left join lateral (
        select * from ${g} where ${g.secondaryId} = ${secondaryId} and ${g.domainId} = zone.id limit 1
      ) g on true
      where ${isBehind} or ${isStale}
    ), target as (
      select id as "domainId", zone, serial, "isDeleted", "isCatalog", "isBehind", "isAbsent",
        (extract(epoch from coalesce(${firstUnserved}, "createdAt")) * 1000)::float8 as since
      from due order by "isCatalog" desc, id
    )
    select count(*) filter (where not "isDeleted")::int as count, case when count(*) = ${limit} then max(id) end as last,
      coalesce((select json_agg(target) from target), '[]') as zones
    from page`;
  return (await query.run(session))[0] as DueZones;
}

/** The catalogs that secondaries were observed to serve. */
export function catalogFollowers(session: Session): Promise<{ secondaryId: number; catalogId: number }[]> {
  return sql<{ secondaryId: number; catalogId: number }>`
    select ${sighted.secondaryId} as "secondaryId", ${catalog.id} as "catalogId" from ${servedCatalogs}`.run(session);
}

/** It may have been created again after a deletion. */
export async function zoneExists(session: Session, zone: string): Promise<boolean> {
  return (await sql`select from ${d} where ${d.zone} = ${zone}`.run(session)).length > 0;
}
