/**
 * Lists of a plan: a page of rows as a connection, and what selects the rows.
 */
import { type FieldNode, type GraphQLField, type GraphQLObjectType, getNamedType } from "graphql";
import type { Cells } from "../../database/pipelined-statement.ts";
import { beyond, cursorText, defaultPageSize, extentOf, type Order, readCursor } from "../../lists/pagination.ts";
import { slot } from "../../sql/slot.ts";
import { type Sql, sql } from "../../sql/sql.ts";
import { maxCursorLength, maxPageSize } from "../page-args.ts";
import type { Argument, Arguments } from "./arguments.ts";
import { type Given, giveUp, type Source, Unplannable } from "./given.ts";
import type { Extent, Level } from "./level.ts";
import type { SelectedBy } from "./nouns.ts";
import { type Compilation, definitionOf, fieldsOf, objectParts } from "./object.ts";
import { objectOf, type Part, sqlOf, writerOf } from "./part.ts";

// biome-ignore lint/suspicious/noExplicitAny: each noun has rows of its own
type AnyOrder = Order<any>;

/** Which page a list has. */
export interface PagePlan {
  readonly order: AnyOrder;
  /** Rows of the page at most. */
  readonly size: Source<number>;
  readonly isLast: boolean;
  readonly bounds: readonly Bound[];
}

/** A cursor that the page is beyond: the parts of its key are slots. */
export interface Bound {
  readonly field: "after" | "before";
  readonly key: readonly unknown[];
}

/** A page as it is written: its rows in the order of the list, and whether there are more in the direction it was read. */
interface WrittenPage {
  readonly rows: readonly Cells[];
  readonly hasMore: boolean;
  readonly given: Given;
  /** The rows of the whole list, where they are counted. */
  readonly count: string | undefined;
}

type PagePart = string | ((page: WrittenPage) => string);

/** A list: its level, and the function that writes the rows that were read for a page, the nearest to where it begins first. */
export interface ListPlan {
  readonly level: Level;
  readonly page: PagePlan;
  readonly extent: Extent;
  readonly write: (rows: readonly Cells[], given: Given, count?: string) => string;
  /** Whether the rows of the whole list are counted. */
  readonly asksForCount: boolean;
  /** The nodes, when they are all that is selected of the list: the text around them, and the text of one in SQL. */
  readonly nodesAlone: { readonly before: string; readonly after: string; readonly sql: string } | undefined;
}

