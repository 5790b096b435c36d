/**
 * Lists by key: a page starts after a key in a fixed order, and earlier rows are not counted, so the last page of a million rows costs
 * what the first one does.
 */

import { Refusal } from "../errors.ts";
import { type Carrier, type Sql, sql } from "../sql/sql.ts";
import { inSearch, listRows } from "./list-statement.ts";

/** The order of a list: the columns of its key, and the key of a row. A cursor holds the name of the order and a key. */
export interface Order<Row> {
  readonly name: string;
  readonly columns: readonly Sql[];
  readonly kinds: readonly ("string" | "number")[];
  readonly descending: boolean;
  readonly key: (row: Row) => readonly (string | number)[];
}

export function byId<Row extends { readonly id: number }>(name: string, column: Sql, descending: boolean): Order<Row> {
  return { name, columns: [column], kinds: ["number"], descending, key: (row) => [row.id] };
}

export const defaultPageSize = 50;

/**
 * A page: at most `first` rows (1 to 1000) from the beginning, or `last` rows from the end, of the rows after and before these cursors,
 * always in the order of the list.
 */
export interface PageRequest {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

/** A page of a list that has several orders. */
export interface SortedRequest<Name extends string> extends PageRequest {
  readonly order: Name;
}

/** The size of a page, and whether it is taken from the end; throws INVALID_VALUE for both `first` and `last`. */
export function extentOf({ first, last }: PageRequest): { size: number; isLast: boolean } {
  const isLast = last !== undefined && last !== null;
  if (isLast && first !== undefined && first !== null)
    throw new Refusal("INVALID_VALUE", "last: send first or last, not both.", { field: "last" });
  return { size: last ?? first ?? defaultPageSize, isLast };
}

/** A page of rows. `count` counts the whole list, when called. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly cursor: (row: Row) => string;
  readonly count: () => Promise<number>;
}

export interface ListQuery<Row> {
  readonly columns: Sql;
  readonly from: Sql;
  readonly conditions: readonly Sql[];
  readonly order: Order<Row>;
}

export interface CreatedRange {
  readonly createdSince?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

export async function page<Row>(db: Carrier, list: ListQuery<Row>, request: PageRequest): Promise<Page<Row>> {
  const { columns, from, conditions, order } = list;
  const where = sql.join([...conditions, ...between(order, request)], sql` and `);
  const query = sql<Row>`
    select ${columns} from ${from} where ${where} order by ${orderBy(order, request)} limit ${limitOf(request)}`;
  return pageOf(await listRows(db, query), request, order, counter(db, list));
}

/** Returns a page of each parent's list by one query; `parent` is the column of the parent's id. */
export async function pagesOf<Row>(
  db: Carrier,
  list: ListQuery<Row>,
  parent: Sql,
  parentIds: readonly number[],
  request: PageRequest,
): Promise<Page<Row>[]> {
  const { columns, from, conditions, order } = list;
  const where = sql.join([sql`${parent} = parent.id`, ...conditions, ...between(order, request)], sql` and `);
  const query = sql<Row>`
    select parent.id as "parentId", child.* from unnest(${parentIds}::bigint[]) as parent(id) cross join lateral (
      select ${columns} from ${from} where ${where} order by ${orderBy(order, request)} limit ${limitOf(request)}
    ) child`;
  const children = Map.groupBy(await listRows(db, query), (row) => (row as { parentId: number }).parentId);
  const counts = counterOfEach(db, list, parent, parentIds);
  return parentIds.map((id) => pageOf(children.get(id) ?? [], request, order, () => counts(id)));
}

function counterOfEach<Row>(
  db: Carrier,
  { from, conditions }: ListQuery<Row>,
  parent: Sql,
  parentIds: readonly number[],
): (id: number) => Promise<number> {
  const where = sql.join([sql`${parent} = parent.id`, ...conditions], sql` and `);
  const query = sql<{ id: number; count: number }>`
    select parent.id, (select count(*) from ${from} where ${where}) as count
    from unnest(${parentIds}::bigint[]) as parent(id)`;
  let counts: Promise<Map<number, number>> | undefined;
  const read = async (own: Carrier) => new Map((await listRows(own, query)).map(({ id, count }) => [id, count]));
  return async (id) => {
    counts ??= inSearch(db, read);
    return (await counts).get(id) ?? 0;
  };
}

export function counter<Row>(db: Carrier, list: ListQuery<Row>): () => Promise<number> {
  const query = sql<{
    count: number;
  }>`select count(*) from ${list.from} where ${sql.join(list.conditions, sql` and `)}`;
  return async () => (await inSearch(db, (own) => listRows(own, query)))[0]?.count ?? 0;
}

/** The number of rows to read for a page: one more than its size shows whether there are more. */
export const limitOf = (request: PageRequest) => extentOf(request).size + 1;

/** Makes a page from its rows in the order in which they were read, which begins at the start of the page (for `last`, at its end). */
export function pageOf<Row>(
  rows: readonly Row[],
  request: PageRequest,
  order: Order<Row>,
  count: () => Promise<number>,
): Page<Row> {
  const { size, isLast } = extentOf(request);
  const [hasMore, page] = [rows.length > size, rows.slice(0, size)];
  return {
    rows: isLast ? page.toReversed() : page,
    hasNextPage: isLast ? isGiven(request.before) : hasMore,
    hasPreviousPage: isLast ? hasMore : isGiven(request.after),
    cursor: (row) => cursorText([order.name, ...order.key(row)]),
    count,
  };
}

/** Makes a page of a whole list in memory, sorted by an ascending order. */
export function pageOfAll<Row>(rows: readonly Row[], request: PageRequest, order: Order<Row>): Page<Row> {
  const keyOf = (cursor: string | null | undefined, field: "after" | "before") =>
    isGiven(cursor) ? readCursor(cursor as string, order, field) : undefined;
  const [after, before] = [keyOf(request.after, "after"), keyOf(request.before, "before")];
  const isInside = (row: Row) =>
    (!after || isBefore(after, order.key(row))) && (!before || isBefore(order.key(row), before));
  const inside = rows.filter(isInside);
  const nearest = extentOf(request).isLast ? inside.toReversed() : inside;
  return pageOf(nearest.slice(0, limitOf(request)), request, order, async () => rows.length);
}

function isBefore(a: readonly (string | number)[], b: readonly (string | number)[]): boolean {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at >= 0 && (a[at] as string) < (b[at] as string);
}

const isGiven = (cursor: string | null | undefined) => cursor !== undefined && cursor !== null;

export function orderBy<Row>(order: Order<Row>, request: PageRequest): Sql {
  const direction = order.descending !== extentOf(request).isLast ? sql`desc` : sql`asc`;
  return sql.join(order.columns.map((column) => sql`${column} ${direction}`));
}

export function between<Row>(order: Order<Row>, { after, before }: PageRequest): Sql[] {
  const bound = (cursor: string | null | undefined, field: "after" | "before") =>
    cursor === undefined || cursor === null ? [] : [beyond(order, field, readCursor(cursor, order, field))];
  return [sql`true`, ...bound(after, "after"), ...bound(before, "before")];
}

export function beyond(
  { columns, kinds, descending }: Pick<Order<never>, "columns" | "kinds" | "descending">,
  field: "after" | "before",
  key: readonly unknown[],
): Sql {
  const isGreater = (field === "after") !== descending;
  const parts = key.map((part, at) => (kinds[at] === "number" ? sql`${part}::bigint` : sql`${part}`));
  return sql`(${sql.join(columns)}) ${isGreater ? sql`>` : sql`<`} (${sql.join(parts)})`;
}

export const cursorText = (parts: readonly unknown[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");

/** Returns the key of a cursor; throws INVALID_VALUE for a cursor of another order. */
export function readCursor(
  cursor: string,
  { name, kinds }: Pick<Order<unknown>, "name" | "kinds">,
  field: "after" | "before" = "after",
): (string | number)[] {
  const [orderName, ...key] = partsOf(cursor);
  if (orderName === name && key.length === kinds.length && kinds.every((kind, at) => isPart(key[at], kind))) return key;
  throw new Refusal("INVALID_VALUE", `${field} is not a cursor of this list; send back a cursor as it was given.`, {
    field,
  });
}

/** The parts of a cursor; empty unless it is exactly in the form of `cursorText`. */
function partsOf(cursor: string): (string | number)[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(parts) && cursorText(parts) === cursor ? parts : [];
  } catch {
    return [];
  }
}

function isPart(part: unknown, kind: "string" | "number"): boolean {
  return kind === "number" ? Number.isSafeInteger(part) : typeof part === "string" && !part.includes("\0");
}
