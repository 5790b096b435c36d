/**
 * The catalog zone (RFC 9432): the list of zones for the secondaries. It is stored as a zone like any other, in a domain without a user
 * that only the system sees, and changed by the same function. Creating and deleting domains never waits for it: the publisher that leads
 * compares members with domains, all or those of some names, and changes what differs. A step that would remove many members needs an administrator's confirmation
 * (CatalogGuard). With CATALOG_MEMBERS_MAX there are further catalogs; a member stays in its catalog. Limitation: no groups and no change of ownership (RFC 9432 §4.3).
 */
import { randomUUID } from "node:crypto";
import { BigIntType, LockMode } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import type { EntityManager } from "@mikro-orm/postgresql";
import { Refusal } from "../errors.ts";
import { mayAdminister } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Domain, readZone } from "../zone/domain.ts";
import { changeZone } from "../zone/edit/change-zone.ts";
import { deleteDomain, insertDomainRow } from "../zone/lifecycle/domain-lifecycle.ts";
import { ZoneRecord } from "../zone/record.ts";

/** The one row of the removals that are held back. `revision` grows when the catalog must be compared although no zone was changed. */
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

  @Property({ type: "integer", nullable: true })
  confirmedRemovals?: number | null;
}

export interface CatalogHold {
  readonly heldSince: Date;
  readonly members: number;
  readonly removals: number;
}

/** A step needs a confirmation when it removes more members than this number and than this share of all members. */
const maxUnconfirmedRemovals = 10;
const maxUnconfirmedShare = 1 / 10;

/** Holds removals back when they need a confirmation and have none; returns undefined when they may happen. */
async function holdBack(session: Session, members: number, removals: number): Promise<CatalogHold | undefined> {
  if (removals <= maxUnconfirmedRemovals) return undefined;
  if (removals <= members * maxUnconfirmedShare) return undefined;
  return transaction(session, async ({ em, now }) => {
    const guard = await lockGuard(em);
    if (removals <= (guard.confirmedRemovals ?? 0)) return undefined;
    guard.heldSince ??= now();
    guard.members = members;
    guard.removals = removals;
    return holdOf(guard);
  });
}

const guardId = 1;

