/**
 * Lists of changes: of one zone (its journal) and of all zones. A list over all zones is read by id; a list of one zone or one user's
 * zones reads the latest changes of each zone. With a filter that may select few of many changes, the list is a search.
 */

import { recordType } from "../dns/rdata/record-type-registry.ts";
import { Refusal } from "../errors.ts";
import { inSearch } from "../lists/list-statement.ts";
import {
  between,
  type CreatedRange,
  counter,
  limitOf,
  orderBy,
  type Page,
  page,
  pageOf,
  pagesOf,
  type SortedRequest,
} from "../lists/pagination.ts";
import { createdWithinIds, type Selector, selected } from "../lists/relation.ts";
import { isLike, literalPattern } from "../lists/text-search.ts";
import { type Actor, seesZone } from "../session/authorization.ts";
import { parseField } from "../session/parse-field.ts";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { type Carrier, type Sql, sql } from "../sql/sql.ts";
import {
  Change,
  type ChangeRow,
  changeColumns,
  changeOrders,
  changesWithUsers,
  DeletedDomain,
  userOfChange,
} from "./change.ts";
import { ChangeRecord } from "./change-record.ts";
import { Domain, readZone } from "./domain.ts";
import { readOwner, ZoneRecord } from "./record.ts";

const c = table(Change, "c");
const later = table(Change, "later");
const d = table(Domain, "d");
const x = table(DeletedDomain, "x");
const r = table(ZoneRecord, "r");
const v = table(ChangeRecord, "v");

/**
 * A filter of changes; a change must match every field. `actor` is the full name in the change, or the name of a key without its
 * fingerprint.
 */
export interface ChangeFilter extends CreatedRange {
  readonly actor?: string | undefined;
  readonly source?: string | undefined;
}

/**
 * Selects what an actor of this name made, or the keys of this name. Written as a pattern, so that PostgreSQL chooses the plan by how much
 * the actor has made.
 */
export const madeBy = (actor: Sql): Selector<string> => ({
  read: literalPattern,
  where: (name) => sql<boolean>`(${actor} like ${name} or ${actor} like ${name} || ' (________)')`,
});

/** The selectors of changes of all zones. */
export const selectorsOfChanges = {
  ...createdWithinIds(c, table(Change, "earlier")),
  actor: madeBy(c.actor),
  source: isLike(c.source),
} satisfies Record<"createdSince" | "createdBefore", Selector<Date>> & Record<"actor" | "source", Selector<string>>;

interface TouchedFilter {
  readonly owner?: string | undefined;
  readonly type?: string | undefined;
}

/** A filter of changes of one zone; `afterId` selects the changes after that one. */
interface JournalFilter extends ChangeFilter, TouchedFilter {
  readonly afterId?: number | undefined;
}

type JournalRequest = SortedRequest<keyof typeof changeOrders>;

export function changesOfDomains(
  session: Session,
  domainIds: readonly number[],
  { afterId, owner, type, ...filter }: JournalFilter,
  request: JournalRequest,
): Promise<Page<ChangeRow>[]> {
  const conditions = [seesZone(session.actor, userOfChange, c.zone), ...selected(selectorsOfChanges, filter)];
  if (afterId !== undefined) conditions.push(sql`${c.id} > ${afterId}`);
  conditions.push(...touching({ owner, type }, (domainId) => sql`${domainId} = parent.id`));
  const list = { columns: changeColumns, from: changesWithUsers, conditions, order: changeOrders[request.order] };
  const read = (db: Carrier) => pagesOf(db, list, c.domainId, domainIds, request);
  return Object.keys(filter).length > 0 || conditions.length > 2 ? inSearch(session, read) : read(session);
}

/**
 * The SQL condition that change `c` removed or added a record of the owner and the type; empty without both. The records of the selected
 * domains are read once for all changes.
 */
function touching(filter: TouchedFilter, isOfDomains: (domainId: Sql) => Sql): Sql<boolean>[] {
  if (filter.owner === undefined && filter.type === undefined) return [];
  const ofRecord = recordIs(filter, isOfDomains);
  return [
    sql<boolean>`${c.id} = any(array(
      select unnest(array[${v.changeId}, ${v.since}]) from ${v} where ${ofRecord(v)}
      union all select ${r.changeId} from ${r} where ${ofRecord(r)}))`,
  ];
}

