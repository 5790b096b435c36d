/**
 * The catalog zone (RFC 9432): the list of zones for the secondaries. It is stored as a zone like any other, a domain
 * row without a user that only the system sees, and changed by the same function; this file creates it and keeps it
 * equal to the set of domains.
 *
 * Creating and deleting domains never waits for the catalog: the publisher that leads compares members with domains and
 * changes all that differ at once. A catalog that loses members removes zones everywhere, so a sudden shrink (more than
 * ten zones and more than a tenth of all) is held back, while additions go on, until an administrator confirms it; the
 * guard row stores that for every instance.
 * Limitations: no groups and no change of ownership (RFC 9432 §4.3); the guard checks each step by itself, not many
 * small ones together.
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { sql } from "kysely";
import { Refusal } from "../errors.ts";
import { mayAdminister, mayWrite, sees } from "../session/authorization.ts";
import { connection, type Session } from "../session/session.ts";
import { noSuchZone, readZone } from "../zone/domain.ts";
import { changeZone } from "../zone/edit/change-zone.ts";
import { deleteDomain, insertDomainRow } from "../zone/edit/lifecycle.ts";

/**
 * The shrink of the catalog that is held back, if any: one row. `revision` grows when the catalog is due without a
 * change of a zone.
 */
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

  /** The number of removals that an administrator has confirmed. */
  @Property({ type: "integer", nullable: true })
  confirmedRemovals?: number | null;
}

/** A shrink that is held back: since when, how many members would be removed, and of how many. */
export interface CatalogHold {
  readonly heldSince: Date;
  readonly members: number;
  readonly removals: number;
}

/** The domain row of the catalog. */
export interface Catalog {
  readonly id: number;
  readonly zone: string;
}

/** A step that removes more members than both of these, a number and a share of all, needs a confirmation. */
const maxUnconfirmedRemovals = 10;
const maxUnconfirmedShare = 1 / 10;

/**
 * Returns the catalog zone, created if need be; a zone of another name without a user, an earlier catalog, is deleted.
 */
export async function ensureCatalog(session: Session, name: string): Promise<Catalog> {
  const zone = readZone(name);
  for (const earlier of await catalogZones(session))
    if (earlier.zone !== zone) await deleteDomain(session, earlier.zone);
  return session.em.transactional(async (em) => {
    const inner = { ...session, em, policy: { ...session.policy, ttlMin: 0 } };
    await insertDomainRow(inner, zone, null);
    const found = await sql<Catalog & { userId: number | null; isEmpty: boolean }>`
      select d.id, d.zone, d.user_id as "userId", not exists (select from zone_record r where r.domain_id = d.id) as "isEmpty"
      from domain d where d.zone = ${zone} for update`.execute(connection(inner));
    const { id, userId, isEmpty } = found.rows[0] as (typeof found.rows)[0];
    if (userId !== null)
      throw new Error(`CATALOG_ZONE is ${zone}, a zone that belongs to a user; set it to a name that nobody uses.`);
    if (isEmpty) await changeZone(inner, zone, { add: catalogRecords });
    return { id, zone };
  });
}

/** The records every catalog has (RFC 9432 §4.1, §4.2). */
const catalogRecords = [
  { owner: "@", type: "SOA", ttl: 0, rdata: "invalid. invalid. 0 60 10 2147483646 0" },
  { owner: "@", type: "NS", ttl: 0, rdata: "invalid." },
  { owner: "version", type: "TXT", ttl: 0, rdata: '"2"' },
];

async function catalogZones(session: Session): Promise<Catalog[]> {
  return (await sql<Catalog>`select id, zone from domain where user_id is null`.execute(connection(session))).rows;
}

/** Members that one step adds, and removes, at most; a larger difference takes several steps. */
const maxMembersPerStep = 10_000;

/** The result of one comparison. */
export interface ReconcileResult {
  readonly changed: boolean;
  /** Whether there is more to change. */
  readonly more: boolean;
  readonly hold: CatalogHold | undefined;
}

/**
 * Changes the catalog by one step: adds missing members, and removes those whose domain was deleted or has a new member
 * id.
 */
export async function reconcileCatalog(session: Session, catalog: Catalog): Promise<ReconcileResult> {
  const missing = await missingMembers(session, catalog);
  const surplus = await surplusMembers(session, catalog);
  const removals = surplus.filter(({ isDeleted }) => isDeleted).length;
  const hold = await holdBack(session, catalog, removals);
  const removable = hold ? surplus.filter(({ isDeleted }) => !isDeleted) : surplus;
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
  if (!hold && !more) await clearHold(session);
  return { changed: remove.length + add.length > 0, more, hold };
}

