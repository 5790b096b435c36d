/**
 * A noun in SQL, as data: where its rows are, which columns they have, who sees them, how lists of them are sorted and what selects
 * them. The functions that read the noun are made of it, and so are the plans of graphql/plan.
 */

import type { Actor } from "../session/authorization.ts";
import type { Columns } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import type { CreatedRange, Order } from "./pagination.ts";

/** Something that selects rows: how a value is read, which may refuse it, and the condition that the result makes. */
export interface Selector<Value, Result = Value> {
  readonly read: (value: Value) => Result;
  readonly where: (result: Result) => Sql<boolean>;
}

// biome-ignore lint/suspicious/noExplicitAny: each selector has a type of value of its own
export type AnySelector = Selector<any, any>;

export interface Relation<Row> {
  readonly columns: Columns<Row>;
  readonly from: Sql;
  /** The SQL condition that an actor sees a row. */
  readonly sees: (actor: Actor) => Sql<boolean>;
  readonly orders: Readonly<Record<string, Order<Row>>>;
  /** By the names that filters give them. */
  readonly selectors: Readonly<Record<string, AnySelector>>;
  /** Those of them that an index of trigrams serves, for the values that it finds: any other is read as undefined. */
  readonly indexed?: Readonly<Record<string, AnySelector>>;
  /** The same rows from their own table alone, for a statement in which the row that they belong to is seen. */
  readonly own?: { readonly columns: Columns<unknown>; readonly from: Sql };
}

/** The SQL conditions of a filter, whose fields are selectors; what is undefined selects nothing. */
export function selected<Name extends string>(
  selectors: Readonly<Record<Name, AnySelector>>,
  filter: { readonly [Each in NoInfer<Name>]?: unknown },
): Sql<boolean>[] {
  const names = Object.keys(selectors) as Name[];
  return names
    .filter((name) => filter[name] !== undefined)
    .map((name) => selectors[name].where(selectors[name].read(filter[name])));
}

/** Selects by a column that has a value as it is. */
export function equal<Value>(column: Sql): Selector<Value> {
  return { read: (value) => value, where: (value) => sql<boolean>`${column} = ${value}` };
}

/** Selects by when a row was created. */
export function createdWithin(column: Sql) {
  return {
    createdSince: { read: (time: Date) => time, where: (time: Date) => sql<boolean>`${column} >= ${time}` },
    createdBefore: { read: (time: Date) => time, where: (time: Date) => sql<boolean>`${column} < ${time}` },
  } satisfies Record<keyof CreatedRange, Selector<Date>>;
}
