/**
 * The catalog zone (RFC 9432): what tells a secondary which zones there are. It is a zone like any other, a domain row without an
 * owner that only the system sees, changed through the same door; here it is founded and brought in line with the domains.
 *
 * Creating and deleting domains never waits for it: the publisher in office compares members with domains and changes all that
 * differs at once. A catalog that loses members removes zones everywhere, so a sudden shrink (more than ten zones and more than a
 * tenth of all) is held back, additions aside, until an administrator confirms it; the guard row remembers that for every instance.
 * Limitations: no groups and no change of ownership (RFC 9432 §4.3); the guard looks at one step, not at many small ones.
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { sql } from "kysely";
import { mayAdminister, mayWrite, sees } from "../session/authorization.ts";
import { connection, type Session } from "../session/session.ts";
import { noSuchZone, readZone } from "../zone/domain.ts";
import { changeZone } from "../zone/edit/change-zone.ts";
import { deleteDomain, firstSerial } from "../zone/edit/lifecycle.ts";

/** What is held back of the catalog: one row. `revision` grows whenever the catalog must be looked at without a change of a zone. */
@Entity({ tableName: "catalog_guard" })
export class CatalogGuard {
  @PrimaryKey({ type: "integer", autoincrement: false })
  id!: number;

  @Property({ type: new BigIntType("number") })
  revision!: number;

  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  heldSince?: Date | null;

  @Property({ type: "integer", nullable: true })
  members?: number | null;

  @Property({ type: "integer", nullable: true })
  removals?: number | null;

  /** As many removals as an administrator has agreed to. */
  @Property({ type: "integer", nullable: true })
  confirmedRemovals?: number | null;
}

/** A shrink that is held back: since when, how many members would go, and of how many. */
export interface CatalogHold {
  readonly heldSince: Date;
  readonly members: number;
  readonly removals: number;
}

/** The catalog as the publisher knows it. */
export interface Catalog {
  readonly id: number;
  readonly zone: string;
}

/** So many members may go at once without a question, and so great a part of all. */
const maxUnconfirmedRemovals = 10;
const maxUnconfirmedShare = 1 / 10;

/** The catalog zone, founded when it is not there; an ownerless zone of another name, an earlier catalog, goes. */
export async function ensureCatalog(session: Session, name: string): Promise<Catalog> {
  const zone = readZone(name);
  for (const earlier of await catalogZones(session))
    if (earlier.zone !== zone) await deleteDomain(session, earlier.zone);
  return session.em.transactional(async (em) => {
    const inner = { ...session, em, policy: { ...session.policy, ttlMin: 0 } };
    const first = await firstSerial(inner, zone);
    await sql`insert into domain (zone, user_id, serial, created_at) values (${zone}, null, ${first}, ${session.now()})
      on conflict (zone) do nothing`.execute(connection(inner));
    const found = await sql<Catalog & { userId: number | null; isEmpty: boolean }>`
      select d.id, d.zone, d.user_id as "userId", not exists (select from zone_record r where r.domain_id = d.id) as "isEmpty"
      from domain d where d.zone = ${zone} for update`.execute(connection(inner));
    const { id, userId, isEmpty } = found.rows[0] as (typeof found.rows)[0];
    if (userId !== null)
      throw new Error(`CATALOG_ZONE is ${zone}, a zone that belongs to a user; set it to a name that nobody uses.`);
    if (isEmpty) await changeZone(inner, zone, { add: catalogRecords(first) });
    return { id, zone };
  });
}

/** The records every catalog has (RFC 9432 §4.1, §4.2). */
function catalogRecords(serial: number) {
  return [
    { owner: "@", type: "SOA", ttl: 0, rdata: `invalid. invalid. ${serial} 60 10 2147483646 0` },
    { owner: "@", type: "NS", ttl: 0, rdata: "invalid." },
    { owner: "version", type: "TXT", ttl: 0, rdata: '"2"' },
  ];
}

async function catalogZones(session: Session): Promise<Catalog[]> {
  return (await sql<Catalog>`select id, zone from domain where user_id is null`.execute(connection(session))).rows;
}

/** Members changed in one step at most; a longer difference takes several. */
const maxMembersPerStep = 10_000;

/** What one comparison came to. */
export interface ReconcileResult {
  readonly changed: boolean;
  /** Whether there is more to change. */
  readonly more: boolean;
  readonly hold: CatalogHold | undefined;
}

/** Brings the catalog one step nearer to the domains: members that lack are added, those that are none any more removed. */
export async function reconcileCatalog(session: Session, catalog: Catalog): Promise<ReconcileResult> {
  const missing = await missingMembers(session, catalog);
  const surplus = await surplusMembers(session, catalog);
  const gone = surplus.filter(({ isGone }) => isGone).length;
  const hold = await holdBack(session, catalog, gone);
  const removable = hold ? surplus.filter(({ isGone }) => !isGone) : surplus;
  const remove = removable.slice(0, maxMembersPerStep).map(({ id }) => id);
  const add = missing.slice(0, maxMembersPerStep).map(({ memberId, zone }) => ({
    owner: `${memberId}.zones`,
    type: "PTR",
    ttl: 0,
    rdata: `${zone}.`,
  }));
  const more = removable.length > maxMembersPerStep || missing.length > maxMembersPerStep;
  const asCatalog = { ...session, policy: { ...session.policy, ttlMin: 0 } };
  if (remove.length + add.length > 0) await changeZone(asCatalog, catalog.zone, { remove, add });
  if (!hold && !more) await release(session);
  return { changed: remove.length + add.length > 0, more, hold };
}

