/**
 * How far a zone, or one change of it, has come out into the world, told from what was sighted (RFC 1982 comparison, sighting.ts).
 *
 * UNSERVED while there is no secondary; LIVE once every required one was seen to serve the serial or a later one; LATE when one of
 * them does not serve what was committed longer than the limit ago; PENDING otherwise. Where none is required, every one counts.
 * A deletion concerns the secondaries that follow the catalog, required or not: it is LIVE when all of them refuse the zone, and
 * UNSERVED while none follows, nor may do so unheard; a static secondary keeps a deleted zone until its operator removes it.
 * Limitation: `since` of LIVE is when the serial that is served now was first seen, which may be a later one than that of the change.
 */
import { type RawBuilder, sql } from "kysely";
import { registerEnumType } from "type-graphql";
import { connection, type Session } from "../session/session.ts";
import { followsCatalog, isAtOrPast } from "./sighting.ts";

/** How far it has come. */
export enum PublicationState {
  UNSERVED = "UNSERVED",
  PENDING = "PENDING",
  LIVE = "LIVE",
  LATE = "LATE",
}
registerEnumType(PublicationState, {
  name: "PublicationState",
  description: "How far a zone or a change has come out to the secondaries.",
  valuesConfig: {
    UNSERVED: { description: "No secondary is there to serve it." },
    PENDING: { description: "Not every required secondary was seen to serve it yet." },
    LIVE: { description: "Every required secondary was seen to serve it; of a deletion, to refuse the zone." },
    LATE: { description: "A required secondary does not serve it although the time limit has passed." },
  },
});

/** What is published: a domain as it is committed now, or one change. */
export type Published = "domain" | "change";

/** A publication as it is read. `id` is that of the domain or the change; `userId` the owner's, for who watches a domain. */
export interface PublicationRow {
  readonly of: Published;
  readonly id: number;
  readonly state: PublicationState;
  readonly serial: number;
  readonly since: Date;
  readonly userId: number | null;
}

/** What one secondary was seen to serve of it. */
export interface ServedRow {
  readonly secondaryId: number;
  readonly name: string;
  readonly state: PublicationState;
  readonly serial: number | null;
  readonly seenAt: Date | null;
  readonly lastError: string | null;
}

type PublicationContext = Pick<Session, "em" | "policy" | "now">;

/** What was committed before this moment and is not served is LATE. */
function lateBefore({ policy, now }: PublicationContext): RawBuilder<Date> {
  return sql<Date>`${new Date(now().getTime() - policy.publicationLateSeconds * 1000)}::timestamptz`;
}

