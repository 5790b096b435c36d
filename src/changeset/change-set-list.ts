import { byId, type Order, type Page, type PageRequest, page, pagesOf } from "../lists/pagination.ts";
import { type Relation, type Selector, selected } from "../lists/relation.ts";
import { literalPattern } from "../lists/text-search.ts";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { madeBy } from "../zone/change-list.ts";
import { readZone } from "../zone/domain.ts";
import { ChangeSet, type ChangeSetRow, ChangeSetZone, changeSetColumns, seesSet } from "./change-set.ts";

const s = table(ChangeSet, "s");
const z = table(ChangeSetZone, "z");

const newestFirst: Order<ChangeSetRow> = byId<ChangeSetRow>("changeSet.NEWEST", s.id, true);

/** By the last step, newest first. */
const latestFirst: Order<ChangeSetRow> = {
  name: "changeSet.LATEST",
  columns: [s.updatedAt, s.id],
  kinds: ["string", "number"],
  descending: true,
  key: ({ updatedAt, id }) => [updatedAt.toISOString(), id],
};

export interface ChangeSetFilter {
  readonly states?: readonly string[] | undefined;
  readonly zone?: string | undefined;
  readonly userId?: number | undefined;
}

/** `author` is the full name in the set, or the name of a key; the times are those of the last step. */
interface LatestFilter {
  readonly author?: string | undefined;
  readonly since?: Date | undefined;
  readonly before?: Date | undefined;
}

/** One page of the change sets that the session sees, newest first. `also` holds further conditions on set s. */
export function listChangeSets(
  session: Session,
  { states, zone, userId }: ChangeSetFilter,
  request: PageRequest,
  also: readonly Sql<boolean>[] = [],
  order = newestFirst,
): Promise<Page<ChangeSetRow>> {
  const conditions = [seesSet(session.actor), ...also];
  if (states !== undefined) conditions.push(sql<boolean>`${s.state} = any(${states})`);
  if (userId !== undefined) conditions.push(sql<boolean>`${s.userId} = ${userId}`);
  if (zone !== undefined)
    conditions.push(
      sql<boolean>`exists (select from ${z} where ${z.zone} = ${readZone(zone)} and ${z.changeSetId} = ${s.id})`,
    );
  const list = { columns: changeSetColumns, from: s, conditions, order };
  return page(session, list, request);
}

/** One page of the change sets in these states that the session sees, the last changed first. */
export function latestChangeSets(
  session: Session,
  { author, since, before, ...filter }: ChangeSetFilter & LatestFilter,
  request: PageRequest,
): Promise<Page<ChangeSetRow>> {
  const also: Sql<boolean>[] = [];
  if (author !== undefined) also.push(madeBy(s.author).where(literalPattern(author)));
  if (since !== undefined) also.push(sql<boolean>`${s.updatedAt} >= ${since}`);
  if (before !== undefined) also.push(sql<boolean>`${s.updatedAt} < ${before}`);
  return listChangeSets(session, filter, request, also, latestFirst);
}

/** The change sets that edit or delete a domain, once for each domain. */
export const changeSetsOfZones = {
  columns: changeSetColumns.and(z.columns("domainId")),
  from: sql`${s} join ${z} on ${z.changeSetId} = ${s.id}`,
  sees: seesSet,
  orders: { NEWEST: newestFirst },
  selectors: {
    states: {
      read: (states) => states,
      where: (states) => sql<boolean>`${s.state} = any(${states})`,
    } satisfies Selector<readonly string[]>,
  },
} as const satisfies Relation<ChangeSetRow>;

/** For each of these domains, one page of the change sets that edit or delete it. */
export function changeSetsOfDomains(
  session: Session,
  domainIds: readonly number[],
  states: readonly string[] | undefined,
  request: PageRequest,
): Promise<Page<ChangeSetRow>[]> {
  const conditions = [seesSet(session.actor), ...selected(changeSetsOfZones.selectors, { states })];
  const list = { ...changeSetsOfZones, conditions, order: newestFirst };
  return pagesOf(session, list, z.domainId, domainIds, request);
}
