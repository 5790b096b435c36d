/**
 * A kind of object in SQL, as data: its table and columns, who sees its rows, its orders and its selectors. The read functions of the
 * object use it, and so do the plans of graphql/plan.
 */

import type { Actor } from "../session/authorization.ts";
import type { Columns } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import type { CreatedRange, Order } from "./pagination.ts";

/** Selects rows: `read` parses a value, and may throw; `where` makes the condition of the result. */
export interface Selector<Value, Result = Value> {
  readonly read: (value: Value) => Result;
  readonly where: (result: Result) => Sql<boolean>;
}

// biome-ignore lint/suspicious/noExplicitAny: each selector has a type of value of its own
export type AnySelector = Selector<any, any>;

export interface Relation<Row> {
  readonly columns: Columns<Row>;
  readonly from: Sql;
  readonly sees: (actor: Actor) => Sql<boolean>;
  readonly orders: Readonly<Record<string, Order<Row>>>;
  readonly selectors: Readonly<Record<string, AnySelector>>;
  /** The selectors that a trigram index serves; `read` returns undefined for a value that it cannot find. */
  readonly indexed?: Readonly<Record<string, AnySelector>>;
  /**
   * The same rows, selected from the table of the object without joins. Used by statements whose actor is known to see the parent object.
   */
  readonly own?: { readonly columns: Columns<unknown>; readonly from: Sql };
}

export function selected<Name extends string>(
  selectors: Readonly<Record<Name, AnySelector>>,
  filter: { readonly [Each in NoInfer<Name>]?: unknown },
): Sql<boolean>[] {
  const names = Object.keys(selectors) as Name[];
  return names
    .filter((name) => filter[name] !== undefined)
    .map((name) => selectors[name].where(selectors[name].read(filter[name])));
}

export function equal<Value>(column: Sql): Selector<Value> {
  return { read: (value) => value, where: (value) => sql<boolean>`${column} = ${value}` };
}

interface Created extends Sql {
  readonly id: Sql;
  readonly createdAt: Sql;
}

/**
 * The most by which the order of ids and the order of times differ, an hour: a row gets its id when it is stored, and its time from the
 * clock of its instance.
 */
const disorder = sql`interval '1 hour'`;

/**
 * `createdWithin` for a table that has an index of times; `other` is the table under another alias. Times limit the ids too, so that a list
 * by id ends where the time range ends. `among` is a condition on the other that every selected row meets.
 */
export function createdWithinIds({ id, createdAt }: Created, other: Created, among: Sql = sql`true`) {
  return {
    createdSince: {
      read: (time: Date) => time,
      where: (time: Date) => sql<boolean>`${createdAt} >= ${time} and ${id} >= (select ${other.id} from ${other}
        where ${among} and ${other.createdAt} >= ${time}::timestamptz - ${disorder} order by ${other.createdAt} limit 1)`,
    },
    createdBefore: {
      read: (time: Date) => time,
      where: (time: Date) => sql<boolean>`${createdAt} < ${time} and ${id} <= (select ${other.id} from ${other}
        where ${among} and ${other.createdAt} < ${time}::timestamptz + ${disorder} order by ${other.createdAt} desc limit 1)`,
    },
  } satisfies Record<keyof CreatedRange, Selector<Date>>;
}

export function createdWithin(column: Sql) {
  return {
    createdSince: { read: (time: Date) => time, where: (time: Date) => sql<boolean>`${column} >= ${time}` },
    createdBefore: { read: (time: Date) => time, where: (time: Date) => sql<boolean>`${column} < ${time}` },
  } satisfies Record<keyof CreatedRange, Selector<Date>>;
}
