/**
 * The plan of a field of the query type: one statement, and the text that its rows are.
 */
import { type FieldNode, type GraphQLField, type GraphQLObjectType, getNamedType } from "graphql";
import { type RawBuilder, sql } from "kysely";
import type { Cells } from "../../database/pipelined-statement.ts";
import { type SlottedStatement, slottedStatement } from "../../sql/slot.ts";
import { type Arguments, argumentsOf } from "./arguments.ts";
import { type Given, giveUp, Unplannable } from "./given.ts";
import { Level, LevelNames } from "./level.ts";
import { listOf, selectedBy } from "./list.ts";
import { type Root, roots } from "./nouns.ts";
import { type Compilation, objectParts } from "./object.ts";
import { writerOf } from "./part.ts";

/** A planned field of the query type. */
export interface RootPlan {
  readonly statement: SlottedStatement<Given>;
  /** Writes the value of the field; gives up when it has none. */
  readonly write: (rows: readonly Cells[], given: Given) => string;
  /** Whether the statement reads a few rows that a key leads to, as opposed to a list. */
  readonly isPoint: boolean;
}

/** The rows of a point at most, with those of its lists. */
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
  return root.isList
    ? planList(compilation, root, definition, nodes, args)
    : planOne(compilation, root, definition, nodes, args);
}

function planOne(
  compilation: Compilation,
  root: Root,
  definition: GraphQLField<unknown, unknown>,
  nodes: readonly FieldNode[],
  args: Arguments,
): RootPlan {
  const level = new Level(root.noun, new LevelNames());
  const parts = objectParts(compilation, getNamedType(definition.type) as GraphQLObjectType, nodes, level);
  const conditions = [...selectedBy(args, root.selectors, level), level.noun.relation.sees(compilation.actor)];
  if (conditions.length < 2) throw new Unplannable("nothing is selected");
  const writeRow = writerOf(parts);
  return {
    statement: slottedStatement(sql`select ${level.row.list} from ${level.source(conditions)}`),
    write: ([row, ...others], given) => (row && others.length === 0 ? writeRow(row, given) : giveUp()),
    isPoint: compilation.listRows <= maxPointRows,
  };
}

function planList(
  compilation: Compilation,
  root: Root,
  definition: GraphQLField<unknown, unknown>,
  nodes: readonly [FieldNode, ...FieldNode[]],
  args: Arguments,
): RootPlan {
  const level = new Level(root.noun, new LevelNames());
  const orders = root.orders?.(new Set(args.keys()));
  if (!orders) throw new Unplannable(`this list of ${root.noun}`);
  const list = listOf(compilation, root.noun, definition, nodes, { args, orders, level });
  const conditions: RawBuilder<unknown>[] = [
    level.noun.relation.sees(compilation.actor),
    ...selectedBy(args, root.selectors, level, root.read),
    ...list.page.bounds,
  ];
  const { order, isLast } = list.page;
  const direction = order.descending !== isLast ? " desc" : "";
  const sorted = order.columns.map((column) => `${level.expression(String(column))}${direction}`).join(", ");
  const source = level.source(conditions, undefined, list.extent);
  return {
    statement: slottedStatement(sql`select ${level.row.list} from ${source} order by ${sql.raw(sorted)}`),
    write: list.write,
    isPoint: false,
  };
}