function lockGuard(em: EntityManager): Promise<CatalogGuard> {
  return em.findOneOrFail(CatalogGuard, guardId, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

function holdOf({ heldSince, members, removals }: CatalogGuard): CatalogHold | undefined {
  return heldSince ? { heldSince, members: members ?? 0, removals: removals ?? 0 } : undefined;
}

function readGuard({ em }: Session): Promise<CatalogGuard> {
  return em.findOneOrFail(CatalogGuard, guardId, { disableIdentityMap: true });
}

/** Ends the hold, once the catalog equals the set of domains. */
async function clearHold(session: Session): Promise<void> {
  if (!(await readGuard(session)).heldSince) return;
  const none = { heldSince: null, members: null, removals: null, confirmedRemovals: null };
  await transaction(session, ({ em }) =>
    em.nativeUpdate(CatalogGuard, { id: guardId, heldSince: { $ne: null } }, none),
  );
}

/** Administrators only. */
export async function catalogHold(session: Session): Promise<CatalogHold | undefined> {
  mayAdminister({ ...session.actor, readOnly: false });
  return holdOf(await readGuard(session));
}

/** Throws INVALID_VALUE when `removals` is not the number that the administrator has read. Administrators only. */
export async function confirmCatalog(session: Session, removals: number): Promise<CatalogHold | undefined> {
  mayAdminister(session.actor);
  return transaction(session, async ({ em }) => {
    const guard = await lockGuard(em);
    const hold = holdOf(guard);
    if (hold && hold.removals !== removals) {
      const message = `removalCount: ${hold.removals} removals are pending now; read pendingCatalogRemoval again.`;
      throw new Refusal("INVALID_VALUE", message, { field: "removalCount" });
    }
    if (hold) {
      guard.confirmedRemovals = removals;
      guard.revision += 1;
    }
    return hold;
  });
}

export async function catalogRevision(session: Session): Promise<number> {
  return (await readGuard(session)).revision;
}

const d = table(Domain, "d");
const r = table(ZoneRecord, "r");
const columns = d.columns("id", "zone");

export type Catalog = RowOf<typeof columns>;

/** Throws an error for the operator when the catalog's name is a zone of a user: new zones would never reach the secondaries. */
export async function expectFreeCatalogName({ em }: Session, name: string): Promise<void> {
  const zone = readZone(name);
  const taken = await em.findOne(Domain, { zone, user: { $ne: null } }, { populate: ["user"] });
  if (!taken?.user) return;
  const owner = `${taken.user.email} (${taken.user.id})`;
  const instead = `set CATALOG_ZONE to a name that no zone has, such as catalog2.zonesmith, here and on the secondaries`;
  throw new Error(`CATALOG_ZONE is ${zone}, a zone that belongs to a user, ${owner}; ${instead}.`);
}

/** Creates the first catalog when it is missing, and deletes earlier catalogs, which have other names. */
export async function ensureCatalog(session: Session): Promise<Catalog> {
  const query = sql<Catalog>`select ${columns} from ${d} where ${d.userId} is null`;
  const earlier = (await query.run(session)).filter(({ zone }) => !isCatalogName(session, zone));
  for (const { zone } of earlier) await deleteDomain(session, zone);
  return createCatalog(session, firstName(session));
}

const firstName = ({ policy }: Session) => readZone(policy.catalogZone);

/** Further catalogs lie below the first, where no user has a zone: 2.catalog.zonesmith. */
const furtherName = (session: Session, number: number) => `${number}.${firstName(session)}`;

export function isCatalogName(session: Session, zone: string): boolean {
  return zone === firstName(session) || zone === furtherName(session, Number.parseInt(zone, 10));
}

async function createCatalog(session: Session, zone: string): Promise<Catalog> {
  return transaction(asCatalog(session), async (inner) => {
    await insertDomainRow(inner, zone, null);
    const { id, user } = await inner.em.findOneOrFail(Domain, { zone }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (user) await expectFreeCatalogName(inner, zone);
    const anyRecord = await inner.em.findOne(ZoneRecord, { domain: id });
    if (!anyRecord) await changeZone(inner, zone, { add: catalogRecords });
    return { id, zone };
  });
}

/** Records of catalogs have a TTL of 0. */
const asCatalog = (session: Session): Session => ({ ...session, policy: { ...session.policy, ttlMin: 0 } });

/** The records of every catalog (RFC 9432 §4.1, §4.2). */
const catalogRecords = [
  { owner: "@", type: "SOA", ttl: 0, rdata: "invalid. invalid. 0 60 10 2147483646 0" },
  { owner: "@", type: "NS", ttl: 0, rdata: "invalid." },
  { owner: "version", type: "TXT", ttl: 0, rdata: '"2"' },
];

/** The maximum number of members that one step adds, and that it removes. */
const maxMembersPerStep = 10_000;

/** The maximum number of missing members that one step reads. */
const maxMissingRead = 30_000;

/**
 * Changes the catalogs by one step, of the zones with these names or of all. A member is removed when its domain was deleted or has a new
 * member id, which takes its place. `rest`: zones that still differ. `isCut`: so do others, which were not read. `held`: the deleted zones
 * whose removal is held back; the next step must compare them too. `begun`: the further catalog that was begun since the others are full.
 */
export async function reconcileCatalogs(session: Session, zones?: readonly string[]) {
  const catalogs = await readCatalogs(session);
  const { missing, surplus } = await memberDifference(session, catalogs, zones);
  const deleted = surplus.filter(({ isDeleted }) => isDeleted);
  const members = catalogs.reduce((sum, catalog) => sum + catalog.members, 0);
  const hold = await holdBack(session, members, deleted.length);
  const removable = hold ? surplus.filter(({ isDeleted }) => !isDeleted) : surplus;
  const remove = removable.slice(0, maxMembersPerStep);
  let add = missing.slice(0, maxMembersPerStep);
  const places = new Map(remove.map(({ zone, catalogId }) => [zone, catalogId]));
  for (const catalog of catalogs) {
    const leaving = remove.filter(({ catalogId }) => catalogId === catalog.id);
    let room = roomIn(session, catalog) + leaving.filter(({ isDeleted }) => isDeleted).length;
    const enters = ({ zone }: { readonly zone: string }) => {
      const place = places.get(zone);
      if (place !== undefined) return place === catalog.id;
      room -= 1;
      return room >= 0;
    };
    const sides = Map.groupBy(add, enters);
    const entering = sides.get(true) ?? [];
    add = sides.get(false) ?? [];
    const edits = { remove: leaving.map(({ id }) => id), add: entering.map(memberRecord) };
    if (leaving.length + entering.length > 0) await changeZone(asCatalog(session), catalog.zone, edits);
  }
  const begun = add.length > 0 ? await createCatalog(session, furtherName(session, catalogs.length + 1)) : undefined;
  const isCut = missing.length > maxMissingRead;
  const rest = namesOf([...removable.slice(maxMembersPerStep), ...add, ...missing.slice(maxMembersPerStep)]);
  if (!hold && !isCut && rest.length === 0) await clearHold(session);
  const held = hold ? namesOf(deleted) : [];
  return { changed: remove.length + missing.length > 0, rest, isCut, hold, held, begun };
}

const namesOf = (zones: readonly { readonly zone: string }[]) => zones.map(({ zone }) => zone);

function roomIn({ policy: { catalogMembersMax } }: Session, { members }: CatalogRow): number {
  return catalogMembersMax === 0 ? Number.POSITIVE_INFINITY : catalogMembersMax - members;
}

const memberRecord = ({ memberId, zone }: { readonly memberId: string; readonly zone: string }) => ({
  owner: `${memberId}.zones`,
  type: "PTR",
  ttl: 0,
  rdata: `${zone}.`,
});

/**
 * The common table expression `difference` of the members that the domains ask for (`id` null) and those in the catalogs, of these zones or
 * of all. One statement reads both: a zone with a new member id is in both and never leaves the catalog. A full join is hashed or merged
 * with any statistics; an anti-join that was planned before a large batch took minutes over 50,000 members.
 */
function difference(catalogs: readonly Catalog[], zones?: readonly string[]) {
  const names = zones?.map((zone) => `${zone}.`);
  return sql`members as (
      select ${d.memberId}::text || '.zones' as owner, ${d.zone} || '.' as rdata
      from ${d} where ${d.userId} is not null ${zones ? sql`and ${d.zone} = any(${zones})` : sql``}),
    stored as (
      select ${r.owner} as owner, ${r.rdata} as rdata, ${r.id} as id, ${r.domainId} as "catalogId"
      from ${r} where ${r.domainId} = any(${catalogs.map(({ id }) => id)}) and ${r.type} = 'PTR'
      ${names ? sql`and ${r.ttl} = 0 and ${r.rdata} = any(${names})` : sql``}),
    difference as materialized (
      select left(rdata, -1) as zone, left(owner, 36) as "memberId", s.id, s."catalogId",
        bool_and(s.id is not null) over (partition by rdata) as "isDeleted"
      from members m full join stored s using (owner, rdata) where m.owner is null or s.owner is null)`;
}

async function memberDifference(session: Session, catalogs: readonly Catalog[], zones: readonly string[] | undefined) {
  const query = sql<{ id: number | null; memberId: string; zone: string; catalogId: number; isDeleted: boolean }>`
    with ${difference(catalogs, zones)}
    (select * from difference where id is null order by zone limit ${maxMissingRead + 1})
    union all (select * from difference where id is not null order by zone)`;
  const rows = await query.run(session);
  return {
    missing: rows.filter(({ id }) => id === null),
    surplus: rows.flatMap(({ id, ...row }) => (id === null ? [] : [{ id, ...row }])),
  };
}

export interface CatalogRow extends Catalog {
  readonly serial: number;
  readonly members: number;
}

/** Returns the committed catalogs, the first one first; none before the first secondary. Administrators only. */
export async function catalogRows(session: Session): Promise<CatalogRow[]> {
  mayAdminister({ ...session.actor, readOnly: false });
  return readCatalogs(session);
}

/** The names of the catalogs to follow, the first also before it exists. */
export async function catalogNames(session: Session): Promise<string[]> {
  const zones = (await readCatalogs(session)).map(({ zone }) => zone);
  return zones.length > 0 ? zones : [firstName(session)];
}

async function readCatalogs(session: Session): Promise<CatalogRow[]> {
  const query = sql<CatalogRow>`
    select ${columns}, ${d.serial}, ${d.recordCount} - ${catalogRecords.length} as members
    from ${d} where ${d.userId} is null order by length(${d.zone}), ${d.zone}`;
  return (await query.run(session)).filter(({ zone }) => isCatalogName(session, zone));
}

const maxShownZones = 1000;

/** The first deleted zones, by name, that are still in the catalog. Administrators only. */
export async function removedMembers(session: Session): Promise<string[]> {
  const catalogs = await catalogRows(session);
  const query = sql<{ zone: string }>`
    with ${difference(catalogs)} select zone from difference where "isDeleted" order by zone limit ${maxShownZones}`;
  return (await query.run(session)).map(({ zone }) => zone);
}

/** Gives a domain a new member id: every secondary that follows the catalog drops the zone and transfers it again (RFC 9432 §5.4). */
export async function renewMember({ em }: Session, domainId: number): Promise<void> {
  await em.nativeUpdate(Domain, domainId, { memberId: randomUUID() });
  (await lockGuard(em)).revision += 1;
}
