/**
 * Objects of a plan: the fields that graphql-js collects of a selection, in its order, as parts of the answer's text.
 */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
} from "graphql";
import { collectSubfields } from "graphql/execution/collectFields.js";
import { sql } from "kysely";
import type { Actor } from "../../session/authorization.ts";
import type { Variables } from "../declared-variables.ts";
import type { Leaves } from "../documents.ts";
import { giveUp, Unplannable } from "./given.ts";
import { Level } from "./level.ts";
import type { ComputedField, ManyField, ObjectField } from "./nouns.ts";
import { cellPart, nullablePart, objectOf, type Part, type WrittenPart } from "./part.ts";

/** What a plan is made of. */
export interface Compilation {
  readonly schema: GraphQLSchema;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  /** The variables of the request for which the plan is made. */
  readonly sample: Variables;
  /** Types whose values are written otherwise than in JSON of GraphQL, by their names. */
  readonly leaves: Leaves;
  /** The actor of that request, with slots for what differs between actors of its kind. */
  readonly actor: Actor;
  /** Rows of lists that the answer may have for each row of its root; infinite when a variable says it. */
  listRows: number;
  /** Whether many rows may be looked at to find few. */
  isSearch: boolean;
  /** Lists within rows. */
  lists: number;
  /** Whether the one list within the one row of the answer comes as rows of the statement. */
  readonly asRows: boolean;
  /** How those rows are sorted, when they are not in the order of the list by themselves. */
  sorted?: string;
  /** Makes the part of a row that is a list. */
  readonly nestedList: (
    compilation: Compilation,
    field: ManyField,
    definition: GraphQLField<unknown, unknown>,
    nodes: readonly [FieldNode, ...FieldNode[]],
    parent: Level,
  ) => WrittenPart;
}

/** The fields of a selection in the order of the answer, each by its name there. */
export function fieldsOf(
  { schema, fragments, sample }: Compilation,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): [name: string, nodes: readonly [FieldNode, ...FieldNode[]]][] {
  return [...collectSubfields(schema, fragments, { ...sample }, type, nodes)] as never;
}

/** The field of a type; an answer's `__typename` is not one. */
export function definitionOf(type: GraphQLObjectType, name: string): GraphQLField<unknown, unknown> {
  const field = type.getFields()[name];
  if (!field) throw new Unplannable(`${type.name}.${name}`);
  return field;
}

/** The object that a row of a level is. */
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
    const [computed, one, many] = [noun.computed[field], noun.one[field], noun.many[field]];
    const object = noun.objects?.[field];
    const expression = noun.texts?.[field];
    if (expression) return [name, [nullableText(level.expression(String(expression)), level)]];
    if (object) return [name, [objectPart(compilation, object, selected, level)]];
    if (computed) return [name, [computedPart(computed, level)]];
    if (one) return [name, oneParts(compilation, definition, selected, level)];
    if (many) return [name, [compilation.nestedList(compilation, many, definition, selected, level)]];
    return [name, [columnPart(compilation, definition, level)]];
  });
  return objectOf(entries);
}

const text = (cell: string) => JSON.stringify(cell);
const quoted = (cell: string) => `"${cell}"`;
const plain = (cell: string) => cell;

/** How a value is written. */
interface Form {
  /** The cell, if it is not the column. */
  readonly cell?: (column: string) => string;
  readonly write: (cell: string) => string;
  /** The same in SQL. */
  readonly sql: (column: string) => string;
}

const plainForm: Form = { write: plain, sql: (column) => `${column}::text` };
const quotedForm: Form = { write: quoted, sql: (column) => `'"' || ${column} || '"'` };

/** How the value of a column is written, by its type in the schema; in SQL by what is before and after it. */
const forms: Readonly<Record<string, Form>> = {
  ID: quotedForm,
  String: { write: text, sql: (column) => `to_json(${column})::text` },
  // Mnemonics are letters, digits and hyphens.
  RecordType: quotedForm,
  Int: plainForm,
  Serial: plainForm,
  Boolean: { cell: (column) => `${column}::text`, write: plain, sql: (column) => `${column}::text` },
  DateTime: { cell: timeText, write: quoted, sql: (column) => `'"' || ${timeText(column)} || '"'` },
};