/** Whether the secondary of sighting g serves `serial`; one that is ahead of us takes nothing from us. */
function serves(serial: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce(not g.is_refused and not g.is_ahead and ${isAtOrPast(sql`g.serial`, serial)}, false)`;
}

const stateOf = (live: RawBuilder<unknown>, late: RawBuilder<unknown>) =>
  sql`case when ${live} then 'LIVE' when ${late} then 'LATE' else 'PENDING' end`;
const isRequired = sql`(s.required_for_live or not exists (select from secondary r where r.required_for_live))`;
const servedColumns = sql`s.id as "secondaryId", s.name, g.serial, g.seen_at as "seenAt", g.last_error as "lastError",
  coalesce(g.serial_at, g.seen_at) as served_at`;

/** What each secondary serves of domain d. Late is one that lacks the last change before the limit. */
function servedOfDomain(clock: PublicationContext): RawBuilder<unknown> {
  const lateSerial = sql`(select c.serial from change c where c.domain_id = d.id and c.created_at <= ${lateBefore(clock)}
    order by c.id desc limit 1)`;
  const late = sql`s.created_at <= ${lateBefore(clock)} and exists (
    select from ${lateSerial} due where not ${serves(sql`due.serial`)})`;
  return sql`select ${servedColumns}, ${isRequired} as counts, ${stateOf(serves(sql`d.serial`), late)} as state
    from secondary s left join sighting g on g.secondary_id = s.id and g.domain_id = d.id`;
}

/** Whether the secondary, which may follow the catalog by its key, was not heard yet on whether it does. */
const mayFollowUnseen = sql`(s.tsig_key_id is not null and not exists (select from sighting h join domain hd on hd.id = h.domain_id
  where h.secondary_id = s.id and hd.user_id is null and h.seen_at is not null))`;

/** What each secondary serves of change c; only those that follow the catalog hear of a deletion. */
function servedOfChange(clock: PublicationContext): RawBuilder<unknown> {
  const isDeletion = sql`c.kind = 'DELETE'`;
  const live = sql`(not ${isDeletion} and ${serves(sql`c.serial`)}) or (x.id is not null and ${isRemoved(clock)})`;
  const late = sql`greatest(c.created_at, s.created_at) <= ${lateBefore(clock)}`;
  return sql`select ${servedColumns}, ${isDeletion} or ${isRequired} as counts, ${stateOf(live, late)} as state
    from secondary s left join sighting g on g.secondary_id = s.id and g.domain_id = c.domain_id
    left join deleted_domain x on x.id = c.domain_id
    where not ${isDeletion} or ${followsCatalog(sql`s.id`)} or ${mayFollowUnseen}`;
}

/**
 * Whether the secondary lost deleted domain x: it refuses the zone, was registered later, serves the zone as it was born again, or it
 * is so long ago that the publisher has forgotten.
 */
function isRemoved({ now }: PublicationContext): RawBuilder<boolean> {
  const bornAgain = sql`exists (select from domain n join sighting b on b.domain_id = n.id and b.secondary_id = s.id
    where n.zone = x.zone and b.serial <> x.serial and ${isAtOrPast(sql`b.serial`, sql`x.serial`)})`;
  const forgotten = sql`(g.domain_id is null and x.deleted_at < ${now()}::timestamptz - interval '1 day')`;
  return sql<boolean>`(coalesce(g.is_refused, false) or s.created_at > x.deleted_at or ${bornAgain} or ${forgotten})`;
}

/** The state that the secondaries of a query come to together. */
const combinedState = sql`case when count(*) = 0 then 'UNSERVED' when bool_and(v.state = 'LIVE') filter (where v.counts) then 'LIVE'
  when bool_or(v.state = 'LATE') filter (where v.counts) then 'LATE' else 'PENDING' end`;

/** The SQL condition that domain d is in this state. */
export function isInState(clock: PublicationContext, state: PublicationState): RawBuilder<boolean> {
  return sql<boolean>`(select ${combinedState} from (${servedOfDomain(clock)}) v) = ${state}`;
}

/** What is published, by its ids: a domain with its last change, or a change. */
const sources = {
  domain: {
    columns: sql`d.id, d.serial, d.user_id as "userId"`,
    from: sql`domain d`,
    id: sql`d.id`,
    committedAt: sql`coalesce((select c.created_at from change c where c.domain_id = d.id order by c.id desc limit 1), d.created_at)`,
    served: servedOfDomain,
  },
  change: {
    columns: sql`c.id, c.serial, null::bigint as "userId"`,
    from: sql`change c`,
    id: sql`c.id`,
    committedAt: sql`c.created_at`,
    served: servedOfChange,
  },
};

/** The publications of these domains or changes, in any order; the caller has made sure that the session sees them. */
export async function publications(
  clock: PublicationContext,
  of: Published,
  ids: readonly number[],
): Promise<PublicationRow[]> {
  const { columns, from, id, committedAt, served: servedOf } = sources[of];
  const query = sql<PublicationRow>`
    select ${of} as of, ${columns}, p.state,
      case when p.state = 'LIVE' then coalesce(p.served_at, ${committedAt}) else ${committedAt} end as since
    from ${from} cross join lateral (
      select ${combinedState} as state, max(v.served_at) filter (where v.counts) as served_at from (${servedOf(clock)}) v
    ) p where ${id} = any(${ids}::bigint[])`;
  return (await query.execute(connection(clock))).rows;
}

/** What each secondary was seen to serve of these domains or changes, by name. A user is told the name and the state. */
export async function servedOf(session: Session, of: Published, ids: readonly number[]): Promise<ServedRow[][]> {
  const { from, id, served: servedRows } = sources[of];
  const query = sql<ServedRow & { id: number }>`
    select ${id} as id, v."secondaryId", v.name, v.state, v.serial, v."seenAt", v."lastError"
    from ${from} cross join lateral (${servedRows(session)}) v where ${id} = any(${ids}::bigint[]) order by v.name`;
  const { rows } = await query.execute(connection(session));
  const hidden = session.actor.role === "user" ? { serial: null, seenAt: null, lastError: null } : {};
  const byId = Map.groupBy(rows, (row) => row.id);
  return ids.map((each) => (byId.get(each) ?? []).map((row) => ({ ...row, ...hidden })));
}
