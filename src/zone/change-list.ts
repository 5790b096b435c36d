/**
 * Lists of changes: the journal of a zone, and the changes of all zones. A list over all zones walks the ids, those of one
 * zone or of one user's zones take the last of each zone; where a filter may select few of many changes, the list is a search.
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
  type PageRequest,
  page,
  pageOf,
  pagesOf,
} from "../lists/pagination.ts";
import { type Selector, selected } from "../lists/relation.ts";
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
const earlier = table(Change, "earlier");
const d = table(Domain, "d");
const x = table(DeletedDomain, "x");
const r = table(ZoneRecord, "r");
const v = table(ChangeRecord, "v");

/**
 * What selects changes; every selector that is given must match. The actor is as a change has it, or the name of a key alone; the source is
 * its name there.
 */
export interface ChangeFilter extends CreatedRange {
  readonly actor?: string | undefined;
  readonly source?: string | undefined;
}

/**
 * How far the ids of changes may be from the order of their times, an hour: a change gets its id when it is stored, and its
 * time by the clock of one of the instances.
 */
const disorder = sql`interval '1 hour'`;

/** What selects changes of any zone. Times narrow the ids too, so that a list in their order ends where the times do. */
export const selectorsOfChanges = {
  createdSince: {
    read: (time) => time,
    where: (time) => sql<boolean>`${c.createdAt} >= ${time} and ${c.id} >= (select ${earlier.id} from ${earlier}
      where ${earlier.createdAt} >= ${time}::timestamptz - ${disorder} order by ${earlier.createdAt} limit 1)`,
  },
  createdBefore: {
    read: (time) => time,
    where: (time) => sql<boolean>`${c.createdAt} < ${time} and ${c.id} <= (select ${earlier.id} from ${earlier}
      where ${earlier.createdAt} < ${time}::timestamptz + ${disorder} order by ${earlier.createdAt} desc limit 1)`,
  },
  // How many changes an actor has made decides the plan, as with a search.
  actor: {
    read: literalPattern,
    where: (name) => sql<boolean>`(${c.actor} like ${name} or ${c.actor} like ${name} || ' (________)')`,
  },
  source: isLike(c.source),
} satisfies Record<"createdSince" | "createdBefore", Selector<Date>> & Record<"actor" | "source", Selector<string>>;

/** What selects changes of one zone by the records that they removed or added. */
interface TouchedFilter {
  readonly owner?: string | undefined;
  readonly type?: string | undefined;
}

/** What selects changes of one zone besides: those after one of them, and those that removed or added such a record. */
export interface JournalFilter extends ChangeFilter, TouchedFilter {
  readonly afterId?: number | undefined;
}

type JournalRequest = PageRequest<keyof typeof changeOrders>;

/** The same page of the changes of each of these domains; the owner of the filter is canonical. */
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
 * The SQL condition that change c removed or added a record of an owner, a type, or both; none where neither is given. The records of
 * the domains that are selected are read once.
 */
function touching({ owner, type }: TouchedFilter, isOfDomains: (domainId: Sql) => Sql): Sql<boolean>[] {
  if (owner === undefined && type === undefined) return [];
  const mnemonic = type === undefined ? undefined : parseField("type", () => recordType(type).mnemonic);
  const ofRecord = (record: typeof r | typeof v) => {
    const conditions = [isOfDomains(sql`${record.domainId}`)];
    if (owner !== undefined) conditions.push(sql`${record.owner} = ${owner}`);
    if (mnemonic !== undefined) conditions.push(sql`${record.type} = ${mnemonic}`);
    return sql.join(conditions, sql` and `);
  };
  return [
    sql<boolean>`${c.id} = any(array(
      select unnest(array[${v.changeId}, ${v.since}]) from ${v} where ${ofRecord(v)}
      union all select ${r.changeId} from ${r} where ${ofRecord(r)}))`,
  ];
}

/** The SQL condition that change c, of any zone, removed or added such a record: each change is looked at by itself. */
function touches({ owner, type }: TouchedFilter): Sql<boolean> {
  const mnemonic = type === undefined ? undefined : parseField("type", () => recordType(type).mnemonic);
  const isSuch = (record: typeof r | typeof v) => {
    const conditions = [sql`${record.domainId} = ${c.domainId}`];
    if (owner !== undefined) conditions.push(sql`${record.owner} = ${owner}`);
    if (mnemonic !== undefined) conditions.push(sql`${record.type} = ${mnemonic}`);
    return sql.join(conditions, sql` and `);
  };
  return sql<boolean>`(
    exists (select from ${v} where ${isSuch(v)} and ${v.changeId} = ${c.id})
    or exists (select from ${v} where ${isSuch(v)} and ${v.since} = ${c.id})
    or exists (select from ${r} where ${isSuch(r)} and ${r.changeId} = ${c.id}))`;
}

/**
 * The id of the last change that left each of these domains at a serial; undefined where none did. A change raises the
 * serial, so it is among as many of the last changes as the serial is behind.
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

/** The last change of each domain that was changed after the change of this id, as far as the session sees them, oldest first. */
export async function lastChangesAfter(session: Session, id: number, limit: number): Promise<ChangeRow[]> {
  const query = sql<ChangeRow>`
    select * from (
      select distinct on (${c.domainId}) ${changeColumns} from ${changesWithUsers}
      where ${c.id} > ${id} and ${seesZone(session.actor, userOfChange, c.zone)} order by ${c.domainId}, ${c.id} desc
    ) latest order by id limit ${limit}`;
  return query.run(session);
}

/** The changes that a change set made, as far as the session sees them. */
export async function changesOfSet(session: Session, changeSetId: number): Promise<ChangeRow[]> {
  const query = sql<ChangeRow>`
    select ${changeColumns} from ${changesWithUsers}
    where ${c.changeSetId} = ${changeSetId} and ${seesZone(session.actor, userOfChange, c.zone)}`;
  return query.run(session);
}

/** The refusal for a serial at which a zone never was, as far as its journal goes. */
export function noSuchSerial(zone: string, serial: number, field: string): Refusal {
  const message = `${field}: the journal of ${zone} has no serial ${serial}; read the whole zone again.`;
  return new Refusal("NOT_FOUND", message, { field });
}

/**
 * One page of the changes that the session sees, of all zones or of those that have or had a name; only with a name by the records that
 * they touch.
 */
export function listChanges(
  session: Session,
  { zone, owner, type, ...filter }: ChangeFilter & TouchedFilter & { readonly zone?: string | undefined },
  request: JournalRequest,
): Promise<Page<ChangeRow>> {
  const shared = session;
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
  return conditions.length > 0 ? inSearch(shared, read) : read(shared);
}

/** In SQL, the first changes c of each domain that an actor sees, deleted ones too, of all names or of this one. */
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

/** Selects the changes of the domains, deleted ones too, that have or had a name. */
export const ofZone: Selector<string> = {
  read: readZone,
  where: (zone) => sql<boolean>`${c.domainId} = any(array(
    select ${d.id} from ${d} where ${d.zone} = ${zone} union all select ${x.id} from ${x} where ${x.zone} = ${zone}))`,
};

/** The domains that an actor sees, deleted ones too, whose name is this one. */
function seenDomains(actor: Actor, zone: string | undefined): Sql {
  const of = (each: typeof d | typeof x) => {
    const isNamed = zone === undefined ? sql`true` : sql`${each.zone} = ${zone}`;
    return sql`select ${each.id} as id from ${each} where ${seesZone(actor, each.userId, each.zone)} and ${isNamed}`;
  };
  return sql`${of(d)} union all ${of(x)}`;
}