/** Reads which page the arguments ask for. */
function pageOf(compilation: Compilation, args: Arguments, orders: Readonly<Record<string, AnyOrder>>): PagePlan {
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

/** The conditions that rows are on a page. */
export const onPage = ({ order, bounds }: PagePlan): Sql[] => bounds.map(({ field, key }) => beyond(order, field, key));

/** Makes the plan of a list, all but its statement. */
export function listOf(
  compilation: Compilation,
  definition: GraphQLField<unknown, unknown>,
  nodes: readonly [FieldNode, ...FieldNode[]],
  { args, orders, level }: { args: Arguments; orders: Readonly<Record<string, AnyOrder>>; level: Level },
): ListPlan {
  const page = pageOf(compilation, args, orders);
  const { size, isLast } = page;
  const connection = new ConnectionParts(compilation, page, level);
  const parts = connection.of(getNamedType(definition.type) as GraphQLObjectType, nodes);
  const more = connection.asksForMore ? 1 : 0;
  return {
    level,
    page,
    extent: {
      keys: page.order.columns,
      descending: page.order.descending !== isLast,
      limit: sql`${slot((given: Given) => size(given) + more)}`,
    },
    asksForCount: connection.asksForCount,
    write: (rows, given, count) => {
      const hasMore = more > 0 && rows.length > size(given);
      const inPage = hasMore ? rows.slice(0, -1) : rows;
      const written = { rows: isLast ? inPage.toReversed() : inPage, hasMore, given, count };
      let text = "";
      for (const part of parts) text += typeof part === "string" ? part : part(written);
      return text;
    },
    nodesAlone: connection.nodesAlone(parts),
  };
}

/** The fields of a connection as parts. */
class ConnectionParts {
  readonly #compilation: Compilation;
  readonly #page: PagePlan;
  readonly #level: Level;
  /** Whether it must be known if there are more rows than the page has. */
  asksForMore = false;
  asksForCount = false;
  #nodes: { readonly part: PagePart; readonly sql: string | undefined } | undefined;

  constructor(compilation: Compilation, page: PagePlan, level: Level) {
    this.#compilation = compilation;
    this.#page = page;
    this.#level = level;
  }

  of(type: GraphQLObjectType, nodes: readonly FieldNode[]): PagePart[] {
    return this.#object(type, nodes, (field, selected) => {
      if (field === "nodes") return this.#nodesOf(type, selected);
      if (field === "edges")
        return this.#edgesOf(getNamedType(definitionOf(type, field).type) as GraphQLObjectType, selected);
      if (field === "pageInfo")
        return this.#object(getNamedType(definitionOf(type, field).type) as GraphQLObjectType, selected, (name) => [
          this.#infoOf(name),
        ]);
      if (field === "totalCount") return [this.#count()];
      throw new Unplannable(`${type.name}.${field}`);
    });
  }

  #count(): PagePart {
    this.asksForCount = true;
    // All rows are looked at.
    this.#compilation.isSearch = true;
    return ({ count }) => count ?? giveUp();
  }

  /** What `nodesAlone` is of a list of these parts. */
  nodesAlone(parts: readonly PagePart[]): ListPlan["nodesAlone"] {
    const at = parts.findIndex((part) => typeof part !== "string");
    const [before, after] = [parts.slice(0, at), parts.slice(at + 1)];
    const nodes = this.#nodes;
    if (nodes?.sql === undefined || nodes.part !== parts[at] || after.some((part) => typeof part !== "string"))
      return undefined;
    return { before: before.join(""), after: after.join(""), sql: nodes.sql };
  }

  #object(
    type: GraphQLObjectType,
    nodes: readonly FieldNode[],
    partsOf: (field: string, nodes: readonly FieldNode[]) => PagePart[],
  ): PagePart[] {
    const fields = fieldsOf(this.#compilation, type, nodes);
    const parts = fields.flatMap(([name, selected], at): PagePart[] => {
      const field = selected[0].name.value;
      const value = field === "__typename" ? [JSON.stringify(type.name)] : partsOf(field, selected);
      return [`${at > 0 ? "," : "{"}${JSON.stringify(name)}:`, ...value];
    });
    return parts.length > 0 ? [...parts, "}"] : ["{}"];
  }

  #node(type: GraphQLObjectType, nodes: readonly FieldNode[]): Part[] {
    return objectParts(this.#compilation, type, nodes, this.#level);
  }

  #nodesOf(type: GraphQLObjectType, nodes: readonly FieldNode[]): PagePart[] {
    const parts = this.#node(getNamedType(definitionOf(type, "nodes").type) as GraphQLObjectType, nodes);
    const part = arrayPart(parts);
    this.#nodes = { part, sql: sqlOf(parts) };
    return [part];
  }

  #edgesOf(type: GraphQLObjectType, nodes: readonly FieldNode[]): PagePart[] {
    const entries = fieldsOf(this.#compilation, type, nodes).map(([name, selected]): [string, Part[]] => {
      const field = selected[0].name.value;
      if (field === "__typename") return [name, [JSON.stringify(type.name)]];
      if (field === "cursor") return [name, [{ write: this.#cursor() }]];
      return [name, this.#node(getNamedType(definitionOf(type, "node").type) as GraphQLObjectType, selected)];
    });
    return [arrayPart(objectOf(entries))];
  }

  /** Writes the cursor of a row. */
  #cursor(): (cells: Cells) => string {
    const { order } = this.#page;
    const positions = order.columns.map((column) => this.#level.row.at(this.#level.expression(String(column))));
    const part = (cell: string, at: number) => (order.kinds[at] === "number" ? Number(cell) : cell);
    return (cells) => {
      const key = positions.map((position, at) => part(cells[position] ?? giveUp(), at));
      return `"${cursorText([order.name, ...key])}"`;
    };
  }

  #infoOf(field: string): PagePart {
    const { isLast, bounds } = this.#page;
    const has = (field: Bound["field"]) => String(bounds.some((bound) => bound.field === field));
    const more = () => {
      this.asksForMore = true;
      return ({ hasMore }: WrittenPage) => String(hasMore);
    };
    if (field === "hasNextPage") return isLast ? has("before") : more();
    if (field === "hasPreviousPage") return isLast ? more() : has("after");
    if (field !== "startCursor" && field !== "endCursor") throw new Unplannable(`PageInfo.${field}`);
    const cursor = this.#cursor();
    return ({ rows }) => {
      const row = field === "startCursor" ? rows[0] : rows.at(-1);
      return row ? cursor(row) : "null";
    };
  }
}

/** The rows of a page as an array. */
function arrayPart(parts: readonly Part[]): PagePart {
  const write = writerOf(parts);
  // One text of many parts is made sooner by joining than by appending.
  return ({ rows, given }) => `[${rows.map((row) => write(row, given)).join(",")}]`;
}

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
