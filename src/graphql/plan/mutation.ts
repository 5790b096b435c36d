/**
 * Mutations that were admitted. They run by graphql-js with the same resolvers as behind Apollo, without Apollo and express, and their
 * errors are formatted by the same functions. Whatever can be refused before a resolver runs, variables and the number of rows, is left to
 * the ordinary way; a mutation that has begun is answered here, since it must not run twice.
 */
import { type DocumentNode, execute, type GraphQLSchema, type OperationDefinitionNode } from "graphql";
import { getVariableValues } from "graphql/execution/values.js";
import type { Logger } from "pino";
import type { Context } from "../context.ts";
import { formatError, retryAfterOf } from "../error-format.ts";
import { noteRefusals, operationName } from "../operation-log.ts";
import type { RowLimit } from "../row-limit.ts";
import type { Variables } from "./given.ts";

/** A mutation with its variables, ready to run; it runs once. */
export interface ReadyMutation {
  /** As it is logged. */
  readonly operation: string;
  readonly mutate: (context: Context) => Promise<MutationAnswer>;
}

/** The answer of a mutation that ran, whether it was refused or not. */
export interface MutationAnswer {
  readonly text: string;
  /** When to try again what was refused, seconds. */
  readonly retryAfter: number | undefined;
}

export interface MutationDeps {
  readonly schema: GraphQLSchema;
  readonly log: Logger;
}

/** A mutation that was parsed and validated, and is within the limits of form. */
export class AdmittedMutation {
  readonly #deps: MutationDeps;
  readonly #checkRows: RowLimit;
  readonly #document: DocumentNode;
  readonly #operation: OperationDefinitionNode;
  readonly #name: string;

  constructor(deps: MutationDeps, checkRows: RowLimit, document: DocumentNode, operation: OperationDefinitionNode) {
    this.#deps = deps;
    this.#checkRows = checkRows;
    this.#document = document;
    this.#operation = operation;
    this.#name = operationName(operation);
  }

  /** The mutation with these variables; undefined when it is refused before it runs. */
  ready(sent: Variables): ReadyMutation | undefined {
    const { schema } = this.#deps;
    const { coerced } = getVariableValues(schema, this.#operation.variableDefinitions ?? [], sent, { maxErrors: 1 });
    if (!coerced) return undefined;
    try {
      this.#checkRows(this.#document, this.#operation, sent);
    } catch {
      return undefined;
    }
    return { operation: this.#name, mutate: (context) => this.#run(sent, context) };
  }

  async #run(variableValues: Variables, contextValue: Context): Promise<MutationAnswer> {
    const { schema, log } = this.#deps;
    const { data, errors = [] } = await execute({ schema, document: this.#document, variableValues, contextValue });
    if (errors.length === 0) return { text: `${JSON.stringify({ data })}\n`, retryAfter: undefined };
    const formatted = errors.map((error) => formatError(error, error, log, schema));
    noteRefusals(contextValue.caller, formatted);
    return { text: `${JSON.stringify({ errors: formatted, data })}\n`, retryAfter: retryAfterOf(formatted) };
  }
}
