/**
 * Sightings: what the publisher reads and writes, that is, which zones changed, which secondary is behind on which
 * zone, and what it was observed to serve. Every write names the publisher's term and is refused by SQL once a newer
 * term has begun: a write locks the row of the term for share, and beginning a term updates that row, so that no write
 * of an old term can follow one of a newer term.
 *
 * The columns of a sighting: `serial` is what the secondary served at `seen_at` (null: nothing); a serial at or past
 * the zone's is LIVE unless `is_ahead`; `is_refused`: the secondary answered that it does not have the zone;
 * `last_error`: why the last probe was inconclusive, or what is wrong. For a deleted domain, a row that is not refused
 * means that the secondary may still serve it.
 */
import { type RawBuilder, sql } from "kysely";
import { type TsigSecret, tsigSecret } from "../account/tsig-key.ts";
import { connection, type Session } from "../session/session.ts";

/**
 * Where and how the publisher reaches a secondary. `keyError` says why its key cannot be used; undefined when it can.
 */
export interface SecondaryEndpoint {
  readonly id: number;
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly notify: boolean;
  readonly key: TsigSecret | undefined;
  readonly keyError: string | undefined;
}

/** Returns all secondaries, each with the key that packets to it are signed with. */
export async function secondaryEndpoints(session: Session): Promise<SecondaryEndpoint[]> {
  const query = sql<Omit<SecondaryEndpoint, "key" | "keyError"> & { keyId: number | null }>`
    select id, name, address, port, notify, tsig_key_id as "keyId" from secondary order by id`;
  const { rows } = await query.execute(connection(session));
  return Promise.all(
    rows.map(async ({ keyId, ...row }) => ({ ...row, ...(keyId === null ? noKey : await usableKey(session, keyId)) })),
  );
}

const noKey = { key: undefined, keyError: undefined };

async function usableKey(session: Session, id: number): Promise<Pick<SecondaryEndpoint, "key" | "keyError">> {
  try {
    const key = await tsigSecret(session, { id });
    return {
      key,
      keyError: key ? undefined : "its TSIG key was revoked or has expired; give the secondary another key",
    };
  } catch (error) {
    return { key: undefined, keyError: (error as Error).message };
  }
}

