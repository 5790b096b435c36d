/**
 * Deleted domains: their journals are kept, so that they can be looked at and brought back.
 */

import { asciiLabels } from "../../dns/idna.ts";
import { noSuch, Refusal } from "../../errors.ts";
import { type Order, type Page, type PageRequest, page } from "../../lists/pagination.ts";
import { contains } from "../../lists/text-search.ts";
import { seesZone } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { type RowOf, table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { DeletedDomain } from "../change.ts";
import { type DomainRow, findDomain, readZone } from "../domain.ts";

const x = table(DeletedDomain, "x");
const columns = x.columns("id", "zone", "serial", "userId", "deletedAt", "labels", "template", "review");

/** A deleted domain as it is read; `serial` is its last one, `userId` its last user, who may not exist any more. */
export type DeletedDomainRow = RowOf<typeof columns>;

/** Which deleted domain: by its id, or the one of a name that was deleted last. */
export interface DeletedSelector {
  readonly id?: number | undefined;
  readonly zone?: string | undefined;
}

/** What selects deleted domains; every selector that is given must match. */
export interface DeletedDomainFilter {
  readonly zoneContains?: string | undefined;
  readonly userId?: number | undefined;
  readonly deletedSince?: Date | undefined;
}

const byDeletion: Order<DeletedDomainRow> = {
  name: "deletedDomain.NEWEST",
  columns: [sql`(extract(epoch from ${x.deletedAt}) * 1000)::bigint`, x.id],
  kinds: ["number", "number"],
  descending: true,
  key: ({ deletedAt, id }) => [deletedAt.getTime(), id],
};

const named = contains(x.zone);

/** One page of the deleted domains that the session sees, those deleted last first. */
export function listDeletedDomains(
  session: Session,
  { zoneContains, userId, deletedSince }: DeletedDomainFilter,
  request: Omit<PageRequest, "order">,
): Promise<Page<DeletedDomainRow>> {
  const conditions = [seesZone(session.actor, x.userId, x.zone)];
  if (zoneContains !== undefined) conditions.push(named.where(named.read(asciiLabels(zoneContains))));
  if (userId !== undefined) conditions.push(sql<boolean>`${x.userId} = ${userId}`);
  if (deletedSince !== undefined) conditions.push(sql<boolean>`${x.deletedAt} >= ${deletedSince}`);
  const list = { columns, from: x, conditions, order: byDeletion };
  return page(session, list, { ...request, order: byDeletion.name });
}

/** The deleted domain that a selector names; NOT_FOUND when the session sees none, MISSING_FIELD without a selector. */
export async function deletedDomain(session: Session, { id, zone }: DeletedSelector): Promise<DeletedDomainRow> {
  if (id === undefined && zone === undefined)
    throw new Refusal("MISSING_FIELD", "zone is missing; send the name or the id of a deleted domain.", {
      field: "zone",
    });
  const name = zone === undefined ? undefined : readZone(zone);
  const conditions = [seesZone(session.actor, x.userId, x.zone)];
  if (id !== undefined) conditions.push(sql<boolean>`${x.id} = ${id}`);
  if (name !== undefined) conditions.push(sql<boolean>`${x.zone} = ${name}`);
  const query = sql<DeletedDomainRow>`
    select ${columns} from ${x} where ${sql.join(conditions, sql` and `)} order by ${x.deletedAt} desc, ${x.id} desc limit 1`;
  const [row] = await query.run(session);
  if (row) return row;
  throw id === undefined ? noSuchDeleted(name as string) : noSuch("deleted domain", id);
}

/** A zone with a history: a domain, or a deleted one. */
export type HistoricZone = DomainRow | DeletedDomainRow;

/** Whether a zone with a history is a deleted one. */
export const isDeleted = (zone: HistoricZone): zone is DeletedDomainRow => "deletedAt" in zone;

/**
 * The domain that a selector names, or the deleted one that had its id, or was deleted last of those of its name; NOT_FOUND when the session
 * sees neither.
 */
export async function zoneHistory(session: Session, selector: DeletedSelector): Promise<HistoricZone> {
  try {
    return await findDomain(session, selector);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "NOT_FOUND") throw error;
    return deletedDomain(session, selector).catch(() => Promise.reject(error));
  }
}

function noSuchDeleted(zone: string): Refusal {
  const message = `No zone ${zone} was deleted, or it is back already; look it up in the list of deleted domains.`;
  return new Refusal("NOT_FOUND", message, { field: "zone" });
}