/** The same condition for changes of any zone, checked for each change by itself. */
function touches(filter: TouchedFilter): Sql<boolean> {
  const isSuch = recordIs(filter, (domainId) => sql`${domainId} = ${c.domainId}`);
  return sql<boolean>`(
    exists (select from ${v} where ${isSuch(v)} and ${v.changeId} = ${c.id})
    or exists (select from ${v} where ${isSuch(v)} and ${v.since} = ${c.id})
    or exists (select from ${r} where ${isSuch(r)} and ${r.changeId} = ${c.id}))`;
}

function recordIs({ owner, type }: TouchedFilter, isOfDomains: (domainId: Sql) => Sql) {
  const mnemonic = type === undefined ? undefined : parseField("type", () => recordType(type).mnemonic);
  return (record: typeof r | typeof v): Sql => {
    const conditions = [isOfDomains(record.domainId)];
    if (owner !== undefined) conditions.push(sql`${record.owner} = ${owner}`);
    if (mnemonic !== undefined) conditions.push(sql`${record.type} = ${mnemonic}`);
    return sql.join(conditions, sql` and `);
  };
}

/**
 * The id of the latest change that left each of these domains at a serial; undefined if no change did. Each change raises the serial, so
 * it is among the last n changes when the serial is n behind.
 */
export async function changesAtSerial(
  session: Session,
  domainIds: readonly number[],
  serial: number,
): Promise<(number | undefined)[]> {
  const query = sql<{ id: number; changeId: number | null }>`
    select ${d.id}, (
      select last.id from (
        select ${c.columns("id", "serial")} from ${c} where ${c.domainId} = ${d.id} order by ${c.id} desc
        limit (${d.serial} - ${serial} + 4294967296) % 4294967296 + 2
      ) last where ${serial} = last.serial order by last.id desc limit 1
    ) as "changeId" from ${d} where ${d.id} = any(${domainIds}::bigint[])`;
  const rows = await query.run(session);
  const byDomain = new Map(rows.map(({ id, changeId }) => [id, changeId ?? undefined]));
  return domainIds.map((id) => byDomain.get(id));
}

/** The last change of each domain with changes after this id, as far as the session sees them, oldest first. */
export async function lastChangesAfter(session: Session, id: number, limit: number): Promise<ChangeRow[]> {
  const query = sql<ChangeRow>`
    select * from (
      select distinct on (${c.domainId}) ${changeColumns} from ${changesWithUsers}
      where ${c.id} > ${id} and ${seesZone(session.actor, userOfChange, c.zone)} order by ${c.domainId}, ${c.id} desc
    ) latest order by id limit ${limit}`;
  return query.run(session);
}

export async function changesOfSet(session: Session, changeSetId: number): Promise<ChangeRow[]> {
  const query = sql<ChangeRow>`
    select ${changeColumns} from ${changesWithUsers}
    where ${c.changeSetId} = ${changeSetId} and ${seesZone(session.actor, userOfChange, c.zone)}`;
  return query.run(session);
}

export function noSuchSerial(zone: string, serial: number, field: string): Refusal {
  const message = `${field}: the journal of ${zone} has no serial ${serial}; read the whole zone again.`;
  return new Refusal("NOT_FOUND", message, { field });
}

/** The user of a change, looked up for each by itself, where a join could be planned for fewer changes than there are. */
const userOf = ({ domainId }: typeof c) => sql`coalesce(
  (select ${d.userId} from ${d} where ${d.id} = ${domainId}), (select ${x.userId} from ${x} where ${x.id} = ${domainId}))`;

/** The SQL condition that an actor sees change `c`, without a join: a user by the user's domains, others for each change by itself. */
export const seesChange = (actor: Actor): Sql<boolean> =>
  actor.role === "user"
    ? sql<boolean>`${c.domainId} = any(array(${seenDomains(actor, undefined)}))`
    : seesZone(actor, userOf(c), c.zone);

/**
 * The SQL condition that change `c` has no change set, or is the newest one of its set before a time, of those that the actor sees. A set
 * changes a zone once, so that in one zone it is always true.
 */
