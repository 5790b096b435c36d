/**
 * Mutations that were admitted. They run by graphql-js with the same resolvers as behind Apollo, without Apollo and express, and their
 * errors are formatted by the same functions. Whatever can be refused before a resolver runs, variables and the number of rows, is left to
 * the ordinary way; a mutation that has begun is answered here, since it must not run twice.
 */
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLScalarType,
  GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
} from "graphql";
import { getVariableValues } from "graphql/execution/values.js";
import type { Logger } from "pino";
import type { Context } from "../context.ts";
import { formatError, retryAfterOf } from "../error-format.ts";
import { noteRefusals, operationNote } from "../operation-log.ts";
import type { RowLimit } from "../row-limit.ts";
import type { Variables } from "./given.ts";

/** A mutation with its variables, ready to run; it runs once. */
export interface ReadyMutation {
  /** As it is logged, and as it is counted. */
  readonly operation: string;
  readonly endpoint: string;
  readonly mutate: (context: Context) => Promise<MutationAnswer>;
}

/** The answer of a mutation that ran, whether it was refused or not. */
export interface MutationAnswer {
  readonly text: string;
  /** When to try again what was refused, seconds. */
  readonly retryAfter: number | undefined;
}

/** Runs the mutations of a schema. */
export class Mutations {
  readonly schema: GraphQLSchema;
  readonly log: Logger;
  readonly checkRows: RowLimit;
  /** The same, with the type of variables that are coerced already. */
  readonly #executed: GraphQLSchema;

  constructor(schema: GraphQLSchema, log: Logger, checkRows: RowLimit) {
    const { types, ...config } = schema.toConfig();
    this.schema = schema;
    this.log = log;
    this.checkRows = checkRows;
    this.#executed = new GraphQLSchema({ ...config, types: [...types, coercedType], assumeValid: true });
  }

  /** Runs a document whose operation declares its variables so. */
  execute(
    document: DocumentNode,
    variableValues: Variables,
    contextValue: Context,
  ): ExecutionResult | Promise<ExecutionResult> {
    return execute({ schema: this.#executed, document, variableValues, contextValue });
  }
}

/**
 * The type of a variable whose value is that of the schema already, so that it is not coerced a second time, which costs a tenth of a large
 * change.
 */
const coercedType = new GraphQLScalarType({ name: "CoercedValue" });

/** An operation with variables of that type. */
function withCoercedVariables(operation: OperationDefinitionNode): OperationDefinitionNode {
  const type = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: coercedType.name } } as const;
  const variableDefinitions = (operation.variableDefinitions ?? []).map(
    ({ kind, variable }): VariableDefinitionNode => ({ kind, variable, type }),
  );
  return { ...operation, variableDefinitions };
}

/** A mutation that was parsed and validated, and is within the limits of form. */
export class AdmittedMutation {
  readonly #mutations: Mutations;
  readonly #document: DocumentNode;
  readonly #operation: OperationDefinitionNode;
  /** What is executed. */
  readonly #executed: DocumentNode;
  readonly #note: ReturnType<typeof operationNote>;

  constructor(mutations: Mutations, document: DocumentNode, operation: OperationDefinitionNode) {
    this.#mutations = mutations;
    this.#document = document;
    this.#operation = operation;
    this.#note = operationNote(operation);
    const executed = withCoercedVariables(operation);
    this.#executed = {
      ...document,
      definitions: document.definitions.map((each) => (each === operation ? executed : each)),
    };
  }

  /** The mutation with these variables; undefined when it is refused before it runs. */
  ready(sent: Variables): ReadyMutation | undefined {
    const { schema, checkRows } = this.#mutations;
    const definitions = this.#operation.variableDefinitions ?? [];
    const { coerced } = getVariableValues(schema, definitions, sent, { maxErrors: 1 });
    if (!coerced) return undefined;
    try {
      checkRows(this.#document, this.#operation, coerced, true);
    } catch {
      return undefined;
    }
    return { ...this.#note, mutate: (context) => this.#run(coerced, context) };
  }

  async #run(variables: Variables, context: Context): Promise<MutationAnswer> {
    const { schema, log } = this.#mutations;
    const { data, errors = [] } = await this.#mutations.execute(this.#executed, variables, context);
    if (errors.length === 0) return { text: `${JSON.stringify({ data })}\n`, retryAfter: undefined };
    const formatted = errors.map((error) => formatError(error, error, log, schema));
    noteRefusals(context.caller, formatted);
    return { text: `${JSON.stringify({ errors: formatted, data })}\n`, retryAfter: retryAfterOf(formatted) };
  }
}
