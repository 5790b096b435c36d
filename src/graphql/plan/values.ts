/** The state of compiling a plan, and fields that read no other row: columns and values that functions compute. */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
} from "graphql";
import { collectSubfields } from "graphql/execution/collectFields.js";
import type { Actor } from "../../session/authorization.ts";
import type { Variables } from "../declared-variables.ts";
import type { Leaves } from "../documents.ts";
import { cellPart, nullablePart, type WrittenPart } from "./answer-text.ts";
import type { Level } from "./nested-rows.ts";
import { giveUp, Unplannable } from "./plan-run.ts";
import type { ValueField } from "./planned-types.ts";

/** The state of compiling one field of the query type. */
export interface Compilation {
  readonly schema: GraphQLSchema;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  /** The variables of the request for which the plan is made. */
  readonly sample: Variables;
  /** Scalars whose values are not written as JSON of GraphQL, by name. */
  readonly leaves: Leaves;
  /** The actor of that request, with slots for the values that differ between actors of its kind. */
  readonly actor: Actor;
  /** The most rows of lists for each row of the root; infinite when a variable sets the page size. */
  listRows: number;
  /** Whether the statement may read many rows to find few. */
  isSearch: boolean;
  /** The number of lists within rows. */
  lists: number;
  /** Whether the rows of the statement are the items of a list. The answer then has one row, which has only that list. */
  readonly asRows: boolean;
  /** The sort order of those rows, if the statement does not return them in order by itself. */
  sorted?: string;
}

/** The fields of a selection in the order of the answer, with their names in the answer. */
export function fieldsOf(
  { schema, fragments, sample }: Compilation,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): [name: string, nodes: readonly [FieldNode, ...FieldNode[]]][] {
  return [...collectSubfields(schema, fragments, { ...sample }, type, nodes)] as never;
}

/** The field of a type; Unplannable for others, such as `__schema`. */
export function definitionOf(type: GraphQLObjectType, name: string): GraphQLField<unknown, unknown> {
  const field = type.getFields()[name];
  if (!field) throw new Unplannable(`${type.name}.${name}`);
  return field;
}

const text = (cell: string) => JSON.stringify(cell);
const quoted = (cell: string) => `"${cell}"`;
const plain = (cell: string) => cell;

/** How a value is written into the answer. */
interface Form {
  /** The expression of the cell, if it is not the column itself. */
  readonly cell?: (column: string) => string;
  readonly write: (cell: string) => string;
  /** The same in SQL. */
  readonly sql: (column: string) => string;
}

const plainForm: Form = { write: plain, sql: (column) => `${column}::text` };
const quotedForm: Form = { write: quoted, sql: (column) => `'"' || ${column} || '"'` };

/** The forms of scalars, by name. */
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

/** A time as JavaScript writes it, cut to milliseconds. Sessions of the database are in UTC. */
function timeText(column: string): string {
  return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** The part of a column. */
export function columnPart(
  { leaves }: Compilation,
  definition: GraphQLField<unknown, unknown>,
  level: Level,
): WrittenPart {
  const { name, type, resolve } = definition;
  const leaf = getNullableType(type);
  const column =
    (resolve && !level.noun.columns?.[name]) || !isLeafType(getNamedType(type)) || isListType(leaf)
      ? undefined
      : level.column(name);
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

/** The part of a value that a function computes. */
export function valuePart(
  compilation: Compilation,
  { columns, value }: ValueField,
  { type }: GraphQLField<unknown, unknown>,
  nodes: readonly FieldNode[],
  level: Level,
): WrittenPart {
  const positions = columns.map((column) => level.row.at(level.column(column) as string));
  const write = valueWriter(compilation, type, nodes);
  return {
    write: (cells, given) =>
      write(
        resultOf(() =>
          value(
            positions.map((at) => cells[at] ?? giveUp()),
            given,
          ),
        ),
      ),
  };
}

type WriteValue = (value: unknown) => string;

/** Makes the function that writes values of a type. An object of a union names its type. */
function valueWriter(compilation: Compilation, type: GraphQLOutputType, nodes: readonly FieldNode[]): WriteValue {
  const nullable = getNullableType(type);
  const otherwise = nullable === type ? () => "null" : giveUp;
  const write = isListType(nullable)
    ? listWriter(valueWriter(compilation, nullable.ofType, nodes))
    : isLeafType(nullable)
      ? (value: unknown) => JSON.stringify(value ?? giveUp())
      : objectWriter(compilation, nullable.name, nodes);
  return (value) => (value === null ? otherwise() : write(value));
}

const listWriter = (write: WriteValue) => (value: unknown) => `[${(value as readonly unknown[]).map(write).join(",")}]`;

function objectWriter(compilation: Compilation, ofType: string, nodes: readonly FieldNode[]): WriteValue {
  /** By object type, the selected fields: the text before each, its name, and the function that writes it. */
  const types = new Map<string, readonly (readonly [before: string, field: string, write: WriteValue])[]>();
  const fieldsOfType = (typeName: string) => {
    const type = compilation.schema.getType(typeName) as GraphQLObjectType;
    const fields = fieldsOf(compilation, type, nodes).map(([name, selected], at) => {
      const field = selected[0].name.value;
      const write =
        field === "__typename"
          ? () => JSON.stringify(typeName)
          : valueWriter(compilation, definitionOf(type, field).type, selected);
      return [`${at > 0 ? "," : ""}${JSON.stringify(name)}:`, field, write] as const;
    });
    types.set(typeName, fields);
    return fields;
  };
  return (value) => {
    const object = value as Readonly<Record<string, unknown>>;
    const typeName = (object.typeName as string | undefined) ?? ofType;
    let text = "{";
    for (const [before, field, write] of types.get(typeName) ?? fieldsOfType(typeName))
      text += before + write(object[field]);
    return `${text}}`;
  };
}

/** The result of a function. When it throws, the plan gives up, and the resolvers answer with the error. */
function resultOf<Value>(compute: () => Value): Value {
  try {
    return compute();
  } catch {
    return giveUp();
  }
}
