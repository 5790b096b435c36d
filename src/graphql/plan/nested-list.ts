/**
 * A list within a row: one cell of the row. It is the text of the nodes where those are all that is selected and PostgreSQL can write
 * them, otherwise an array of rows, which is written here. The one list of the one row of an answer, when it is long, comes as rows of
 * the statement instead: they cost PostgreSQL half as much as their text.
 */
import type { FieldNode, GraphQLField } from "graphql";
import type { Cells } from "../../database/pipelined-statement.ts";
import { sql } from "../../sql/sql.ts";
import { type Arguments, argumentsOf } from "./arguments.ts";
import { type Given, giveUp } from "./given.ts";
import { Level } from "./level.ts";
import { countOf, listOf, onPage, selectedBy } from "./list.ts";
import type { ManyField } from "./nouns.ts";
import type { Compilation } from "./object.ts";
import type { WrittenPart } from "./part.ts";

/** Makes the part of a row that is a list; where arguments depend on the row, they are checked before it is written. */
export const nestedList: Compilation["nestedList"] = (compilation, field, definition, nodes, parent) => {
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
};

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
    // The rows of one derived table come in its order; joins may change that.
    if (!level.isPlain) compilation.sorted = sorted;
    parent.joinMany(level, conditions, visibility, list.extent);
    return { write: (cells, given) => list.write(rowsOf(given, id), given, countIn(cells)) };
  }
  if (nodesAlone) {
    // The rows of a derived table alone come in its order; joins may change that, and a page from the end is read backwards.
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

/** The rows of a list that came as rows of the statement; without any, the parent's row is alone. */
function rowsOf({ rows = [] }: Given, id: number): readonly Cells[] {
  return rows[0]?.[id] === null ? [] : rows;
}
