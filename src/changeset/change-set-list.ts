/** Lists of change sets. */
import { keysOfPerson } from "../account/api-key.ts";
import { byId, type Order, type Page, type PageRequest, page, pagesOf } from "../lists/pagination.ts";
import { type Relation, type Selector, selected } from "../lists/relation.ts";
import { literalPattern } from "../lists/text-search.ts";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { madeBy } from "../zone/change-list.ts";
import { readZone } from "../zone/domain.ts";
import {
  ChangeSet,
  ChangeSetEvent,
  type ChangeSetRow,
  ChangeSetZone,
  changeSetColumns,
  seesSet,
} from "./change-set.ts";
import { ChangeSetEventKind, ChangeSetState, writingEvents } from "./states.ts";

const s = table(ChangeSet, "s");
const z = table(ChangeSetZone, "z");
const v = table(ChangeSetEvent, "v");
const f = table(ChangeSetEvent, "f");

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
  /** Whether the person of the session should still review the set. */
  readonly awaitingMe?: boolean | undefined;
  /** Whether the person of the session created the set, or staged in it. */
  readonly mine?: boolean | undefined;
}

/** `author` is the full name in the set, or the name of a key; the times are those of the last step. */
interface LatestFilter {
  readonly author?: string | undefined;
  readonly since?: Date | undefined;
  readonly before?: Date | undefined;
}

/** One page of the change sets that the session sees, newest first. `also` holds further conditions on set s. */
export async function listChangeSets(
  session: Session,
  { states, zone, userId, awaitingMe, mine }: ChangeSetFilter,
  request: PageRequest,
  also: readonly Sql<boolean>[] = [],
  order = newestFirst,
): Promise<Page<ChangeSetRow>> {
  const conditions = [seesSet(session.actor), ...also, ...selected(changeSetsOfZones.selectors, { states })];
  if (userId !== undefined) conditions.push(sql<boolean>`${s.userId} = ${userId}`);
  if (zone !== undefined)
    conditions.push(
      sql<boolean>`exists (select from ${z} where ${z.zone} = ${readZone(zone)} and ${z.changeSetId} = ${s.id})`,
    );
  if (awaitingMe) conditions.push(await awaitsReview(session));
  if (mine) conditions.push(isWrittenBy(await keysOf(session)));
  const list = { columns: changeSetColumns, from: s, conditions, order };
  return page(session, list, request);
}

async function keysOf(session: Session): Promise<number[]> {
  const { keyId } = session.actor;
  return keyId === undefined ? [] : keysOfPerson(session, keyId);
}

const isOf = (keyIds: readonly number[]) => sql`${v.changeSetId} = ${s.id} and ${v.keyId} = any(${keyIds})`;

/** The SQL condition that somebody with one of these keys created set s, or staged in it. */
const isWrittenBy = (keyIds: readonly number[]) => sql<boolean>`exists (select from ${v} where ${isOf(keyIds)}
  and ${v.kind} = any(${writingEvents}))`;

/**
 * The SQL condition that the person of the session should still review set s: the set is in review, and this person did not create it, did
 * not stage in it, and has not approved its present revision since its last failure. That the session sees the set is checked elsewhere.
 */
async function awaitsReview(session: Session): Promise<Sql<boolean>> {
  if (session.actor.readOnly) return sql<boolean>`false`;
  const keyIds = await keysOf(session);
  const { APPROVED, FAILED } = ChangeSetEventKind;
  return sql<boolean>`(${s.state} = ${ChangeSetState.IN_REVIEW}
    and not ${isWrittenBy(keyIds)}
    and not exists (select from ${v} where ${isOf(keyIds)} and ${v.kind} = ${APPROVED} and ${v.revision} = ${s.revision}
      and not exists (select from ${f}
        where ${f.changeSetId} = ${s.id} and ${f.kind} = ${FAILED} and ${f.ordinal} > ${v.ordinal})))`;
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
