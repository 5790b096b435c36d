/**
 * The limit of the rows that an operation may load. They are counted before it runs, with its variables, as if every
 * page were full. Pages within pages multiply. A list in the result of a mutation counts as many rows as the lists in
 * its input. A list of introspection counts its average length in this schema. For any other list, and for a text that
 * is made of rows, the field's `complexity` counts.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  type TypeNode,
  typeFromAST,
  visit,
} from "graphql";
import { getArgumentValues, getVariableValues } from "graphql/execution/values.js";
import { defaultPageSize } from "../lists/pagination.ts";
import { limits, tooComplex } from "./query-limits.ts";

/**
 * Throws QUERY_TOO_COMPLEX when an operation could load too many rows. The document is valid and within the limits of
 * query-limits.ts. `areCoerced` says that the variables are already coerced.
 */
export type RowLimit = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
  areCoerced?: boolean,
) => void;

export function rowLimit(schema: GraphQLSchema): RowLimit {
  const lengths = introspectionLengths(schema);
  return (document, operation, variables, areCoerced = false) => {
    const root = schema.getRootType(operation.operation);
    const definitions = areCoerced ? [] : (operation.variableDefinitions ?? []);
    const { coerced } = getVariableValues(schema, definitions, variables, { maxErrors: 1 });
    if (!root || !coerced) return;
    const fragments = new Map(
      document.definitions
        .filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
        .map((each) => [each.name.value, each]),
    );
    const values = areCoerced ? { ...variables } : coerced;
    const rows = rowsOf({ schema, fragments, variables: values, lengths }, root, operation.selectionSet, 1);
    if (rows > limits.rows) throw tooComplex("rows", rows);
  };
}

/** Makes the function that returns a key of page sizes and list lengths, on which the number of rows depends. */
export function rowsKey(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): (variables: Readonly<Record<string, unknown>>) => string {
  const sizes = new Set<string>();
  visit(document, {
    Argument({ name: { value: name }, value }) {
      if ((name === "first" || name === "last") && value.kind === Kind.VARIABLE) sizes.add(value.name.value);
    },
  });
  const inputs = (operation.variableDefinitions ?? []).filter(({ type }) => mayHoldList(schema, type));
  const readers = [
    ...[...sizes].map((name) => (variables: Readonly<Record<string, unknown>>) => variables[name]),
    ...inputs.map(({ variable: { name } }) => (variables: Readonly<Record<string, unknown>>) => {
      return itemsOf(variables[name.value]);
    }),
  ];
  return (variables) => {
    let key = "";
    for (const read of readers) key += `${read(variables)},`;
    return key;
  };
}

function mayHoldList(schema: GraphQLSchema, node: TypeNode): boolean {
  const type = typeFromAST(schema, node as NamedTypeNode);
  return isInputObjectType(getNamedType(type)) || isListType(getNullableType(type));
}

interface Counting {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Record<string, unknown>;
  /** The average length of the lists of introspection types, by `Type.field`. */
  readonly lengths: ReadonlyMap<string, number>;
}

/**
 * The rows that a selection on one object loads; a list that is not a page counts `inputLength` rows. `type` is
 * undefined for an interface or a union, whose own fields load no rows.
 */
function rowsOf(
  counting: Counting,
  type: GraphQLObjectType | undefined,
  selections: SelectionSetNode | undefined,
  inputLength: number,
): number {
  let rows = 0;
  for (const selection of selections?.selections ?? []) {
    if (selection.kind === Kind.FIELD) {
      rows += type ? rowsOfField(counting, type, selection, inputLength) : 0;
      continue;
    }
    const part = selection.kind === Kind.FRAGMENT_SPREAD ? counting.fragments.get(selection.name.value) : selection;
    const condition = counting.schema.getType(part?.typeCondition?.name.value ?? "");
    rows += rowsOf(counting, isObjectType(condition) ? condition : type, part?.selectionSet, inputLength);
  }
  return rows;
}

function rowsOfField(counting: Counting, type: GraphQLObjectType, field: FieldNode, inputLength: number): number {
  const definition = definitionOf(type, field.name.value);
  const result = definition && getNamedType(definition.type);
  if (!definition) return 0;
  if (!isCompositeType(result)) return Number(definition.extensions.complexity ?? 0);
  const args = getArgumentValues(definition, field, counting.variables);
  const objectType = isObjectType(result) ? result : undefined;
  const inside = (length: number) => rowsOf(counting, objectType, field.selectionSet, length);
  if (definition.args.some(({ name }) => name === "first"))
    return Number(args.last ?? args.first ?? defaultPageSize) * Math.max(1, inside(1));
  const length = Math.max(inputLength, itemsOf(args));
  if (!isListType(getNullableType(definition.type))) return inside(length);
  const declared = counting.lengths.get(`${type.name}.${definition.name}`) ?? definition.extensions.complexity;
  return Number(declared ?? length) * (1 + inside(1));
}

function definitionOf(type: GraphQLObjectType, name: string): GraphQLField<unknown, unknown> | undefined {
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
  if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  return type.getFields()[name];
}

/** The number of items of all lists in an argument, at least 1. */
function itemsOf(input: unknown): number {
  if (Array.isArray(input)) return input.length;
  if (typeof input !== "object" || input === null) return 1;
  return Math.max(
    1,
    Object.values(input).reduce<number>((sum, each) => sum + (typeof each === "object" ? itemsOf(each) : 0), 0),
  );
}

/** The average lengths of the lists of introspection, at least 1, by `Type.field`. */
function introspectionLengths(schema: GraphQLSchema): ReadonlyMap<string, number> {
  const types = Object.values(schema.getTypeMap());
  const fields = types.filter(isObjectType).flatMap((type) => Object.values(type.getFields()));
  const average = (items: number, lists: number) => Math.max(1, Math.ceil(items / Math.max(1, lists)));
  const sum = (lengths: number[]) => lengths.reduce((total, length) => total + length, 0);
  return new Map([
    ["__Schema.types", types.length],
    ["__Schema.directives", schema.getDirectives().length],
    ["__Type.fields", average(fields.length, types.length)],
    ["__Field.args", average(sum(fields.map(({ args }) => args.length)), fields.length)],
    [
      "__Directive.args",
      average(sum(schema.getDirectives().map(({ args }) => args.length)), schema.getDirectives().length),
    ],
    [
      "__Type.inputFields",
      average(sum(types.filter(isInputObjectType).map((type) => Object.keys(type.getFields()).length)), types.length),
    ],
    ["__Type.enumValues", average(sum(types.filter(isEnumType).map((type) => type.getValues().length)), types.length)],
    ["__Type.interfaces", 1],
    ["__Type.possibleTypes", 1],
  ]);
}
