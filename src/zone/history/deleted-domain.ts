/** Deleted domains. Their journals are kept, so that they can be read and the domains restored. */

import { asciiLabels } from "../../dns/idna.ts";
import { noSuch, onRefusal, Refusal } from "../../errors.ts";
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

/** A deleted domain; `serial` is its last serial, `userId` its last user, who may no longer exist. */
export type DeletedDomainRow = RowOf<typeof columns>;

/** A deleted domain by its id, or the latest deleted domain of a name. */
export interface DeletedSelector {
  readonly id?: number | undefined;
  readonly zone?: string | undefined;
}

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

export function listDeletedDomains(
  session: Session,
  { zoneContains, userId, deletedSince }: DeletedDomainFilter,
  request: PageRequest,
): Promise<Page<DeletedDomainRow>> {
  const conditions = [seesZone(session.actor, x.userId, x.zone)];
  if (zoneContains !== undefined) conditions.push(named.where(named.read(asciiLabels(zoneContains))));
  if (userId !== undefined) conditions.push(sql<boolean>`${x.userId} = ${userId}`);
  if (deletedSince !== undefined) conditions.push(sql<boolean>`${x.deletedAt} >= ${deletedSince}`);
  const list = { columns, from: x, conditions, order: byDeletion };
  return page(session, list, request);
}

/** Returns the selected deleted domain; throws NOT_FOUND when the session sees no such domain, and MISSING_FIELD without a selector. */
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

export type HistoricZone = DomainRow | DeletedDomainRow;

export const isDeleted = (zone: HistoricZone): zone is DeletedDomainRow => "deletedAt" in zone;

/**
 * Returns the selected domain, or else the deleted domain of that id or the latest of that name; throws NOT_FOUND when the session sees
 * neither.
 */
export function zoneHistory(session: Session, selector: DeletedSelector): Promise<HistoricZone> {
  const find = (): Promise<HistoricZone> => findDomain(session, selector);
  return onRefusal(find, (refusal) => {
    if (refusal.code !== "NOT_FOUND") throw refusal;
    return deletedDomain(session, selector).catch(() => Promise.reject(refusal));
  });
}

function noSuchDeleted(zone: string): Refusal {
  const message = `No zone ${zone} was deleted, or it is back already; look it up in the list of deleted domains.`;
  return new Refusal("NOT_FOUND", message, { field: "zone" });
}