/** Begins a new term and returns its number; every write of an earlier term is refused from now on. */
export async function beginTerm(session: Session): Promise<number> {
  const update = sql<{ term: number }>`update publisher_term set term = term + 1 where id = 1 returning term`;
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

/** Returns the highest id of a change; 0 before the first change. */
export async function latestChange(session: Session): Promise<number> {
  const query = sql<{ id: number }>`select coalesce(max(id), 0) as id from change`;
  return (await query.execute(connection(session))).rows[0]?.id ?? 0;
}

/** Returns the changes above an id, and those with the ids `gaps`: a change gets its id before it is committed. */
export async function changesSince(
  session: Session,
  id: number,
  gaps: readonly number[],
  limit: number,
): Promise<ChangedZone[]> {
  const query = sql<ChangedZone>`
    select c.id as "changeId", c.domain_id as "domainId", c.zone, coalesce(d.serial, c.serial) as serial, d.id is null as "isDeleted",
      c.kind <> 'EDIT' as "isMembership",
      case when d.id is null then false else d.user_id is null end as "isCatalog"
    from change c left join domain d on d.id = c.domain_id
    where c.id > ${id} or c.id = any(${gaps}) order by c.id limit ${limit}`;
  return (await query.execute(connection(session))).rows;
}

/** A zone that is due at a secondary: behind, or not observed for long. */
export interface DueZone extends Target {
  readonly isBehind: boolean;
}

/** The SQL condition that the serial `observed` equals `serial` or is past it (RFC 1982 §3.2). */
export function isAtOrPast(observed: RawBuilder<unknown>, serial: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`((${observed} - ${serial} + 4294967296) % 4294967296 < 2147483648)`;
}

/** The SQL condition that the secondary whose id is in `column` was observed to serve the catalog. */
export function followsCatalog(column: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from sighting c join domain cd on cd.id = c.domain_id
    where c.secondary_id = ${column} and cd.user_id is null and c.serial is not null)`;
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
  const now = session.now();
  const query = sql<DueZone>`
    select * from (
      select d.id as "domainId", d.zone, d.serial, false as "isDeleted", d.user_id is null as "isCatalog",
        g.serial is null or g.is_ahead or not ${isAtOrPast(sql`g.serial`, sql`d.serial`)} as "isBehind"
      from secondary s cross join domain d left join sighting g on g.secondary_id = s.id and g.domain_id = d.id
      where s.id = ${secondaryId} and (d.user_id is not null or s.tsig_key_id is not null) and (g.serial is null or g.is_ahead
        or not ${isAtOrPast(sql`g.serial`, sql`d.serial`)} or g.term <> ${term} or g.seen_at is null or g.seen_at < ${staleBefore})
      union all
      select x.id, x.zone, x.serial, true, false, true
      from secondary s cross join deleted_domain x left join sighting g on g.secondary_id = s.id and g.domain_id = x.id
      where s.id = ${secondaryId} and x.user_id is not null and x.deleted_at > ${now}::timestamptz - ${deletionRetention} and x.deleted_at >= s.created_at
        and ${followsCatalog(sql`s.id`)} and g.is_refused is not true
    ) due order by "isBehind" desc, "isCatalog" desc limit ${limit}`;
  return (await query.execute(connection(session))).rows;
}

/** Returns the ids of the secondaries that were observed to serve the catalog. */
export async function catalogFollowers(session: Session): Promise<number[]> {
  const query = sql<{ id: number }>`select s.id from secondary s where ${followsCatalog(sql`s.id`)}`;
  return (await query.execute(connection(session))).rows.map(({ id }) => id);
}

/** Returns the committed serial of a domain; undefined when it is deleted. */
export async function committedSerial(session: Session, domainId: number): Promise<number | undefined> {
  const query = sql<{ serial: number }>`select serial from domain where id = ${domainId}`;
  return (await query.execute(connection(session))).rows[0]?.serial;
}

/** Whether a zone of this name exists; it may have been created again after a deletion. */
export async function zoneExists(session: Session, zone: string): Promise<boolean> {
  return (await sql`select from domain where zone = ${zone}`.execute(connection(session))).rows.length > 0;
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
    with current_term as materialized (select term from publisher_term where id = 1 and term = ${term} for share),
    sightings as (
      insert into sighting as g (secondary_id, domain_id, zone, serial, serial_at, is_refused, is_ahead, seen_at, last_error, term)
      select s.id, e.domain_id, e.zone, e.serial, case when e.serial is not null then e.seen_at end, e.is_refused, e.is_ahead,
        e.seen_at, e.last_error, t.term
      from current_term t, unnest(${observed("secondaryId")}::bigint[], ${observed("domainId")}::bigint[],
        ${observed("zone")}::text[], ${observed("serial")}::bigint[], ${observed("isRefused")}::boolean[],
        ${observed("isAhead")}::boolean[], ${observed("seenAt")}::timestamptz[],
        ${observed("lastError")}::text[]
      ) as e(secondary_id, domain_id, zone, serial, is_refused, is_ahead, seen_at, last_error)
      join secondary s on s.id = e.secondary_id
      on conflict (secondary_id, domain_id) do update set
        serial = case when excluded.seen_at is null then g.serial else excluded.serial end,
        serial_at = case when excluded.seen_at is null or g.serial = excluded.serial then g.serial_at else excluded.serial_at end,
        is_refused = case when excluded.seen_at is null then g.is_refused else excluded.is_refused end,
        is_ahead = case when excluded.seen_at is null then g.is_ahead else excluded.is_ahead end,
        seen_at = coalesce(excluded.seen_at, g.seen_at), last_error = excluded.last_error, term = excluded.term
      where g.term <= excluded.term
    ), contacts as (
      update secondary s set
        notified_at = coalesce(e.notified_at, s.notified_at), notify_answer = coalesce(e.notify_answer, s.notify_answer),
        queried_at = coalesce(e.queried_at, s.queried_at), query_answer = coalesce(e.query_answer, s.query_answer),
        tsig_error_at = coalesce(e.tsig_error_at, s.tsig_error_at), tsig_error = coalesce(e.tsig_error, s.tsig_error)
      from current_term, unnest(${contacted("secondaryId")}::bigint[], ${contacted("notifiedAt")}::timestamptz[],
        ${contacted("notifyAnswer")}::text[], ${contacted("queriedAt")}::timestamptz[],
        ${contacted("queryAnswer")}::text[], ${contacted("tsigErrorAt")}::timestamptz[],
        ${contacted("tsigError")}::text[]
      ) as e(secondary_id, notified_at, notify_answer, queried_at, query_answer, tsig_error_at, tsig_error)
      where s.id = e.secondary_id
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
  await sql`delete from sighting g using deleted_domain x
    where x.id = g.domain_id and g.is_refused and x.deleted_at < ${session.now()}::timestamptz - ${deletionRetention}`.execute(
    connection(session),
  );
}