/** A time as JavaScript writes it: milliseconds, the rest is cut off; sessions are in UTC. */
function timeText(column: string): string {
  return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

function columnPart({ leaves }: Compilation, definition: GraphQLField<unknown, unknown>, level: Level): WrittenPart {
  const { name, type, resolve } = definition;
  const leaf = getNullableType(type);
  const column = resolve || !isLeafType(getNamedType(type)) || isListType(leaf) ? undefined : level.column(name);
  if (column === undefined) throw new Unplannable(name);
  const part = isNonNullType(type) ? cellPart : nullablePart;
  if (isEnumType(leaf)) {
    const names = new Map(leaf.getValues().map((value) => [String(value.value), JSON.stringify(value.name)]));
    return part(level.row.at(column), (cell) => names.get(cell) ?? giveUp());
  }
  const { name: typeName } = getNamedType(type);
  const otherwise = leaves[typeName];
  const form = otherwise ? { plain: plainForm, quoted: quotedForm }[otherwise] : forms[typeName];
  if (!form) throw new Unplannable(name);
  return part(level.row.at(form.cell?.(column) ?? column), form.write, form.sql(column));
}

function nullableText(column: string, level: Level): WrittenPart {
  const form = forms.String as Form;
  return nullablePart(level.row.at(column), form.write, form.sql(column));
}

function computedPart({ columns, value }: ComputedField, level: Level): WrittenPart {
  const positions = columns.map((name) => level.row.at(level.column(name) as string));
  return { write: (cells) => JSON.stringify(value(...positions.map((at) => cells[at] ?? giveUp()))) };
}

/** An object of leaves, whose type may differ from row to row. */
function objectPart(
  compilation: Compilation,
  { columns, value }: ObjectField,
  nodes: readonly FieldNode[],
  level: Level,
): WrittenPart {
  const positions = columns.map((name) => level.row.at(level.column(name) as string));
  /** By type, the fields of the selection: the text before each, and its name. */
  const types = new Map<string, readonly (readonly [before: string, field: string])[]>();
  const fieldsOfType = (typeName: string) => {
    const type = compilation.schema.getType(typeName) as GraphQLObjectType;
    const fields = fieldsOf(compilation, type, nodes).map(
      ([name, [node]], at) => [`${at > 0 ? "," : ""}${JSON.stringify(name)}:`, node.name.value] as const,
    );
    types.set(typeName, fields);
    return fields;
  };
  return {
    write: (cells) => {
      const object = resultOf(() => value(...positions.map((at) => cells[at] ?? giveUp())));
      let text = "{";
      for (const [before, field] of types.get(object.typeName) ?? fieldsOfType(object.typeName))
        text += before + JSON.stringify(field === "__typename" ? object.typeName : (object[field] ?? giveUp()));
      return `${text}}`;
    },
  };
}

/** The result of a function; the plan gives up where it throws, and the operation is executed, which has the error. */
function resultOf<Value>(compute: () => Value): Value {
  try {
    return compute();
  } catch {
    return giveUp();
  }
}

/** The one row of another noun, without which the plan gives up. */
function oneParts(
  compilation: Compilation,
  { name, type }: GraphQLField<unknown, unknown>,
  nodes: readonly FieldNode[],
  level: Level,
): Part[] {
  const field = level.noun.one[name];
  if (!field) throw new Unplannable(name);
  const other = new Level(field.noun, level.names, level.row);
  const { relation } = other.noun;
  const id = sql.raw(level.column(field.id) as string);
  const parts = objectParts(compilation, getNamedType(type) as GraphQLObjectType, nodes, other);
  const otherId = other.column("id") as string;
  level.joinOne(other, [sql`${relation.columns.expression("id")} = ${id}`, relation.sees(compilation.actor)]);
  const isThere: WrittenPart = {
    write: (cells) => (cells[at] === null ? giveUp() : ""),
    sql: `case when ${otherId} is not null then '' end`,
  };
  const at = level.row.at(otherId);
  return [isThere, ...parts];
}