export function isNewestOfSet(
  actor: Actor,
  { zone, before }: { readonly zone: string | undefined; readonly before: Date | undefined },
): Sql<boolean> {
  if (zone !== undefined) return sql<boolean>`true`;
  const isBefore = before ? sql`${later.createdAt} < ${before}` : sql`true`;
  return sql<boolean>`(${c.changeSetId} is null or not exists (select from ${later}
    where ${later.changeSetId} = ${c.changeSetId} and ${later.id} > ${c.id} and ${isBefore} and ${seesZone(actor, userOf(later), later.zone)}))`;
}

/**
 * One page of the changes that the session sees, of all zones or of the zones with this present or former name. `owner` and `type` need a
 * zone or `createdSince`. `also` are further conditions on change `c`.
 */
export function listChanges(
  session: Session,
  { zone, owner, type, ...filter }: ChangeFilter & TouchedFilter & { readonly zone?: string | undefined },
  request: JournalRequest,
  also: readonly Sql<boolean>[] = [],
): Promise<Page<ChangeRow>> {
  const order = changeOrders[request.order];
  const conditions = selected(selectorsOfChanges, filter);
  if (owner !== undefined || type !== undefined) {
    if (zone === undefined && filter.createdSince === undefined)
      throw new Refusal("MISSING_FIELD", "zone is missing; send it with an owner or a type, or send createdSince.", {
        field: "zone",
      });
    const name = zone === undefined ? undefined : readZone(zone);
    const touched = { type, owner: owner === undefined ? undefined : readOwner(owner, name) };
    if (name === undefined) conditions.push(touches(touched));
    else conditions.push(...touching(touched, (id) => sql`${id} = any(array(${seenDomains(session.actor, name)}))`));
  }
  const isSearch = conditions.length > 0;
  conditions.push(...also);
  const read = async (db: Carrier) => {
    if (zone === undefined && session.actor.role !== "user") {
      const sees = seesZone(session.actor, userOfChange, c.zone);
      return page(
        db,
        { columns: changeColumns, from: changesWithUsers, conditions: [sees, ...conditions], order },
        request,
      );
    }
    const name = zone === undefined ? undefined : readZone(zone);
    const visible = sql`(${seenDomains(session.actor, name)}) visible`;
    const [sorting, limit] = [orderBy(order, request), sql`${limitOf(request)}`];
    const ofPage = { conditions: [...conditions, ...between(order, request)], sorting, limit };
    const query = sql<ChangeRow>`
      select ${changeColumns} from ${walkOfDomains(session.actor, name, ofPage)} order by ${sorting} limit ${limit}`;
    const list = { columns: changeColumns, from: sql`${visible} join ${c} on ${c.domainId} = visible.id`, order };
    const count = counter(db, { ...list, conditions: [sql`true`, ...conditions] });
    return pageOf(await query.run(db), request, order, count);
  };
  return isSearch ? inSearch(session, read) : read(session);
}

export function walkOfDomains(
  actor: Actor,
  zone: string | undefined,
  page: Readonly<{
    conditions: readonly Sql[];
    sorting: Sql;
    limit: Sql;
  }>,
): Sql {
  const ofDomain = sql.join([sql`${c.domainId} = visible.id`, ...page.conditions], sql` and `);
  return sql`(${seenDomains(actor, zone)}) visible cross join lateral (
    select * from ${c} where ${ofDomain} order by ${page.sorting} limit ${page.limit}) c`;
}

export const ofZone: Selector<string> = {
  read: readZone,
  where: (zone) => sql<boolean>`${c.domainId} = any(array(
    select ${d.id} from ${d} where ${d.zone} = ${zone} union all select ${x.id} from ${x} where ${x.zone} = ${zone}))`,
};

function seenDomains(actor: Actor, zone: string | undefined): Sql {
  const of = (each: typeof d | typeof x) => {
    const isNamed = zone === undefined ? sql`true` : sql`${each.zone} = ${zone}`;
    return sql`select ${each.id} as id from ${each} where ${seesZone(actor, each.userId, each.zone)} and ${isNamed}`;
  };
  return sql`${of(d)} union all ${of(x)}`;
}