/*
 * The two differences are set operations: they sort or hash whatever the planner believes of the tables' sizes, where an anti-join
 * that was planned on statistics from before a great batch took minutes over 50,000 members.
 */
async function missingMembers(session: Session, catalog: Catalog): Promise<{ memberId: string; zone: string }[]> {
  const query = sql<{ memberId: string; zone: string }>`
    with lacking as materialized (
      select member_id::text || '.zones' as owner from domain where user_id is not null
      except select owner from zone_record where domain_id = ${catalog.id} and type = 'PTR'
    )
    select d.member_id as "memberId", d.zone from lacking l join domain d on d.member_id = left(l.owner, 36)::uuid
    order by d.zone limit ${maxMembersPerStep + 1}`;
  return (await query.execute(connection(session))).rows;
}

/** Members under an id that no domain has; `isGone` tells the zones that are no more from those that have a new id. */
async function surplusMembers(session: Session, catalog: Catalog): Promise<{ id: number; isGone: boolean }[]> {
  const query = sql<{ id: number; isGone: boolean }>`
    with surplus as materialized (
      select owner from zone_record where domain_id = ${catalog.id} and type = 'PTR'
      except select member_id::text || '.zones' from domain where user_id is not null
    )
    select r.id, not exists (select from domain o where o.zone = left(r.rdata, -1) and o.user_id is not null) as "isGone"
    from surplus x join zone_record r on r.domain_id = ${catalog.id} and r.owner = x.owner and r.type = 'PTR'
    order by r.rdata`;
  return (await query.execute(connection(session))).rows;
}

/** Decides whether so many removals may happen now, and remembers it. */
async function holdBack(session: Session, catalog: Catalog, gone: number): Promise<CatalogHold | undefined> {
  if (gone <= maxUnconfirmedRemovals) return undefined;
  const query = sql<{ members: number; confirmed: number | null }>`
    select (select count(*)::int from zone_record where domain_id = ${catalog.id} and type = 'PTR') as members,
      (select confirmed_removals from catalog_guard) as confirmed`;
  const { members, confirmed } = (await query.execute(connection(session))).rows[0] as {
    members: number;
    confirmed: number | null;
  };
  if (gone <= members * maxUnconfirmedShare || gone <= (confirmed ?? 0)) return undefined;
  const held = sql<CatalogHold>`
    update catalog_guard set held_since = coalesce(held_since, ${session.now()}), members = ${members}, removals = ${gone}
    returning held_since as "heldSince", members, removals`;
  return (await held.execute(connection(session))).rows[0];
}

async function release(session: Session): Promise<void> {
  await sql`update catalog_guard set held_since = null, members = null, removals = null, confirmed_removals = null
    where held_since is not null`.execute(connection(session));
}

/** The shrink that is held back now, if any. Administrators only. */
export async function catalogHold(session: Session): Promise<CatalogHold | undefined> {
  mayAdminister({ ...session.actor, readOnly: false });
  const query = sql<CatalogHold>`
    select held_since as "heldSince", members, removals from catalog_guard where held_since is not null`;
  return (await query.execute(connection(session))).rows[0];
}

/** Lets the shrink that is held back happen, as many removals as are held now; answers what was held. Administrators only. */
export async function confirmCatalog(session: Session): Promise<CatalogHold | undefined> {
  mayAdminister(session.actor);
  return session.em.transactional(async (em) => {
    const query = sql<CatalogHold>`
      update catalog_guard set confirmed_removals = removals, revision = revision + 1 where held_since is not null
      returning held_since as "heldSince", members, removals`;
    return (await query.execute(connection({ em }))).rows[0];
  });
}

/** Gives a domain a new member id, upon which every secondary that follows the catalog fetches the zone afresh (RFC 9432 §5.4). */
export async function republishDomain(session: Session, zone: string): Promise<void> {
  mayWrite(session.actor);
  const name = readZone(zone);
  await session.em.transactional(async (em) => {
    const update = sql`
      update domain d set member_id = gen_random_uuid()
      where d.zone = ${name} and d.user_id is not null and ${sees(session.actor, sql`d.user_id`)} returning id`;
    if ((await update.execute(connection({ em }))).rows.length === 0) throw noSuchZone(name);
    await sql`update catalog_guard set revision = revision + 1`.execute(connection({ em }));
  });
}

/** Grows whenever the catalog must be looked at although no zone was changed. */
export async function catalogRevision(session: Session): Promise<number> {
  const query = sql<{ revision: number }>`select revision from catalog_guard`;
  return (await query.execute(connection(session))).rows[0]?.revision ?? 0;
}