/*
 * The two differences are set operations: they sort or hash whatever the planner assumes about the sizes of the tables, whereas an
 * anti-join that was planned on statistics from before a large batch took minutes over 50,000 members.
 */
async function missingMembers(session: Session, catalog: Catalog): Promise<{ memberId: string; zone: string }[]> {
  const query = sql<{ memberId: string; zone: string }>`
    with missing as materialized (
      select member_id::text || '.zones' as owner from domain where user_id is not null
      except select owner from zone_record where domain_id = ${catalog.id} and type = 'PTR'
    )
    select d.member_id as "memberId", d.zone from missing m join domain d on d.member_id = left(m.owner, 36)::uuid
    order by d.zone limit ${maxMembersPerStep + 1}`;
  return (await query.execute(connection(session))).rows;
}

/** Returns the members under an id that no domain has; of each, whether its zone was deleted, or else has a new id. */
async function surplusMembers(session: Session, catalog: Catalog): Promise<{ id: number; isDeleted: boolean }[]> {
  const query = sql<{ id: number; isDeleted: boolean }>`
    with surplus as materialized (
      select owner from zone_record where domain_id = ${catalog.id} and type = 'PTR'
      except select member_id::text || '.zones' from domain where user_id is not null
    )
    select r.id, not exists (select from domain o where o.zone = left(r.rdata, -1) and o.user_id is not null) as "isDeleted"
    from surplus x join zone_record r on r.domain_id = ${catalog.id} and r.owner = x.owner and r.type = 'PTR'
    order by r.rdata`;
  return (await query.execute(connection(session))).rows;
}

/**
 * Holds the removals back, and stores that, when they are too many and not confirmed; returns undefined when they may
 * happen.
 */
async function holdBack(session: Session, catalog: Catalog, removals: number): Promise<CatalogHold | undefined> {
  if (removals <= maxUnconfirmedRemovals) return undefined;
  const query = sql<{ members: number; confirmed: number | null }>`
    select (select count(*)::int from zone_record where domain_id = ${catalog.id} and type = 'PTR') as members,
      (select confirmed_removals from catalog_guard) as confirmed`;
  const { members, confirmed } = (await query.execute(connection(session))).rows[0] as {
    members: number;
    confirmed: number | null;
  };
  if (removals <= members * maxUnconfirmedShare || removals <= (confirmed ?? 0)) return undefined;
  const held = sql<CatalogHold>`
    update catalog_guard set held_since = coalesce(held_since, ${session.now()}), members = ${members}, removals = ${removals}
    returning held_since as "heldSince", members, removals`;
  return (await held.execute(connection(session))).rows[0];
}

async function clearHold(session: Session): Promise<void> {
  await sql`update catalog_guard set held_since = null, members = null, removals = null, confirmed_removals = null
    where held_since is not null`.execute(connection(session));
}

/** Returns the shrink that is held back now, if any. Administrators only. */
export async function catalogHold(session: Session): Promise<CatalogHold | undefined> {
  mayAdminister({ ...session.actor, readOnly: false });
  const query = sql<CatalogHold>`
    select held_since as "heldSince", members, removals from catalog_guard where held_since is not null`;
  return (await query.execute(connection(session))).rows[0];
}

/**
 * Confirms the shrink that is held back, so that it happens, and returns it; undefined when none is held back. Throws
 * INVALID_VALUE when it is not one of `removals` members: only what was read can be confirmed. Administrators only.
 */
export async function confirmCatalog(session: Session, removals: number): Promise<CatalogHold | undefined> {
  mayAdminister(session.actor);
  return session.em.transactional(async (em) => {
    const query = sql<CatalogHold>`
      update catalog_guard set confirmed_removals = removals, revision = revision + 1 where held_since is not null
      returning held_since as "heldSince", members, removals`;
    const hold = (await query.execute(connection({ em }))).rows[0];
    if (!hold || hold.removals === removals) return hold;
    const message = `removals: ${hold.removals} removals are held back now; read the hold again.`;
    throw new Refusal("INVALID_VALUE", message, { field: "removals" });
  });
}

/**
 * Gives a domain a new member id, so that every secondary that follows the catalog transfers the zone again (RFC 9432
 * §5.4).
 */
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

/** Returns a number that grows when the catalog is due although no zone was changed. */
export async function catalogRevision(session: Session): Promise<number> {
  const query = sql<{ revision: number }>`select revision from catalog_guard`;
  return (await query.execute(connection(session))).rows[0]?.revision ?? 0;
}
