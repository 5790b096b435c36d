/**
 * The variables of an operation. `coerce` reads values as graphql-js does. `formOf` returns a key of the answer's form,
 * and each form has a plan of its own: the key says which variables are sent, the values of booleans and enums, and
 * which fields inputs have.
 */
import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  type OperationDefinitionNode,
  print,
  typeFromAST,
} from "graphql";
import { getVariableValues } from "graphql/execution/values.js";
import { idOf } from "./scalars/scalars.ts";

/** The values of variables by their names. */
export type Variables = Readonly<Record<string, unknown>>;

interface Declared {
  readonly name: string;
  readonly type: GraphQLInputType;
  /** Reads a sent value of a simple type; undefined when graphql-js must read it. Not set for other types. */
  readonly read: ((value: unknown) => unknown) | undefined;
  readonly isRequired: boolean;
}

const maxInt = 2 ** 31;
const isInt = (value: unknown) => Number.isInteger(value) && Number(value) < maxInt && Number(value) >= -maxInt;
const where = (isValue: (value: unknown) => boolean) => (value: unknown) => (isValue(value) ? value : undefined);

/** The readers of simple types, which accept the usual values and read them as graphql-js does. */
const readers: Readonly<Record<string, (value: unknown) => unknown>> = {
  ID: (value) => (typeof value === "string" ? idOf(value) : undefined),
  String: where((value) => typeof value === "string"),
  Int: where(isInt),
  Boolean: where((value) => typeof value === "boolean"),
};

/** The variables that an operation declares. */
export class DeclaredVariables {
  readonly #schema: GraphQLSchema;
  readonly #operation: OperationDefinitionNode;
  readonly #declared: readonly Declared[];

  constructor(schema: GraphQLSchema, operation: OperationDefinitionNode) {
    this.#schema = schema;
    this.#operation = operation;
    this.#declared = (operation.variableDefinitions ?? []).map(({ variable, type, defaultValue }) => {
      const text = print(type);
      return {
        name: variable.name.value,
        type: typeFromAST(schema, type as never) as unknown as GraphQLInputType,
        read: defaultValue ? undefined : readers[text.replace(/!$/, "")],
        isRequired: text.endsWith("!"),
      };
    });
  }

  /** The values of the variables; undefined when the schema refuses a sent value. */
  coerce(sent: Variables): Variables | undefined {
    const coerced: Record<string, unknown> = {};
    for (const { name, read, isRequired } of this.#declared) {
      const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
      if (value === undefined && !isRequired && read) continue;
      const own = value === null && !isRequired && read ? null : read?.(value);
      if (own === undefined) return this.#coerceByGraphql(sent);
      coerced[name] = own;
    }
    return coerced;
  }

  #coerceByGraphql(sent: Variables): Variables | undefined {
    const definitions = this.#operation.variableDefinitions ?? [];
    return getVariableValues(this.#schema, definitions, sent, { maxErrors: 1 }).coerced;
  }

  /** A key of the form that the answer has with these variables. */
  formOf(variables: Variables): string {
    let form = "";
    for (const { name, type } of this.#declared) form += `${formOf(variables[name], type)},`;
    return form;
  }
}

function formOf(value: unknown, type: GraphQLInputType): string {
  if (value === undefined) return "-";
  if (value === null) return "0";
  const nullable = getNullableType(type);
  if (isListType(nullable)) return "l";
  if (typeof value === "boolean" || isEnumType(nullable)) return String(value);
  if (!isInputObjectType(nullable)) return "1";
  const fields = Object.values(nullable.getFields());
  return `{${fields.map((field) => formOf((value as Variables)[field.name], field.type)).join(",")}}`;
}
