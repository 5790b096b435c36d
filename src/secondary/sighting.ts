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
  readonly term: number;
  readonly staleBefore: Date;
  /** Targets to leave out, since they are being delivered already and would use up the limit. */
  readonly underWay: readonly Target[];
  readonly limit: number;
}

/**
 * The zones that are behind at a secondary, or last observed under another term or before `staleBefore`. Beyond the limit, zones that it
 * has and is behind on, zones that it does not have, and zones to be verified get equal shares, those not observed for longest first, so
 * that repeated comparisons return all.
 */
export async function zonesDue(
  session: Session,
  secondaryId: number,
  { term, staleBefore, underWay, limit }: DueRequest,
): Promise<DueZone[]> {
  const isBehind = sql`(${g.provenSerial} is distinct from ${d.serial} or ${g.isUnproven})`;
  const isStale = sql`(${g.term} <> ${term} or ${g.seenAt} is null or ${g.seenAt} < ${staleBefore})`;
  const isAwaited = sql`(${x.deletedAt} > ${session.now()}::timestamptz - ${deletionRetention}
    and ${x.deletedAt} >= ${s.createdAt} and ${x.userId} is not null and ${g.isRefused} is not true)`;
  const [ids, serials] = [underWay.map(({ domainId }) => domainId), underWay.map(({ serial }) => serial)];
  const deletions = underWay.map(({ isDeleted }) => isDeleted);
  const isUnderWay = sql`exists (
    select from unnest(${ids}::bigint[], ${serials}::bigint[], ${deletions}::boolean[]) as u(id, serial, deleted)
    where (u.id, u.serial, u.deleted) = (due."domainId", due.serial, due."isDeleted"))`;
  const rankOfKind = sql`row_number() over (partition by "isBehind", "isAbsent" order by "seenAt" nulls first, "domainId")`;
  const newest = sql`select ${c.columns("id", "createdAt", "previousSerial")} from ${c}
    where ${c.domainId} = page."domainId" and page.proven is not null order by ${c.id} desc`;
  const firstUnserved = sql`coalesce(
    (select n."createdAt" from (${newest} limit ${maxUnservedChanges}) n where n."previousSerial" = page.proven order by n.id desc limit 1),
    (select n."createdAt" from (${newest} offset ${maxUnservedChanges - 1} limit 1) n))`;
  const query = sql<DueZone>`
    select page."domainId", page.zone, page.serial, page."isDeleted", page."isCatalog", page."isBehind", page."isAbsent",
      (extract(epoch from coalesce(${firstUnserved}, page."createdAt")) * 1000)::float8 as since
    from (select * from (
      select ${d.id} as "domainId", ${d.columns("zone", "serial", "createdAt")}, false as "isDeleted",
        ${d.userId} is null as "isCatalog", ${isBehind} as "isBehind", ${g.serial} is null as "isAbsent", ${g.columns("seenAt")},
        case when ${isBehind} and not ${g.isUnproven} then ${g.provenSerial} end as proven
      from ${s} cross join ${d} left join ${g} on ${g.secondaryId} = ${s.id} and ${g.domainId} = ${d.id}
      where ${s.id} = ${secondaryId} and (${isBehind} or ${isStale})
        and (${d.userId} is not null or ${s.tsigKeyId} is not null)
      union all
      select ${x.columns("id", "zone", "serial", "deletedAt")}, true, false, true, false, ${g.seenAt}, null
      from ${s} cross join ${x} left join ${g} on ${g.secondaryId} = ${s.id} and ${g.domainId} = ${x.id}
      where ${s.id} = ${secondaryId} and ${isAwaited} and ${followsCatalog(s.id)}
    ) due where not ${isUnderWay} order by "isCatalog" desc, ${rankOfKind}, "isBehind" desc limit ${limit}) page
    order by page."isBehind" desc, page."isCatalog" desc, page."domainId"`;
  return query.run(session);
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
