/**
 * Reads sightings for the publisher: which zones changed, and on which zones a secondary is behind. record-sightings.ts writes them.
 *
 * The columns of a sighting:
 *
 * - `serial`: the serial that the secondary served at `seenAt`; null when it served none.
 * - `provenSerial`: the serial of ours that its copy was proven to be (proof.ts). The zone is LIVE there when that is our serial, unless
 *   `isUnproven`.
 * - `isUnproven`: its present copy is not proven to be ours.
 * - `isRefused`: it answered that it does not have the zone. For a deleted domain, a row without it means that the zone may still be
 *   served.
 * - `heldSince`: since when publication waits for a confirmation (restore.ts).
 * - `lastError`: why the last probe was inconclusive, or another problem.
 * - `term`: the term of the last conclusive probe.
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

/** The state that a secondary should serve: a zone at its committed serial, or no zone, when the zone was deleted with this last serial. */
export interface Target {
  readonly domainId: number;
  readonly zone: string;
  readonly serial: number;
  readonly isDeleted: boolean;
  readonly isCatalog: boolean;
  /**
   * The time of the commit, ms since 1970. Where a comparison found the zone behind: the time of the first unserved change among the newest
   * 1,000.
   */
  readonly since: number;
}

/** A zone that is due at a secondary: it is behind there, or was not observed for long. */
export interface DueZone extends Target {
  readonly isBehind: boolean;
  /** Whether no copy of the zone is known at the secondary. */
  readonly isAbsent: boolean;
}

/** The SQL condition that a serial is on the way up from one serial to another, as `isOnWay` of dns/serial.ts. */
export function isOnWay(value: Sql, from: Sql, to: Sql): Sql<boolean> {
  return sql<boolean>`((${value} - ${from} + 4294967296) % 4294967296 <= (${to} - ${from} + 4294967296) % 4294967296)`;
}

/** The SQL condition that the secondary whose id is in `column` was observed to serve the catalog. */
export function followsCatalog(column: Sql): Sql<boolean> {
  const [sighted, catalog] = [table(Sighting, "sighted"), table(Domain, "catalog")];
  return sql<boolean>`exists (select from ${sighted} join ${catalog} on ${catalog.id} = ${sighted.domainId}
    where ${sighted.secondaryId} = ${column} and ${catalog.userId} is null and ${sighted.serial} is not null)`;
}

/** How many of the newest changes of a zone are searched for the first unserved one. */
const maxUnservedChanges = 1000;

/** How long after its deletion a domain is probed and its sightings are kept. */
export const deletionRetention = sql`interval '1 day'`;

/** The selection of due zones. */
export interface DueRequest {
  readonly term: number;
  readonly staleBefore: Date;
  /** Zones that are being delivered to the secondary. They are left out, so that they do not use up the limit. */
  readonly underWay: readonly Target[];
  readonly limit: number;
}

/**
 * Returns the zones that are due at a secondary: those that are behind, and those last observed under another term or before `staleBefore`.
 * When there are more than the limit, each of three kinds gets an equal share: zones that the secondary has and is behind on, zones that it
 * does not have, and zones to be verified. Within a kind, zones that were not observed for longest come first, so that repeated comparisons
 * return all.
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

/** Returns the ids of the secondaries that were observed to serve the catalog. */
export async function catalogFollowers(session: Session): Promise<number[]> {
  const query = sql<{ id: number }>`select ${s.id} from ${s} where ${followsCatalog(s.id)}`;
  return (await query.run(session)).map(({ id }) => id);
}

/** Returns whether a zone of this name exists; it may have been created again after a deletion. */
export async function zoneExists(session: Session, zone: string): Promise<boolean> {
  return (await sql`select from ${d} where ${d.zone} = ${zone}`.run(session)).length > 0;
}
