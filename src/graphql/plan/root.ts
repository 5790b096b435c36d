/** The plan of a field of the query type: one statement, and the function that writes its rows. */
import { type FieldNode, type GraphQLField, type GraphQLObjectType, getNamedType } from "graphql";
import type { Cells } from "../../database/pipelined-statement.ts";
import { type SlottedStatement, slottedStatement } from "../../sql/slot.ts";
import { sql } from "../../sql/sql.ts";
import { found, ofDomains, type Selected, walked } from "./across-zones.ts";
import { writerOf } from "./answer-text.ts";
import { type Arguments, argumentsOf } from "./arguments.ts";
import { Level, LevelNames } from "./nested-rows.ts";
import { countOf, onPage, selectedBy } from "./page.ts";
import { type Given, giveUp, Unplannable } from "./plan-run.ts";
import { type Root, roots, type SelectedBy } from "./planned-types.ts";
import { type ListPlan, listOf, objectParts } from "./selection.ts";
import type { Compilation } from "./values.ts";

/** The kind of a statement: it reads a few rows by a key, reads a list, or reads many rows to find few. */
export type StatementKind = "points" | "lists" | "searches";

/** A planned field of the query type. */
export interface RootPlan {
  readonly statement: SlottedStatement<Given>;
  /** Writes the value of the field; gives up when there is none. */
  readonly write: (rows: readonly Cells[], given: Given) => string;
  readonly kind: StatementKind;
}

/** The most rows that a statement of the kind `points` reads, including those of its lists. */
const maxPointRows = 100;

/** Makes the plan of a root field; throws Unplannable. */
export function planRoot(
  compilation: Compilation,
  definition: GraphQLField<unknown, unknown>,
  nodes: readonly [FieldNode, ...FieldNode[]],
): RootPlan {
  const root = roots[definition.name];
  if (!root) throw new Unplannable(definition.name);
  const args = argumentsOf(definition, nodes[0], compilation.sample);
  const { listing } = root;
  return listing
    ? planList(compilation, { ...root, listing }, definition, nodes, args)
    : planOne(compilation, root, definition, nodes, args);
}

/** The compilation's figures before any field is compiled. */
export const nothingRead = { listRows: 1, isSearch: false, lists: 0, asRows: false };

function planOne(
  compilation: Compilation,
  root: Root,
  definition: GraphQLField<unknown, unknown>,
  nodes: readonly FieldNode[],
  args: Arguments,
): RootPlan {
  const level = new Level(root.noun, new LevelNames());
  const parts = objectParts(compilation, getNamedType(definition.type) as GraphQLObjectType, nodes, level);
  const { isSearch, listRows, lists, asRows, sorted } = compilation;
  if (lists === 1 && listRows > maxPointRows && !asRows)
    return planOne({ ...compilation, ...nothingRead, asRows: true }, root, definition, nodes, args);
  const conditions = [...selectedBy(args, root, level), level.noun.relation.sees(compilation.actor)];
  if (conditions.length < 2) throw new Unplannable("nothing is selected");
  const orderBy = sorted === undefined ? sql`` : sql` order by ${sql.raw(sorted)}`;
  const writeRow = writerOf(parts);
  return {
    statement: slottedStatement(sql`select ${level.row.list} from ${level.source(conditions)}${orderBy}`),
    write: (rows, given) => {
      const [row] = rows;
      if (!row || (rows.length > 1 && !asRows)) return giveUp();
      return writeRow(row, asRows ? { ...given, rows } : given);
    },
    kind: isSearch ? "searches" : listRows <= maxPointRows ? "points" : "lists",
  };
}

function planList(
  compilation: Compilation,
  { noun, listing, ...root }: Root & Pick<Required<Root>, "listing">,
  definition: GraphQLField<unknown, unknown>,
  nodes: readonly [FieldNode, ...FieldNode[]],
  args: Arguments,
): RootPlan {
  const level = new Level(noun, new LevelNames());
  const order = args.get("orderBy")?.sample as string | undefined;
  const { orders, isSearch, acrossZones, others = {} } = listing(new Set(args.keys()), order, compilation.actor.role);
  const list = listOf(compilation, definition, nodes, { args, orders, level });
  const select = acrossZones ? { found, walked, ofDomains }[acrossZones] : selectedInOrder;
  const selecting = { ...root, others };
  const { conditions, extent, inPage } = select(args, selecting, level, list, compilation.actor);
  const sees = level.noun.relation.sees(compilation.actor);
  const direction = extent.descending ? " desc" : "";
  const sorted = extent.keys.map((column) => `${level.expression(String(column))}${direction}`).join(", ");
  const rowsInPage = inPage ?? ((rows) => rows);
  const kind = isSearch || compilation.isSearch ? "searches" : "lists";
  if (!list.asksForCount) {
    const source = level.source([sees, ...conditions], undefined, extent);
    return {
      statement: slottedStatement(sql`select ${level.row.list} from ${source} order by ${sql.raw(sorted)}`),
      write: (rows, given) => list.write(rowsInPage(rows), given),
      kind,
    };
  }
  // The count is joined around the list, so that an empty list still has one row, with the count.
  const counted = countOf(level, [sees, ...selectedBy(args, selecting, level)]);
  const count = level.row.at('"n0"."value"');
  const key = level.row.at(level.expression(String(extent.keys[0])));
  const isThere = (row: Cells) => row[key] !== null;
  const around = level.around(sql`(${counted}) as "n0"`, [sees, ...conditions], extent);
  return {
    statement: slottedStatement(sql`select ${level.row.list} from ${around} order by ${sql.raw(sorted)}`),
    write: (rows, given) => {
      const total = rows[0]?.[count] ?? giveUp();
      return list.write(rowsInPage(rows).filter(isThere), given, total);
    },
    kind,
  };
}

/** Selects the rows that PostgreSQL reads in the order of the list. */
function selectedInOrder(args: Arguments, selecting: SelectedBy, level: Level, { page, extent }: ListPlan): Selected {
  return { conditions: [...selectedBy(args, selecting, level), ...onPage(page)], extent };
}
