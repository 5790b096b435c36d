import { beyond, defaultPageSize, extentOf, type Order, readCursor } from "../../lists/pagination.ts";
import { slot } from "../../sql/slot.ts";
import { type Sql, sql } from "../../sql/sql.ts";
import { maxCursorLength, maxPageSize } from "../page-args.ts";
import type { Argument, Arguments } from "./arguments.ts";
import type { Level } from "./nested-rows.ts";
import { type Given, giveUp, type Source, Unplannable } from "./plan-run.ts";
import type { SelectedBy } from "./planned-types.ts";
import type { Compilation } from "./values.ts";

// biome-ignore lint/suspicious/noExplicitAny: each noun has rows of its own
export type AnyOrder = Order<any>;

/** The page of a list that the arguments ask for. */
export interface PagePlan {
  readonly order: AnyOrder;
  /** The most rows of the page. */
  readonly size: Source<number>;
  readonly isLast: boolean;
  readonly bounds: readonly Bound[];
}

/** The cursor after or before which the page lies. The parts of its key are slots. */
export interface Bound {
  readonly field: "after" | "before";
  readonly key: readonly unknown[];
}

/** Reads the page that the arguments ask for. */
export function pageOf(
  compilation: Compilation,
  args: Arguments,
  orders: Readonly<Record<string, AnyOrder>>,
): PagePlan {
  const order = orders[(args.get("orderBy")?.sample as string | undefined) ?? Object.keys(orders)[0] ?? ""];
  if (!order) throw new Unplannable("order");
  const [first, last] = [args.get("first"), args.get("last")];
  const { isLast } = extentOf({ first: first?.sample as number, last: last?.sample as number });
  const sizeArgument = last ?? first;
  compilation.listRows *=
    sizeArgument && !sizeArgument.isFixed ? Number.POSITIVE_INFINITY : Number(sizeArgument?.sample ?? defaultPageSize);
  const size: Source<number> = (given) => {
    const rows = sizeArgument ? (sizeArgument.source(given) as number) : defaultPageSize;
    return rows >= 1 && rows <= maxPageSize ? rows : giveUp();
  };
  const bounds = (["after", "before"] as const).flatMap((field) => {
    const cursor = args.get(field);
    return cursor ? [boundOf(order, field, cursor)] : [];
  });
  return { order, size, isLast, bounds };
}

function boundOf(order: AnyOrder, field: "after" | "before", { source }: Argument): Bound {
  const key = (given: Given) => {
    const cursor = source(given) as string;
    return cursor.length <= maxCursorLength ? readCursor(cursor, order, field) : giveUp();
  };
  return { field, key: order.kinds.map((_, at) => slot((given: Given) => key(given)[at])) };
}

/** The conditions of the rows on a page. */
export const onPage = ({ order, bounds }: PagePlan): Sql[] => bounds.map(({ field, key }) => beyond(order, field, key));

/** A statement that counts the rows of a list, as `value`. */
export const countOf = ({ noun }: Level, conditions: readonly Sql[]): Sql =>
  sql`select count(*) as "value" from ${noun.relation.from} where ${sql.join(conditions, sql` and `)}`;

const pageArguments = ["first", "after", "last", "before", "orderBy"];

/** The conditions of the arguments that select rows. */
export function selectedBy(
  args: Arguments,
  { selectors, others = {}, read = {} }: SelectedBy,
  { noun }: Level,
): Sql<boolean>[] {
  const selecting = [...args].filter(([name]) => !pageArguments.includes(name));
  const valuesOf = (request: Given) => new Map(selecting.map(([name, { source }]) => [name, source(request)]));
  return selecting.map(([name, { source }]) => {
    const selector = noun.relation.indexed?.[name] ?? others[name] ?? noun.relation.selectors[name];
    if (!selectors.includes(name) || !selector) throw new Unplannable(`argument ${name}`);
    const dependent = read[name];
    const value = (request: Given) => {
      const sent = source(request);
      return dependent ? dependent(sent as never, valuesOf(request)) : sent;
    };
    return selector.where(slot((request: Given) => selector.read(value(request)) ?? giveUp()));
  });
}
