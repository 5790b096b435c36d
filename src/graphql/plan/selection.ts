/**
 * Compiles selections: objects, objects of other nouns within them, and lists of objects. A list within a row is one
 * cell. The cell has the text of the nodes if only nodes are selected and PostgreSQL can write them, otherwise an array
 * of rows. When the answer has one row with one long list, the items are the rows of the statement instead: for
 * PostgreSQL that costs half as much.
 */
import { type FieldNode, type GraphQLField, type GraphQLObjectType, getNamedType } from "graphql";
import type { Cells } from "../../database/pipelined-statement.ts";
import { cursorText } from "../../lists/pagination.ts";
import { slot } from "../../sql/slot.ts";
import { sql } from "../../sql/sql.ts";
import { objectOf, type Part, sqlOf, type WrittenPart, writerOf } from "./answer-text.ts";
import { type Arguments, argumentsOf } from "./arguments.ts";
import { type Extent, Level } from "./nested-rows.ts";
import { type AnyOrder, type Bound, countOf, onPage, type PagePlan, pageOf, selectedBy } from "./page.ts";
import { type Given, giveUp, Unplannable } from "./plan-run.ts";
import type { ManyField } from "./planned-types.ts";
import { type Compilation, columnPart, definitionOf, fieldsOf, valuePart } from "./values.ts";

/** The parts of the object that a row of the level becomes. */
export function objectParts(
  compilation: Compilation,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  level: Level,
): Part[] {
  const { noun } = level;
  const entries = fieldsOf(compilation, type, nodes).map(([name, selected]): [string, readonly Part[]] => {
    const field = selected[0].name.value;
    if (field === "__typename") return [name, [JSON.stringify(type.name)]];
    const definition = definitionOf(type, field);
    const { values, one, many } = noun;
    if (values?.[field]) return [name, [valuePart(compilation, values[field], definition, selected, level)]];
    if (one?.[field]) return [name, oneParts(compilation, definition, selected, level)];
    if (many?.[field]) return [name, [nestedList(compilation, many[field], definition, selected, level)]];
    return [name, [columnPart(compilation, definition, level)]];
  });
  return objectOf(entries);
}

/** The parts of a field that is one row of another noun; the plan gives up when a required row is missing. */
function oneParts(
  compilation: Compilation,
  { name, type }: GraphQLField<unknown, unknown>,
  nodes: readonly FieldNode[],
  level: Level,
): Part[] {
  const field = level.noun.one?.[name];
  if (!field || nodes.some((node) => node.arguments?.length)) throw new Unplannable(name);
  const other = new Level(field.noun, level.names, level.row);
  const { relation } = other.noun;
  const id = sql.raw(level.column(field.id) as string);
  const parts = objectParts(compilation, getNamedType(type) as GraphQLObjectType, nodes, other);
  const otherId = other.column("id") as string;
  level.join(other, [sql`${relation.columns.expression("id")} = ${id}`, relation.sees(compilation.actor)]);
  const at = level.row.at(otherId);
  if (field.isOptional) return [optionalPart(parts, at, otherId)];
  const isThere: WrittenPart = {
    write: (cells) => (cells[at] === null ? giveUp() : ""),
    sql: `case when ${otherId} is not null then '' end`,
  };
  return [isThere, ...parts];
}

/** The part of an object that is null when its row is missing. */
function optionalPart(parts: readonly Part[], at: number, id: string): WrittenPart {
  const write = writerOf(parts);
  const text = sqlOf(parts);
  return {
    write: (cells, given) => (cells[at] === null ? "null" : write(cells, given)),
    sql: text && `case when ${id} is null then 'null' else ${text} end`,
  };
}

/** A page to write: its rows in the order of the list, and whether more rows follow in the direction of reading. */
interface WrittenPage {
  readonly rows: readonly Cells[];
  readonly hasMore: boolean;
  readonly given: Given;
  /** The number of rows of the whole list, when it is selected. */
  readonly count: string | undefined;
}

type PagePart = string | ((page: WrittenPage) => string);

/** A list: its level, and the function that writes the rows of a page, which it gets in the direction of reading. */
export interface ListPlan {
  readonly level: Level;
  readonly page: PagePlan;
  readonly extent: Extent;
  readonly write: (rows: readonly Cells[], given: Given, count?: string) => string;
  /** Whether the number of rows of the whole list is selected. */
  readonly asksForCount: boolean;
  /** When only nodes are selected: the text around them, and the SQL expression that writes one of them. */
  readonly nodesAlone: { readonly before: string; readonly after: string; readonly sql: string } | undefined;
}

/** Makes the plan of a list without its statement. */
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

