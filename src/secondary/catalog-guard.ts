/**
 * The guard of the catalog zone: a catalog that loses members removes zones everywhere, so a sudden shrink (more than
 * ten zones and more than a tenth of all) is held back, while additions go on, until an administrator confirms it; the
 * guard row stores that for every instance.
 * Limitation: it checks each step by itself, not many small ones together.
 */
import { BigIntType, LockMode } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import type { EntityManager } from "@mikro-orm/postgresql";
import { Refusal } from "../errors.ts";
import { mayAdminister } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { ZoneRecord } from "../zone/record.ts";

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

/** A step that removes more members than both of these, a number and a share of all, needs a confirmation. */
const maxUnconfirmedRemovals = 10;
const maxUnconfirmedShare = 1 / 10;

/**
 * Holds this many removals from the catalog, the domain of this id, back, and stores that, when they are too many and not confirmed; returns
 * undefined when they may happen.
 */
export async function holdBack(
  session: Session,
  catalogId: number,
  removals: number,
): Promise<CatalogHold | undefined> {
  if (removals <= maxUnconfirmedRemovals) return undefined;
  const members = await session.em.count(ZoneRecord, { domain: catalogId, type: "PTR" });
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

/** The one row of the guard. */
const guardId = 1;

/** The guard's row, locked until the transaction ends. */
export function lockGuard(em: EntityManager): Promise<CatalogGuard> {
  return em.findOneOrFail(CatalogGuard, guardId, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

function holdOf({ heldSince, members, removals }: CatalogGuard): CatalogHold | undefined {
  return heldSince ? { heldSince, members: members ?? 0, removals: removals ?? 0 } : undefined;
}

/** The guard as it is now, whatever was read of it before. */
function readGuard({ em }: Session): Promise<CatalogGuard> {
  return em.findOneOrFail(CatalogGuard, guardId, { disableIdentityMap: true });
}

/** Forgets what was held back and confirmed: the catalog is what it is to be. */
export async function clearHold(session: Session): Promise<void> {
  if (!(await readGuard(session)).heldSince) return;
  const none = { heldSince: null, members: null, removals: null, confirmedRemovals: null };
  await transaction(session, ({ em }) =>
    em.nativeUpdate(CatalogGuard, { id: guardId, heldSince: { $ne: null } }, none),
  );
}

/** Returns the shrink that is held back now, if any. Administrators only. */
export async function catalogHold(session: Session): Promise<CatalogHold | undefined> {
  mayAdminister({ ...session.actor, readOnly: false });
  return holdOf(await readGuard(session));
}

/**
 * Confirms the shrink that is held back, so that it happens, and returns it; undefined when none is held back. Throws
 * INVALID_VALUE when it is not one of `removals` members: only what was read can be confirmed. Administrators only.
 */
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

/** Returns a number that grows when the catalog is due although no zone was changed. */
export async function catalogRevision(session: Session): Promise<number> {
  return (await readGuard(session)).revision;
}
