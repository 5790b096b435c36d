/**
 * The publication of a zone or of one change, computed from the sightings (sighting.ts):
 *
 * - UNSERVED: there is no required secondary.
 * - LIVE: every required secondary is proven to serve the serial or a later one.
 * - LATE: a required secondary does not serve it within the time limit (lateLimit).
 * - PENDING: otherwise.
 *
 * A secondary that is joining does not count while others have joined. Where none is marked as required, all are. The catalog and a
 * deletion are awaited at the secondaries that follow the catalog, or may follow it (with a key, and not probed yet), required or not. A
 * deletion is LIVE when all of them refuse the zone; a secondary with a fixed list keeps it until its operator removes it.
 *
 * Limitations: a secondary that transfers nothing while the journal goes round the whole circle of serials, as after two leaps with
 * `force`, may be LIVE too early. `since` of LIVE is when the present serial was first observed.
 */
import { registerEnumType } from "type-graphql";
import type { Page, PageRequest } from "../lists/pagination.ts";
import type { Relation } from "../lists/relation.ts";
import { type Actor, seesZone } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { Columns, Reference, type RowOf, table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { inTurn } from "../turns/queues.ts";
import { Change, ChangeKind, DeletedDomain } from "../zone/change.ts";
import {
  Domain,
  type DomainRow,
  type DomainSort,
  domainColumns,
  type domainOrders,
  domainsBy,
  listDomains,
} from "../zone/domain.ts";
import { Secondary, Sighting } from "./secondary.ts";
import { deletionRetention, followsCatalog, isOnWay } from "./sighting.ts";

export enum PublicationState {
  UNSERVED = "UNSERVED",
  PENDING = "PENDING",
  LIVE = "LIVE",
  LATE = "LATE",
}
registerEnumType(PublicationState, {
  name: "PublicationState",
  description: "State of a publication.",
  valuesConfig: {
    UNSERVED: { description: "There is no required secondary." },
    PENDING: { description: "Not every required secondary serves it yet." },
    LIVE: { description: "Every required secondary serves it; for a deletion, refuses the zone." },
    LATE: { description: "A required secondary does not serve it within PUBLICATION_LATE_SECONDS." },
  },
});

export type Published = "domain" | "change";

/** `id` is that of the domain or of the change; `userId` the domain's user, by which watchers are authorized, null for a change. */
export interface PublicationRow {
  readonly of: Published;
  readonly id: number;
  readonly state: PublicationState;
  readonly serial: number;
  readonly since: Date;
  readonly userId: number | null;
  /** Differs when the state, the serial or the error at a secondary differs. */
  readonly sightings: string | null;
}

/** LIVE, UNSERVED, or gone. */
export const isOver = (publication: PublicationRow | undefined) =>
  publication?.state !== PublicationState.PENDING && publication?.state !== PublicationState.LATE;

const d = table(Domain, "d");
const c = table(Change, "c");
const x = table(DeletedDomain, "x");
const s = table(Secondary, "s");
const g = table(Sighting, "g");

const observedColumns = g.columns("serial", "seenAt", "lastError");

export interface ServedRow extends RowOf<typeof observedColumns> {
  readonly secondaryId: number | null;
  readonly name: string;
  readonly state: PublicationState;
  readonly isJoining: boolean;
}

type PublicationContext = Pick<Session, "em" | "policy" | "now">;

export interface Times {
  readonly now: Date;
  readonly lateLimit: Date;
}

export const timesOf = (session: Pick<Session, "policy" | "now">): Times => ({
  now: session.now(),
  lateLimit: lateLimit(session),
});

/** The copy is proven. After s served data of a lost history, sightings of earlier terms may come from a restored backup. */
export const isProven = sql`not ${g.isRefused} and not ${g.isUnproven} and ${g.term} >= ${s.doubtedTerm}`;

/** Secondary s of sighting g was proven to serve `serial` or a later one; `committed` is the zone's serial. */
export function serves(serial: Sql, committed = serial): Sql<boolean> {
  return sql<boolean>`coalesce(${isProven} and ${isOnWay(g.provenSerial, serial, committed)}, false)`;
}

const stateOf = (live: Sql, late: Sql) =>
  sql`case when ${live} then 'LIVE' when ${late} then 'LATE' else 'PENDING' end`;
const [j, r] = [table(Secondary, "j"), table(Secondary, "r")];
/** A secondary has joined, or none has: then all count. */
const hasJoined = ({ joinedAt }: Pick<typeof s, "joinedAt">) =>
  sql`(${joinedAt} is not null or not exists (select from ${j} where ${j.joinedAt} is not null))`;
const isRequired = sql`(${hasJoined(s)} and (${s.requiredForLive} or not exists (
  select from ${r} where ${r.requiredForLive} and ${hasJoined(r)})))`;
const servedColumns = sql`${s.id} as "secondaryId", ${s.name}, ${s.joinedAt} is null as "isJoining", ${observedColumns},
  coalesce(${g.serialAt}, ${g.seenAt}) as served_at`;

const h = table(Sighting, "h");
const catalog = table(Domain, "catalog");

/** The secondary follows the catalog, or has a key and was never probed for it. */
const mayFollowCatalog = sql`(${followsCatalog(s.id)} or (${s.tsigKeyId} is not null and not exists (
  select from ${h} join ${catalog} on ${catalog.id} = ${h.domainId}
  where ${h.secondaryId} = ${s.id} and ${catalog.userId} is null and ${h.seenAt} is not null)))`;

/** Domain d at each secondary. One is late when it does not serve the last change from before the limit. */
function servedOfDomain({ lateLimit }: Times): Sql {
  const lateChange = sql`(select * from ${c} where ${c.domainId} = ${d.id} and ${isLateAt(c.createdAt, lateLimit)}
    order by ${c.id} desc limit 1) c`;
  const late = sql`exists (select from ${lateChange} where not ${serves(c.serial, d.serial)})`;
  const counts = sql`case when ${d.userId} is null then ${mayFollowCatalog} and ${hasJoined(s)} else ${isRequired} end`;
  return sql`select ${servedColumns}, ${counts} as counts, ${stateOf(serves(d.serial), late)} as state
    from ${s} left join ${g} on ${g.secondaryId} = ${s.id} and ${g.domainId} = ${d.id}
    where ${d.userId} is not null or ${s.tsigKeyId} is not null`;
}

/** Change c at each secondary; a deletion only at those that follow the catalog or may. The deletion of a restored domain has ended. */
function servedOfChange(times: Times): Sql {
  const isDeletion = sql`(${c.kind} = ${ChangeKind.DELETE} and ${d.id} is null)`;
  const committed = sql`coalesce(${d.serial}, ${x.serial})`;
  const live = sql`(not ${isDeletion} and ${serves(c.serial, committed)}) or (${x.id} is not null and ${isRemoved(times)})`;
  const late = isLateAt(c.createdAt, times.lateLimit);
  return sql`select ${servedColumns}, case when ${isDeletion} then ${hasJoined(s)} else ${isRequired} end as counts, ${stateOf(live, late)} as state
    from ${s} left join ${g} on ${g.secondaryId} = ${s.id} and ${g.domainId} = ${c.domainId}
    left join ${d} on ${d.id} = ${c.domainId} left join ${x} on ${x.id} = ${c.domainId}
    where not ${isDeletion} or ${mayFollowCatalog}`;
}

/**
 * The secondary refuses deleted domain x, was registered after it, serves a later zone of the name, or the sightings were deleted since.
 */
function isRemoved({ now }: Times): Sql<boolean> {
  const isServedAgain = sql`exists (select from ${d} join ${h} on ${h.domainId} = ${d.id} and ${h.secondaryId} = ${s.id}
    where ${d.zone} = ${x.zone} and ${h.provenSerial} <> ${x.serial} and ${isOnWay(h.provenSerial, x.serial, d.serial)})`;
  const isForgotten = sql`(${g.domainId} is null and ${x.deletedAt} < ${now}::timestamptz - ${deletionRetention})`;
  return sql<boolean>`(
    coalesce(${g.isRefused}, false) or ${s.createdAt} > ${x.deletedAt} or ${isServedAgain} or ${isForgotten})`;
}

const sightingsText = sql`string_agg(
  concat_ws(' ', v."secondaryId", v.state, v.serial, v."lastError"), ',' order by v."secondaryId")`;

const combinedState = sql`case when count(*) filter (where v.counts) = 0 then 'UNSERVED'
  when bool_and(v.state = 'LIVE') filter (where v.counts) then 'LIVE'
  when bool_or(v.state = 'LATE') filter (where v.counts) then 'LATE' else 'PENDING' end`;

export function isInState(context: PublicationContext, state: PublicationState): Sql<boolean> {
  const isSo = sql<boolean>`(select ${combinedState} from (${servedOfDomain(timesOf(context))}) v) = ${state}`;
  if (state === PublicationState.LIVE || state === PublicationState.UNSERVED) return isSo;
  return sql<boolean>`(${d.id} in (${unservedZones}) and ${isSo})`;
}

/** One join finds the zones that are not served everywhere at their serial; the exact state is computed for these few. */
const unservedZones = sql`select distinct ${d.id} from ${d} cross join ${s}
  left join ${g} on ${g.secondaryId} = ${s.id} and ${g.domainId} = ${d.id}
  where ${isRequired} and not coalesce(${isProven} and ${g.provenSerial} = ${d.serial}, false)`;

export type DomainOrderName = keyof typeof domainOrders | "EXCEPTION";

/** LATE, PENDING and other zones, in this order, by name within each. */
export function domainsInOrder(context: PublicationContext, name: DomainOrderName): DomainSort {
  if (name !== "EXCEPTION") return domainsBy(name);
  const exceptions = sql`with unserved as materialized (${unservedZones}), exception as materialized (
    select ${d.id}, (
      select case ${combinedState} when 'LATE' then 0 when 'PENDING' then 1 else 2 end from (${servedOfDomain(timesOf(context))}) v
    ) as rank from unserved join ${d} on ${d.id} = unserved.id) select * from exception`;
  const rank = sql`coalesce(exception.rank, 2)`;
  return {
    columns: sql`${domainColumns}, ${rank} as rank`,
    from: sql`${d} left join (${exceptions}) exception on exception.id = ${d.id}`,
    order: {
      name: "domain.EXCEPTION",
      columns: [rank, d.zone],
      kinds: ["number", "string"],
      descending: false,
      key: (row) => [(row as DomainRow & { rank: number }).rank, row.zone],
    },
  };
}

interface LateZones {
  /** Null for a user, who has one row of all secondaries. */
  readonly secondaryId: number | null;
  readonly count: number;
  /** When the first of the late serials was committed. */
  readonly since: Date;
}

/** How many of the zones that the session sees are late at each secondary, most first. */
export function lateZones(session: Session): Promise<LateZones[]> {
  const secondaryId = session.actor.role === "user" ? sql`null::bigint` : sql`v."secondaryId"`;
  const query = sql<LateZones>`
    with unserved as materialized (${unservedZones}), late as materialized (
      select distinct ${d.id}, ${secondaryId} as "secondaryId", ${sources.domain.committedAt} as at
      from unserved join ${d} on ${d.id} = unserved.id cross join lateral (${servedOfDomain(timesOf(session))}) v
      where v.counts and v.state = 'LATE' and ${seesZone(session.actor, d.userId, d.zone)})
    select "secondaryId", count(*)::int as count, min(at) as since from late group by 1 order by 2 desc`;
  return inTurn("search", () => query.run({ em: session.em }));
}

/** One page of the domains whose committed serial this secondary was not observed to serve. */
export function domainsBehindAt(session: Session, secondaryId: number, request: PageRequest): Promise<Page<DomainRow>> {
  const isBehind = sql<boolean>`not exists (select from ${s} join ${g} on ${g.secondaryId} = ${s.id} and ${g.domainId} = ${d.id}
    where ${s.id} = ${secondaryId} and ${serves(d.serial)})`;
  return inTurn("search", () =>
    listDomains({ ...session, reads: undefined }, {}, request, domainsBy("ZONE"), [isBehind]),
  );
}

const sources = {
  domain: {
    columns: d.columns("id", "serial", "userId"),
    from: d,
    id: d.id,
    committedAt: sql`coalesce(
      (select ${c.createdAt} from ${c} where ${c.domainId} = ${d.id} order by ${c.id} desc limit 1), ${d.createdAt})`,
    served: servedOfDomain,
  },
  change: {
    columns: sql`${c.columns("id", "serial")}, null::bigint as "userId"`,
    from: c,
    id: c.id,
    committedAt: c.createdAt,
    served: servedOfChange,
  },
};

function statesOf(of: Published, times: Times): Sql {
  const { columns, from, committedAt, served } = sources[of];
  return sql`${columns}, p.state, p.sightings,
      case when p.state = 'LIVE' then coalesce(p.served_at, ${committedAt}) else ${committedAt} end as since
    from ${from} cross join lateral (
      select ${combinedState} as state, ${sightingsText} as sightings, max(v.served_at) filter (where v.counts) as served_at
      from (${served(times)}) v
    ) p where true`;
}

/** In any order. The caller has checked that the session may see them. */
export async function publications(
  context: PublicationContext,
  of: Published,
  ids: readonly number[],
): Promise<PublicationRow[]> {
  const query = sql<PublicationRow>`
    select ${of}::text as of, ${statesOf(of, timesOf(context))} and ${sources[of].id} = any(${ids}::bigint[])`;
  return query.run(context);
}

/** The last observation at each secondary, by its name, for each id. Users get names and states only. */
export async function servedOf(session: Session, of: Published, ids: readonly number[]): Promise<ServedRow[][]> {
  const { from, id, served: servedRows } = sources[of];
  const query = sql<ServedRow & { id: number }>`
    select ${id} as id, v."secondaryId", v.name, v.state, v."isJoining", v.serial, v."seenAt", v."lastError"
    from ${from} cross join lateral (${servedRows(timesOf(session))}) v where ${id} = any(${ids}::bigint[]) order by v.name`;
  const rows = await query.run(session);
  const hidden = session.actor.role === "user" ? nothingSeen : {};
  const byId = Map.groupBy(rows, (row) => row.id);
  return ids.map((each) => (byId.get(each) ?? []).map((row) => ({ ...row, ...hidden })));
}

const timeText = (time: string) => `to_char(${time}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const column = (name: string) => new Reference<unknown>(`p."${name}"`);

/** `served` is a JSON array with a row for each secondary. */
export function publicationRelation(of: Published, times: Times) {
  const { served } = sources[of];
  const servedText = sql`select coalesce(json_agg(json_build_array(v."secondaryId"::text, v.name, v.state, v.serial,
    ${sql.raw(timeText('v."seenAt"'))}, v."lastError", v."isJoining") order by v.name), '[]') from (${served(times)}) v`;
  const names = ["id", "state", "serial", "since", "served"];
  return {
    columns: new Columns<PublicationRow>(new Map(names.map((name) => [name, String(column(name))]))),
    from: sql`(select (${servedText}) as served, ${statesOf(of, times)}) p`,
    sees: () => sql<boolean>`true`,
    orders: {},
    selectors: {},
  } as const satisfies Relation<PublicationRow>;
}

/** The rows of the column `served`. Users get names and states only. */
export function readServed(json: string, role: Actor["role"]): ServedText[] {
  const rows = JSON.parse(json) as [
    ...[string, string, PublicationState, number | null, string | null, string | null, boolean],
  ][];
  return rows.map(([secondaryId, name, state, serial, seenAt, lastError, isJoining]) => ({
    ...{ secondaryId, name, state, serial, seenAt, lastError, isJoining },
    ...(role === "user" && nothingSeen),
  }));
}

/** What users see of a secondary besides its name and state. */
const nothingSeen = { secondaryId: null, serial: null, seenAt: null, lastError: null };

/** The form of answers, with id and time as text. */
type ServedText = Omit<ServedRow, "secondaryId" | "seenAt"> & {
  readonly secondaryId: string | null;
  readonly seenAt: string | null;
};

/** A change from before this time is late at a secondary that joined before it and does not serve the change. */
export function lateLimit({ policy, now }: Pick<Session, "policy" | "now">): Date {
  return new Date(now().getTime() - policy.publicationLateSeconds * 1000);
}

/** A change committed at this time is late at secondary s, which does not serve it. */
function isLateAt(committedAt: Sql, limit: Date): Sql<boolean> {
  return sql<boolean>`(${s.joinedAt} <= ${limit}::timestamptz and ${committedAt} <= ${limit}::timestamptz)`;
}

/** isLateAt in memory, ms since 1970; `joinedAt` is undefined while the secondary is joining. */
export function isLate(committedAt: number, joinedAt: number | undefined, limit: number): boolean {
  return joinedAt !== undefined && joinedAt <= limit && committedAt <= limit;
}