/** Compiles the fields of a connection. */
class ConnectionParts {
  readonly #compilation: Compilation;
  readonly #page: PagePlan;
  readonly #level: Level;
  /** Whether a field needs to know if rows follow the page. */
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
      if (field === "nodes") return this.#nodesOf(objectType(type, field), selected);
      if (field === "edges") return this.#edgesOf(objectType(type, field), selected);
      if (field === "pageInfo") return this.#object(objectType(type, field), selected, (name) => [this.#infoOf(name)]);
      if (field === "totalCount") return [this.#count()];
      throw new Unplannable(`${type.name}.${field}`);
    });
  }

  #count(): PagePart {
    this.asksForCount = true;
    // Counting reads all rows of the list.
    this.#compilation.isSearch = true;
    return ({ count }) => count ?? giveUp();
  }

  /** The value of `ListPlan.nodesAlone` for a list with these parts. */
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
    const parts = this.#node(type, nodes);
    const part = arrayPart(parts);
    this.#nodes = { part, sql: sqlOf(parts) };
    return [part];
  }

  #edgesOf(type: GraphQLObjectType, nodes: readonly FieldNode[]): PagePart[] {
    const entries = fieldsOf(this.#compilation, type, nodes).map(([name, selected]): [string, Part[]] => {
      const field = selected[0].name.value;
      if (field === "__typename") return [name, [JSON.stringify(type.name)]];
      if (field === "cursor") return [name, [{ write: this.#cursor() }]];
      return [name, this.#node(objectType(type, "node"), selected)];
    });
    return [arrayPart(objectOf(entries))];
  }

  /** Makes the function that writes the cursor of a row. */
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

/** The object type of a field, or of its items. */
const objectType = (type: GraphQLObjectType, field: string) =>
  getNamedType(definitionOf(type, field).type) as GraphQLObjectType;

/** The part of an array with the rows of a page. */
function arrayPart(parts: readonly Part[]): PagePart {
  const write = writerOf(parts);
  // Joining many texts is faster than appending them.
  return ({ rows, given }) => `[${rows.map((row) => write(row, given)).join(",")}]`;
}

/** Makes the part of a list within a row. Arguments whose value depends on the row are checked before it is written. */
function nestedList(
  compilation: Compilation,
  field: ManyField,
  definition: GraphQLField<unknown, unknown>,
  nodes: readonly [FieldNode, ...FieldNode[]],
  parent: Level,
): WrittenPart {
  const args = argumentsOf(definition, nodes[0], compilation.sample);
  const checks = Object.entries(field.readIn ?? {}).flatMap(([name, { column, read }]) => {
    const source = args.get(name)?.source;
    const at = source && parent.row.at(parent.column(column) as string);
    return source ? [{ source, read, at: at as number, alone: field.read?.[name] as (value: unknown) => unknown }] : [];
  });
  const list = listPart(compilation, field, definition, args, nodes, parent);
  if (checks.length === 0) return list;
  return {
    write: (cells, given) => {
      for (const { source, read, at, alone } of checks) {
        const value = source(given) as string;
        if (read(value, cells[at] ?? giveUp()) !== alone(value)) giveUp();
      }
      return list.write(cells, given);
    },
  };
}

function listPart(
  compilation: Compilation,
  field: ManyField,
  definition: GraphQLField<unknown, unknown>,
  args: Arguments,
  nodes: readonly [FieldNode, ...FieldNode[]],
  parent: Level,
): WrittenPart {
  if (args.has("rdataContains")) compilation.isSearch = true;
  compilation.lists += 1;
  const level = new Level(field.noun, parent.names, compilation.asRows ? parent.row : undefined);
  const { relation } = level.noun;
  const list = listOf(compilation, definition, nodes, { args, orders: field.orders, level });
  const parentId = sql.raw(parent.column("id") as string);
  const ofParent = [
    sql`${relation.columns.expression(field.parent)} = ${parentId}`,
    ...(field.where?.((name) => sql.raw(parent.column(name) as string)) ?? []),
    ...selectedBy(args, field, level),
  ];
  const conditions = [...ofParent, ...onPage(list.page)];
  const visibility = { condition: relation.sees(compilation.actor), isSeenWithParent: field.isSeenWithParent };
  const counted = list.asksForCount
    ? parent.row.at(parent.joinValue(countOf(level, [...ofParent, visibility.condition])))
    : undefined;
  const countIn = (cells: Cells) => (counted === undefined ? undefined : (cells[counted] ?? giveUp()));
  const { order, isLast } = list.page;
  const keys = order.columns.map((column) => level.expression(String(column)));
  const { nodesAlone } = list;
  const sorted = keys.map((key) => `${key}${order.descending !== isLast ? " desc" : ""}`).join(", ");
  if (compilation.asRows) {
    const id = level.row.at(level.column("id") ?? (keys[0] as string));
    // A derived table keeps its order; joins may change it.
    if (!level.isPlain) compilation.sorted = sorted;
    parent.join(level, conditions, visibility, list.extent);
    return { write: (cells, given) => list.write(rowsOf(given, id), given, countIn(cells)) };
  }
  if (nodesAlone) {
    // A derived table keeps its order; joins may change it, and a page from the end is read backwards.
    const isSorted = level.isPlain && !isLast;
    const sortedTexts = keys.map((_, at) => `"k${at}"${order.descending ? " desc" : ""}`).join(", ");
    const orderBy = isSorted ? "" : ` order by ${sortedTexts}`;
    const selectedKeys = isSorted ? "" : keys.map((key, at) => `, ${key} as "k${at}"`).join("");
    const value = parent.joinValue(sql`
      select case when count(*) = count("text") then coalesce(string_agg("text", ','${sql.raw(orderBy)}), '') end as "value"
      from (select ${sql.raw(`${nodesAlone.sql} as "text"${selectedKeys}`)} from ${level.source(conditions, visibility, list.extent)}) as "rows"`);
    const at = parent.row.at(value);
    const [before, after] = [`${nodesAlone.before}[`, `]${nodesAlone.after}`];
    const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
    return {
      write: (cells) => `${before}${cells[at] ?? giveUp()}${after}`,
      sql: `${literal(before)} || ${value} || ${literal(after)}`,
    };
  }
  const source = level.source(conditions, visibility, list.extent);
  const value = parent.joinValue(
    sql`select json_agg(${level.row.array} order by ${sql.raw(sorted)}) as "value" from ${source}`,
  );
  const at = parent.row.at(value);
  return { write: (cells, given) => list.write(JSON.parse(cells[at] ?? "[]") as Cells[], given, countIn(cells)) };
}

/**
 * The items of a list whose items are the rows of the statement. For an empty list the statement returns one row, that of the parent, with
 * a null id.
 */
function rowsOf({ rows = [] }: Given, id: number): readonly Cells[] {
  return rows[0]?.[id] === null ? [] : rows;
}
