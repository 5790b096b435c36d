/**
 * How many rows an operation may load: counted before it runs, when its variables are known, as if every page were full. Pages
 * within pages multiply; a list that a mutation answers is as long as the lists it was sent; the lists of introspection are
 * counted as long as they are on average in this schema; a text made of rows, and a list that is
 * no page and was not sent, say how many by their `complexity`.
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
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from "graphql";
import { getArgumentValues, getVariableValues } from "graphql/execution/values.js";
import { limits, tooComplex } from "./query-limits.ts";

/** Refuses an operation that could load too many rows; the document is valid and has passed the rule of limits.ts. */
export type RowLimit = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
) => void;

/** Makes the limit of a schema. */
export function rowLimit(schema: GraphQLSchema): RowLimit {
  const lengths = introspectionLengths(schema);
  return (document, operation, variables) => {
    const root = schema.getRootType(operation.operation);
    const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors: 1 });
    if (!root || !coerced) return;
    const fragments = new Map(
      document.definitions
        .filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
        .map((each) => [each.name.value, each]),
    );
    const rows = rowsOf({ schema, fragments, variables: coerced, lengths }, root, operation.selectionSet, 1);
    if (rows > limits.rows) throw tooComplex("rows", rows);
  };
}

interface Counting {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Record<string, unknown>;
  /** How long the lists of introspection types are, by the name of the field. */
  readonly lengths: ReadonlyMap<string, number>;
}

/** The rows of one object; a list in it that is no page holds `sent` rows. */
function rowsOf(
  counting: Counting,
  type: GraphQLObjectType,
  selections: SelectionSetNode | undefined,
  sent: number,
): number {
  let rows = 0;
  for (const selection of selections?.selections ?? []) {
    if (selection.kind === Kind.FIELD) {
      rows += rowsOfField(counting, type, selection, sent);
      continue;
    }
    const part = selection.kind === Kind.FRAGMENT_SPREAD ? counting.fragments.get(selection.name.value) : selection;
    const condition = counting.schema.getType(part?.typeCondition?.name.value ?? "");
    rows += rowsOf(counting, isObjectType(condition) ? condition : type, part?.selectionSet, sent);
  }
  return rows;
}

function rowsOfField(counting: Counting, type: GraphQLObjectType, field: FieldNode, sent: number): number {
  const definition = definitionOf(type, field.name.value);
  const answered = definition && getNamedType(definition.type);
  if (!definition) return 0;
  if (!isObjectType(answered)) return Number(definition.extensions.complexity ?? 0);
  const given = getArgumentValues(definition, field, counting.variables);
  const inside = (length: number) => rowsOf(counting, answered, field.selectionSet, length);
  if (typeof given.first === "number") return given.first * Math.max(1, inside(1));
  const length = Math.max(sent, longestList(given));
  if (!isListType(getNullableType(definition.type))) return inside(length);
  const known = counting.lengths.get(`${type.name}.${definition.name}`) ?? definition.extensions.complexity;
  return Number(known ?? length) * (1 + inside(1));
}

function definitionOf(type: GraphQLObjectType, name: string): GraphQLField<unknown, unknown> | undefined {
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
  if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  return type.getFields()[name];
}

/** How many items the lists in the arguments of a field hold together; at least 1. */
function longestList(given: unknown): number {
  if (Array.isArray(given)) return given.length;
  if (typeof given !== "object" || given === null) return 1;
  return Math.max(
    1,
    Object.values(given).reduce<number>((sum, each) => sum + (typeof each === "object" ? longestList(each) : 0), 0),
  );
}

function introspectionLengths(schema: GraphQLSchema): ReadonlyMap<string, number> {
  const types = Object.values(schema.getTypeMap());
  const fields = types.filter(isObjectType).flatMap((type) => Object.values(type.getFields()));
  const share = (items: number, of: number) => Math.max(1, Math.ceil(items / Math.max(1, of)));
  const sum = (lengths: number[]) => lengths.reduce((total, length) => total + length, 0);
  return new Map([
    ["__Schema.types", types.length],
    ["__Schema.directives", schema.getDirectives().length],
    ["__Type.fields", share(fields.length, types.length)],
    ["__Field.args", share(sum(fields.map(({ args }) => args.length)), fields.length)],
    [
      "__Directive.args",
      share(sum(schema.getDirectives().map(({ args }) => args.length)), schema.getDirectives().length),
    ],
    [
      "__Type.inputFields",
      share(sum(types.filter(isInputObjectType).map((type) => Object.keys(type.getFields()).length)), types.length),
    ],
    ["__Type.enumValues", share(sum(types.filter(isEnumType).map((type) => type.getValues().length)), types.length)],
    ["__Type.interfaces", 1],
    ["__Type.possibleTypes", 1],
  ]);
}
