import { byId, type Order, type Page, type PageRequest, page, pagesOf } from "../lists/pagination.ts";
import type { Session } from "../session/session.ts";
import { Reference, table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { readZone } from "../zone/domain.ts";
import { ChangeSet, type ChangeSetRow, ChangeSetZone, changeSetColumns, seesSet } from "./change-set.ts";

const s = table(ChangeSet, "s");
const z = table(ChangeSetZone, "z");

const newestFirst: Order<ChangeSetRow> = byId<ChangeSetRow>("changeSet.NEWEST", s.id, true);

export interface ChangeSetFilter {
  readonly states?: readonly string[] | undefined;
  readonly zone?: string | undefined;
  readonly userId?: number | undefined;
}

/** One page of the change sets that the session sees, newest first. `also` holds further conditions on set s. */
export function listChangeSets(
  session: Session,
  { states, zone, userId }: ChangeSetFilter,
  request: PageRequest,
  also: readonly Sql<boolean>[] = [],
): Promise<Page<ChangeSetRow>> {
  const conditions = [seesSet(session.actor), ...also];
  if (states !== undefined) conditions.push(sql<boolean>`${s.state} = any(${states})`);
  if (userId !== undefined) conditions.push(sql<boolean>`${s.userId} = ${userId}`);
  if (zone !== undefined)
    conditions.push(
      sql<boolean>`exists (select from ${z} where ${z.zone} = ${readZone(zone)} and ${z.changeSetId} = ${s.id})`,
    );
  const list = { columns: changeSetColumns, from: s, conditions, order: newestFirst };
  return page(session, list, request);
}

/** For each of these domains, one page of the change sets that edit or delete it. */
export function changeSetsOfDomains(
  session: Session,
  domainIds: readonly number[],
  states: readonly string[] | undefined,
  request: PageRequest,
): Promise<Page<ChangeSetRow>[]> {
  const conditions = [seesSet(session.actor), sql<boolean>`${z.changeSetId} = ${s.id}`];
  if (states !== undefined) conditions.push(sql<boolean>`${s.state} = any(${states})`);
  const list = {
    columns: changeSetColumns,
    from: new Reference<unknown>(`${s}, ${z}`),
    conditions,
    order: newestFirst,
  };
  return pagesOf(session, list, z.domainId, domainIds, request);
}
