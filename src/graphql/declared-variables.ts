/**
 * The variables of an operation: coerced as graphql-js does, and what of them decides the form of the answer, so that there is a plan for
 * each form: which are given, the values of booleans and enums, and the fields of inputs.
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

/** The values of variables by their names. */
export type Variables = Readonly<Record<string, unknown>>;

interface Declared {
  readonly name: string;
  readonly type: GraphQLInputType;
  /** Whether a value that is sent is the variable's, for the types where that can be seen at once. */
  readonly isPlain: ((value: unknown) => boolean) | undefined;
  readonly isRequired: boolean;
}

const isText = (value: unknown) => typeof value === "string";
const maxInt = 2 ** 31;
const isInt = (value: unknown) => Number.isInteger(value) && Number(value) < maxInt && Number(value) >= -maxInt;

/** The types of variables whose values graphql-js takes as they are sent. */
const plainTypes: Readonly<Record<string, (value: unknown) => boolean>> = {
  ID: isText,
  String: isText,
  Int: isInt,
  Boolean: (value) => typeof value === "boolean",
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
        isPlain: defaultValue ? undefined : plainTypes[text.replace(/!$/, "")],
        isRequired: text.endsWith("!"),
      };
    });
  }

  /** The variables by the schema; undefined when what was sent is refused. */
  coerce(sent: Variables): Variables | undefined {
    const coerced: Record<string, unknown> = {};
    for (const { name, isPlain, isRequired } of this.#declared) {
      const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
      if (value === undefined && !isRequired && isPlain) continue;
      if (value === null && !isRequired && isPlain) coerced[name] = null;
      else if (isPlain?.(value)) coerced[name] = value;
      else return this.#coerceByGraphql(sent);
    }
    return coerced;
  }

  #coerceByGraphql(sent: Variables): Variables | undefined {
    const definitions = this.#operation.variableDefinitions ?? [];
    return getVariableValues(this.#schema, definitions, sent, { maxErrors: 1 }).coerced;
  }

  /** What of the variables decides the form of the answer. */
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
