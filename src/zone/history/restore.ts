/**
 * Restores a deleted domain: its id, its creation time, and the ids and data of its records. Its serial comes after the last serial of
 * its name. It is a new member of the catalog, so that name servers transfer the whole zone.
 */

import { noSuch, onRefusal, Refusal } from "../../errors.ts";
import { mayWrite } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { rolledBack, transaction } from "../../session/transaction.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { Change, ChangeKind, DeletedDomain } from "../change.ts";
import { type DomainRow, domainByZone, unknownZones } from "../domain.ts";
import type { ZoneChange } from "../edit/change-zone.ts";
import { inZoneTurn } from "../edit/zone-queue.ts";
import { insertDomain } from "../lifecycle/domain-lifecycle.ts";
import { type DeletedDomainRow, type DeletedSelector, deletedDomain } from "./deleted-domain.ts";
import { changeBack, maxReturnLines } from "./return-change.ts";
import type { ReturnLine } from "./return-plan.ts";
import { instantBefore, readAt, type VersionAt } from "./versions.ts";

const c = table(Change, "c");
const x = table(DeletedDomain, "x");

interface RestoreTerms {
  readonly userId?: number | undefined;
  readonly dryRun?: boolean;
}

export interface Restored extends ZoneChange {
  readonly domain: DomainRow | null;
}

export async function restoreDomain(
  session: Session,
  selector: DeletedSelector,
  { userId, dryRun = false }: RestoreTerms = {},
): Promise<Restored> {
  mayWrite(session.actor);
  const { id, zone } = await deletedDomain(session, selector);
  const restore = async (inner: Session) => {
    // Another request may have restored it while this one waited.
    const deleted = await deletedDomain(inner, { id });
    const restored = await bringBack(inner, deleted, userId ?? (deleted.userId as number), dryRun);
    return dryRun ? { ...restored, domain: null } : restored;
  };
  return inZoneTurn(session, zone, () => (dryRun ? rolledBack : transaction)(session, restore));
}

async function bringBack(
  session: Session,
  deleted: DeletedDomainRow,
  userId: number,
  dryRun: boolean,
): Promise<Restored> {
  const { zone } = deleted;
  await insertDeleted(session, deleted, userId);
  const lines = () => lastRecords(session, deleted);
  const result = await changeBack(session, zone, lines, { dryRun, origin: { kind: ChangeKind.RESTORE } });
  await forgetDeletion(session, deleted);
  return { ...result, domain: await domainByZone(session, zone) };
}

type Deleted = Pick<DeletedDomainRow, "id" | "zone">;

/**
 * Inserts a deleted domain again, without records, for a user. The caller restores the records in the same transaction. The deletion is
 * locked, so that its history is not removed meanwhile.
 */
export async function insertDeleted(session: Session, deleted: DeletedDomainRow, userId: number): Promise<void> {
  const { id, zone, labels, template, review } = deleted;
  const [kept] = await sql<{ createdAt: Date | null }>`
    select ${x.columns("createdAt")} from ${x} where ${x.id} = ${id} for update`.run(session);
  if (!kept) throw noSuch("deleted domain", id);
  const createdAt = kept.createdAt ?? (await endsOf(session, deleted)).createdAt;
  const insert = () => insertDomain(session, userId, zone, { id, createdAt, labels, template, review });
  await onRefusal(insert, async (refusal) => {
    throw refusal.code === "DUPLICATE_ZONE" ? await nameInUse(session, deleted) : refusal;
  });
}

export async function lastRecords(session: Session, deleted: Deleted): Promise<readonly ReturnLine[]> {
  const { deletion } = await endsOf(session, deleted);
  const instant = instantBefore({ domainId: deleted.id, id: deletion });
  const records = await readAt(session, instant, maxReturnLines + 1);
  return records.map(({ id: recordId, ...record }: VersionAt) => ({ ...record, recordId, removed: false }));
}

export async function forgetDeletion(session: Session, { id }: Pick<Deleted, "id">): Promise<void> {
  await sql`delete from ${x} where ${x.id} = ${id}`.run(session);
}

/** The refusal of restoring a domain whose name is in use again; it says what to do about the other zone. */
export async function nameInUse(session: Session, { id, zone }: Deleted): Promise<Refusal> {
  const isSeen = (await unknownZones(session, [zone])).length === 0;
  const first = isSeen
    ? `delete that zone first (deleteDomain(input: { by: { zone: "${zone}" } }), or zonesmith domain remove ${zone}); it is then among the deleted domains`
    : "it is another user's; ask the operator to delete it";
  const then = `restoreDomain(input: { by: { id: "${id}" } }), or zonesmith restore ${id} --id`;
  const message = `The name ${zone} is in use by another zone: ${first}. Then restore the deleted zone by its id: ${then}.`;
  return new Refusal("DUPLICATE_ZONE", message, { field: "zone" });
}

/**
 * Returns the change that deleted a domain and the time of the domain's first change; throws HISTORY_GONE when the journal does not have
 * the deletion.
 */
async function endsOf(session: Session, { id, zone }: Deleted): Promise<{ deletion: number; createdAt: Date }> {
  const query = sql<{ deletion: number | null; createdAt: Date }>`
    select max(${c.id}) filter (where ${c.kind} = ${ChangeKind.DELETE}) as deletion, min(${c.createdAt}) as "createdAt"
    from ${c} where ${c.domainId} = ${id}`;
  const { deletion, createdAt } = (await query.run(session))[0] ?? {};
  if (deletion && createdAt) return { deletion, createdAt };
  throw new Refusal(
    "HISTORY_GONE",
    `The journal has no deletion of ${zone} to restore; create the zone and import its records.`,
  );
}
