/**
 * Lists of records. A list across zones is sorted by zone name, for which there is no index. Records that an index finds are sorted;
 * otherwise the zones are walked until a page is full.
 */

import { inSearch, listRows } from "../lists/list-statement.ts";
import {
  between,
  counter,
  type ListQuery,
  limitOf,
  orderBy,
  type Page,
  page,
  pageOf,
  readCursor,
} from "../lists/pagination.ts";
import { selected } from "../lists/relation.ts";
import { hasTrigram } from "../lists/text-search.ts";
import type { Actor } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { type Carrier, type Sql, sql } from "../sql/sql.ts";
import { Domain, readZone } from "./domain.ts";
import {
  type RecordFilter,
  type RecordPageRequest,
  type RecordRow,
  readOwner,
  recordOrders,
  recordOrdersInZone,
  records,
  selectorsAcrossZones,
  selectorsOfRecord,
  ZoneRecord,
} from "./record.ts";
import { partsOf } from "./record-search.ts";

const r = table(ZoneRecord, "r");
const d = table(Domain, "d");
const f = table(ZoneRecord, "found");

/** One page of the records that the session sees, of all zones or of the zone in the filter. */
export async function listRecords(
  session: Session,
  filter: RecordFilter,
  request: RecordPageRequest,
): Promise<Page<RecordRow>> {
  const zone = filter.zone === undefined ? undefined : readZone(filter.zone);
  const canonical = filter.owner === undefined ? filter : { ...filter, owner: readOwner(filter.owner, zone) };
  const selectors = zone === undefined ? selectorsAcrossZones : records.selectors;
  const conditions = [records.sees(session.actor), ...selected(selectors, canonical)];
  const order = zone !== undefined ? recordOrdersInZone[request.order] : recordOrders[request.order];
  const list: ListQuery<RecordRow> = { ...records, conditions, order };
  const filtered = new Set(Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [name])));
  const read = async (db: Carrier) => {
    if (zone !== undefined || request.order !== "NAME") return page(db, list, request);
    const isIndexed =
      filter.owner !== undefined ||
      filter.ownerPrefix !== undefined ||
      filter.noteContains !== undefined ||
      partsOf(filter).some(hasTrigram);
    const rows = isIndexed ? await foundByIndex(db, list, request) : undefined;
    return pageOf(
      rows ?? (await acrossZones(db, session.actor, canonical, request)),
      request,
      order,
      counter(db, list),
    );
  };
  return partsOf(filter).length > 0 || isSearch(filtered) ? inSearch(session, read) : read(session);
}

/** Whether a filter of these fields may have to check all records to find few. */
export const isSearch = (given: ReadonlySet<string>) =>
  given.has("rdataContains") ||
  given.has("noteContains") ||
  given.has("labels") ||
  (!given.has("zone") && ["owner", "ownerPrefix", "types"].some((name) => given.has(name)));

/** Whether an index finds the records of all zones for a filter of these fields. */
export const isFoundByIndex = (given: ReadonlySet<string>) =>
  ["owner", "ownerPrefix", "rdataContains"].some((name) => given.has(name));

/**
 * The most found records that are sorted. For a part with more matches, the walk through the zones checks about as many records, in a few
 * million, until a page is full.
 */
export const mostFound = 20_000;

/**
 * The SQL of a page of the rows that `found` selects, sorted unless they are more than `mostFound`. Every row has their `count`. When the
 * page is empty or the rows are too many, there is one row with the count alone.
 */
export function sortedFound(found: Sql, sorted: Sql, limit: Sql): Sql {
  return sql`
    with found as materialized (${found} limit ${mostFound + 1})
    select n.count, page.* from (select count(*) from found) n left join lateral (
      select * from found where n.count <= ${mostFound} order by ${sorted} limit ${limit}
    ) page on true`;
}

/** A page of all matching records, sorted by zone; undefined when more than `mostFound` match. */
async function foundByIndex(
  db: Carrier,
  { conditions, order }: ListQuery<RecordRow>,
  request: RecordPageRequest,
): Promise<RecordRow[] | undefined> {
  const where = sql.join([...conditions, ...zonesBetween(request), ...between(order, request)], sql` and `);
  const sorted = { ...order, columns: [table(Domain, "found").zone, f.position, f.id] };
  const matching = sql`select ${records.columns}, ${r.position} from ${records.from} where ${where}`;
  const query = sortedFound(matching, orderBy(sorted, request), sql`${limitOf(request)}`);
  const counted = (await listRows(db, query)) as (RecordRow & { count: number })[];
  if ((counted[0]?.count ?? 0) > mostFound) return undefined;
  return counted.filter(({ id }) => id !== null);
}

function keysOf(request: RecordPageRequest): [field: "after" | "before", key: (string | number)[]][] {
  return (["after", "before"] as const).flatMap((field) => {
    const cursor = request[field];
    return cursor === undefined || cursor === null ? [] : [[field, readCursor(cursor, recordOrders.NAME, field)]];
  });
}

/** The SQL condition that domain `d` may have records of a page after, or before, a record of this zone. */
export const zoneBeyond = (field: "after" | "before", zone: unknown): Sql<boolean> =>
  field === "after" ? sql`${d.zone} >= ${zone}` : sql`${d.zone} <= ${zone}`;

const zonesBetween = (request: RecordPageRequest) => keysOf(request).map(([field, [zone]]) => zoneBeyond(field, zone));

/** The SQL condition that record `r` of domain `d` comes after, or before, the record of this key. */
export function beyondInZone(field: "after" | "before", [zone, start, id]: readonly unknown[]): Sql<boolean> {
  const isAfter = field === "after";
  const bound = (part: unknown, otherwise: Sql) =>
    sql`case when ${d.zone} = ${zone} then ${part} else ${otherwise} end`;
  const position = bound(start, isAfter ? sql`''` : sql`chr(1114111)`);
  const limit = bound(id, isAfter ? sql`0::bigint` : sql`9223372036854775807`);
  return sql`(${r.position}, ${r.id}) ${isAfter ? sql`>` : sql`<`} (${position}, ${limit})`;
}

/**
 * The SQL of zones `d` by name, each with at most a page of its records `r` that meet the conditions. Each zone uses its own index, so a
 * page does not become slower with the number or the size of zones.
 */
export function walkOfZones(
  conditions: readonly Sql<boolean>[],
  request: { readonly last?: number | null | undefined },
  limit: Sql,
): Sql {
  const ofZone = sql.join([sql`${r.domainId} = ${d.id}`, ...conditions], sql` and `);
  const sorted = orderBy(recordOrdersInZone.NAME, { last: request.last });
  return sql`${d} cross join lateral (select * from ${r} where ${ofZone} order by ${sorted} limit ${limit}) r`;
}

async function acrossZones(
  db: Carrier,
  actor: Actor,
  { userId, labels, ...filter }: RecordFilter,
  request: RecordPageRequest,
): Promise<readonly RecordRow[]> {
  const ofZones = selected(records.selectors, { userId, labels });
  const zones = [records.sees(actor), ...zonesBetween(request), ...ofZones];
  const bounds = keysOf(request).map(([field, key]) => beyondInZone(field, key));
  const limit = sql`${limitOf(request)}`;
  const from = walkOfZones([...selected(selectorsOfRecord, filter), ...bounds], request, limit);
  const query = sql<RecordRow>`
    select ${records.columns} from ${from}
    where ${sql.join(zones, sql` and `)} order by ${orderBy(recordOrders.NAME, request)} limit ${limit}`;
  return listRows(db, query);
}
