/**
 * Sightings: what the publisher reads and writes, that is, which zones changed, which secondary is behind on which
 * zone, and what it was observed to serve. Every write names the publisher's term and is refused by SQL once a newer
 * term has begun: a write locks the row of the term for share, and beginning a term updates that row, so that no write
 * of an old term can follow one of a newer term.
 *
 * The columns of a sighting: `serial` is what the secondary served at `seenAt` (null: nothing); a serial at or past
 * the zone's is LIVE unless `isAhead`; `isRefused`: the secondary answered that it does not have the zone;
 * `lastError`: why the last probe was inconclusive, or what is wrong. For a deleted domain, a row that is not refused
 * means that the secondary may still serve it.
 */
import { type Expression, type RawBuilder, sql } from "kysely";
import { connection, type Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { Change, ChangeKind, DeletedDomain } from "../zone/change.ts";
import { Domain } from "../zone/domain.ts";
import { PublisherTerm, Secondary, Sighting } from "./secondary.ts";

const s = table(Secondary, "s");
const g = table(Sighting, "g");
const d = table(Domain, "d");
const x = table(DeletedDomain, "x");
const c = table(Change, "c");

const lastTerm = table(PublisherTerm);

/** Begins a new term and returns its number; every write of an earlier term is refused from now on. */
export async function beginTerm(session: Session): Promise<number> {
  const update = sql<{ term: number }>`
    update ${lastTerm} set ${lastTerm.term} = ${lastTerm.term} + 1 where ${lastTerm.id} = 1 returning ${lastTerm.term}`;
  return ((await update.execute(connection(session))).rows[0] as { term: number }).term;
}

/**
 * What a secondary should serve: a zone at its committed serial, or, of a deleted zone with its last serial, nothing.
 */
export interface Target {
  readonly domainId: number;
  readonly zone: string;
  readonly serial: number;
  readonly isDeleted: boolean;
  readonly isCatalog: boolean;
}

/** A change that was committed, with its zone as it is committed now. */
export interface ChangedZone extends Target {
  readonly changeId: number;
  /** Whether it created or deleted a member of the catalog. */
  readonly isMembership: boolean;
}

/** How many changes may be under way at once: below the latest change, so many ids may still be filled. */
export const maxChangesUnderWay = 100;

/** Returns the highest id of a change, 0 before the first one, and the ids just below it that are missing (gaps). */
export async function latestChange(session: Session): Promise<{ readonly id: number; readonly gaps: number[] }> {
  const query = sql<{ id: number; gaps: number[] }>`
    select m.id, array(
      select gap::float8 from generate_series(m.id - ${maxChangesUnderWay}::int, m.id - 1) gap
      where m.id > 0 and not exists (select from ${c} where ${c.id} = gap)
    ) as gaps from (select coalesce(max(${c.id}), 0) as id from ${c}) m`;
  return (await query.execute(connection(session))).rows[0] ?? { id: 0, gaps: [] };
}

/** Returns the changes above an id, and those with the ids `gaps`: a change gets its id before it is committed. */
export async function changesSince(
  session: Session,
  id: number,
  gaps: readonly number[],
  limit: number,
): Promise<ChangedZone[]> {
  const query = sql<ChangedZone>`
    select ${c.id} as "changeId", ${c.columns("domainId", "zone")}, coalesce(${d.serial}, ${c.serial}) as serial,
      ${d.id} is null as "isDeleted", ${c.kind} <> ${ChangeKind.EDIT} as "isMembership",
      case when ${d.id} is null then false else ${d.userId} is null end as "isCatalog"
    from ${c} left join ${d} on ${d.id} = ${c.domainId}
    where ${c.id} > ${id} or ${c.id} = any(${gaps}) order by ${c.id} limit ${limit}`;
  return (await query.execute(connection(session))).rows;
}

/** A zone that is due at a secondary: behind, or not observed for long. */
export interface DueZone extends Target {
  readonly isBehind: boolean;
}

/** The SQL condition that the serial `observed` equals `serial` or is past it (RFC 1982 §3.2). */
export function isAtOrPast(observed: Expression<unknown>, serial: Expression<unknown>): RawBuilder<boolean> {
  return sql<boolean>`((${observed} - ${serial} + 4294967296) % 4294967296 < 2147483648)`;
}

/** The SQL condition that the secondary whose id is in `column` was observed to serve the catalog. */
export function followsCatalog(column: Expression<unknown>): RawBuilder<boolean> {
  const [sighted, catalog] = [table(Sighting, "sighted"), table(Domain, "catalog")];
  return sql<boolean>`exists (select from ${sighted} join ${catalog} on ${catalog.id} = ${sighted.domainId}
    where ${sighted.secondaryId} = ${column} and ${catalog.userId} is null and ${sighted.serial} is not null)`;
}

/** How long after its deletion a domain is still probed, and its sightings are kept. */
export const deletionRetention = sql`interval '1 day'`;

/**
 * Returns the zones that are due at a secondary: first those that are behind, then those last observed under another
 * term or before `staleBefore`.
 */
export async function zonesDue(
  session: Session,
  secondaryId: number,
  { term, staleBefore, limit }: { readonly term: number; readonly staleBefore: Date; readonly limit: number },
): Promise<DueZone[]> {
  const isBehind = sql`(${g.serial} is null or ${g.isAhead} or not ${isAtOrPast(g.serial, d.serial)})`;
  const isStale = sql`(${g.term} <> ${term} or ${g.seenAt} is null or ${g.seenAt} < ${staleBefore})`;
  const isAwaited = sql`(${x.deletedAt} > ${session.now()}::timestamptz - ${deletionRetention}
    and ${x.deletedAt} >= ${s.createdAt} and ${x.userId} is not null and ${g.isRefused} is not true)`;
  const query = sql<DueZone>`
    select * from (
      select ${d.id} as "domainId", ${d.columns("zone", "serial")}, false as "isDeleted",
        ${d.userId} is null as "isCatalog", ${isBehind} as "isBehind"
      from ${s} cross join ${d} left join ${g} on ${g.secondaryId} = ${s.id} and ${g.domainId} = ${d.id}
      where ${s.id} = ${secondaryId} and (${isBehind} or ${isStale})
        and (${d.userId} is not null or ${s.tsigKeyId} is not null)
      union all
      select ${x.columns("id", "zone", "serial")}, true, false, true
      from ${s} cross join ${x} left join ${g} on ${g.secondaryId} = ${s.id} and ${g.domainId} = ${x.id}
      where ${s.id} = ${secondaryId} and ${isAwaited} and ${followsCatalog(s.id)}
    ) due order by "isBehind" desc, "isCatalog" desc limit ${limit}`;
  return (await query.execute(connection(session))).rows;
}

/** Returns the ids of the secondaries that were observed to serve the catalog. */
export async function catalogFollowers(session: Session): Promise<number[]> {
  const query = sql<{ id: number }>`select ${s.id} from ${s} where ${followsCatalog(s.id)}`;
  return (await query.execute(connection(session))).rows.map(({ id }) => id);
}

/** Returns the committed serial of a domain; undefined when it is deleted. */
export async function committedSerial(session: Session, domainId: number): Promise<number | undefined> {
  const query = sql<{ serial: number }>`select ${d.serial} from ${d} where ${d.id} = ${domainId}`;
  return (await query.execute(connection(session))).rows[0]?.serial;
}

/** Whether a zone of this name exists; it may have been created again after a deletion. */
export async function zoneExists(session: Session, zone: string): Promise<boolean> {
  return (await sql`select from ${d} where ${d.zone} = ${zone}`.execute(connection(session))).rows.length > 0;
}

/** Result of one probe. `seenAt` is null when the probe was inconclusive: the values of the one before are kept. */
export interface Observation {
  readonly secondaryId: number;
  readonly domainId: number;
  readonly zone: string;
  readonly serial: number | null;
  readonly isRefused: boolean;
  readonly isAhead: boolean;
  readonly seenAt: Date | null;
  readonly lastError: string | null;
}

/** The last exchange with a secondary, for the operator; fields that are null keep their stored values. */
export interface Contact {
  readonly secondaryId: number;
  readonly notifiedAt: Date | null;
  readonly notifyAnswer: string | null;
  readonly queriedAt: Date | null;
  readonly queryAnswer: string | null;
  readonly tsigErrorAt: Date | null;
  readonly tsigError: string | null;
}

/** Rows that are written: of observations and contacts under the alias o, and of sightings that conflict. */
const o = table(Sighting, "o");
const contact = table(Secondary, "o");
const excluded = table(Sighting, "excluded");

const observationColumns = ["domainId", "zone", "serial", "isRefused", "isAhead", "seenAt", "lastError"] as const;
const contactColumns = ["notifiedAt", "notifyAnswer", "queriedAt", "queryAnswer", "tsigErrorAt", "tsigError"] as const;

/** An inconclusive probe keeps the stored values; a serial that is observed again keeps the time of its first sighting. */
const settingObservation = sql.join([
  ...(["serial", "isRefused", "isAhead"] as const).map(
    (name) => sql`${g.names(name)} = case when ${excluded.seenAt} is null then ${g[name]} else ${excluded[name]} end`,
  ),
  sql`${g.names("serialAt")} = case when ${excluded.seenAt} is null or ${g.serial} = ${excluded.serial}
    then ${g.serialAt} else ${excluded.serialAt} end`,
  sql`${g.names("seenAt")} = coalesce(${excluded.seenAt}, ${g.seenAt})`,
  ...(["lastError", "term"] as const).map((name) => sql`${g.names(name)} = ${excluded[name]}`),
]);

const settingContact = sql.join(
  contactColumns.map((name) => sql`${s.names(name)} = coalesce(${contact[name]}, ${s[name]})`),
);

/**
 * Writes observations and contacts in one statement; returns false, and writes nothing, when a newer term has begun.
 */
export async function storeSightings(
  session: Session,
  term: number,
  observations: readonly Observation[],
  contacts: readonly Contact[],
): Promise<boolean> {
  const [observed, contacted] = [arraysOf(observations), arraysOf(contacts)];
  const write = sql<{ isCurrent: boolean }>`
    with current_term as materialized (
      select ${lastTerm.term} as term from ${lastTerm} where ${lastTerm.id} = 1 and ${lastTerm.term} = ${term} for share
    ), sightings as (
      insert into ${g} (${g.names("secondaryId", ...observationColumns, "serialAt", "term")})
      select ${s.id}, ${o.columns(...observationColumns)},
        case when ${o.serial} is not null then ${o.seenAt} end, current_term.term
      from current_term, unnest(${observed("secondaryId")}::bigint[], ${observed("domainId")}::bigint[],
        ${observed("zone")}::text[], ${observed("serial")}::bigint[], ${observed("isRefused")}::boolean[],
        ${observed("isAhead")}::boolean[], ${observed("seenAt")}::timestamptz[],
        ${observed("lastError")}::text[]
      ) as o(${o.names("secondaryId", ...observationColumns)})
      join ${s} on ${s.id} = ${o.secondaryId}
      on conflict (${g.names("secondaryId", "domainId")}) do update set ${settingObservation}
      where ${g.term} <= ${excluded.term}
    ), contacts as (
      update ${s} set ${settingContact}
      from current_term, unnest(${contacted("secondaryId")}::bigint[], ${contacted("notifiedAt")}::timestamptz[],
        ${contacted("notifyAnswer")}::text[], ${contacted("queriedAt")}::timestamptz[],
        ${contacted("queryAnswer")}::text[], ${contacted("tsigErrorAt")}::timestamptz[],
        ${contacted("tsigError")}::text[]
      ) as o(${contact.names("id", ...contactColumns)})
      where ${s.id} = ${contact.id}
    )
    select exists (select from current_term) as "isCurrent"`;
  return (await write.execute(connection(session))).rows[0]?.isCurrent ?? false;
}

/** Returns a function that returns one column of these rows as an array, for `unnest`. */
function arraysOf<Row>(rows: readonly Row[]) {
  return <Column extends keyof Row>(column: Column): Row[Column][] => rows.map((row) => row[column]);
}

/**
 * Deletes the sightings of domains that were deleted more than a day ago and that the secondary was observed to refuse.
 */
export async function forgetDeleted(session: Session): Promise<void> {
  const query = sql`delete from ${g} using ${x} where ${x.id} = ${g.domainId} and ${g.isRefused}
    and ${x.deletedAt} < ${session.now()}::timestamptz - ${deletionRetention}`;
  await query.execute(connection(session));
}
