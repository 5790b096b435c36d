/**
 * A valid operation within the limits. Its plan answers it if it has one, otherwise graphql-js executes the resolvers;
 * either way the result is the text of the answer. Apollo answers an operation that is refused before a resolver runs,
 * for its variables or its number of rows. A mutation that began to run is always answered here, since it must not run
 * twice.
 */
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLNamedType,
  GraphQLScalarType,
  GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  type VariableDefinitionNode,
} from "graphql";
import type { Logger } from "pino";
import { errorLogger } from "../errors.ts";
import type { Actor } from "../session/authorization.ts";
import { inTurn } from "../turns/queues.ts";
import type { Context } from "./context.ts";
import { DeclaredVariables, type Variables } from "./declared-variables.ts";
import { formatError, retryAfterOf } from "./error-format.ts";
import { isOnlyTried, noteRefusals, operationNote } from "./operation-log.ts";
import { refusalOfGraphql } from "./refusals.ts";
import { type RowLimit, rowLimit, rowsKey } from "./row-limit.ts";

/** A plan with the values of a request, ready to run. */
export interface ReadyPlan {
  /** The text of the answer; undefined when the operation must be executed. */
  readonly run: () => Promise<string | undefined>;
  /** Whether it reads many rows to find few: searches of one key take turns with those of other keys. */
  readonly isSearch: boolean;
}

/** The plans of an operation: one for each form of its variables and each kind of actor. */
export interface OperationPlans {
  /** The plan for these variables and this actor; undefined when there is none. */
  ready(given: { readonly variables: Variables; readonly actor: Actor }): ReadyPlan | undefined;
}

/** The answer of an executed operation, successful or refused. */
export interface ExecutedAnswer {
  readonly text: string;
  /** Seconds until the request may be sent again. */
  readonly retryAfter: number | undefined;
}

/** How many combinations of page sizes of an operation are remembered as within the row limit. */
const maxPassed = 1000;

/**
 * The type of variables that are already coerced, so that graphql-js does not coerce them again: that takes a tenth of
 * the time of a large change. Documents cannot name it.
 */
const coercedType = new GraphQLScalarType({ name: "CoercedValue" });
const nameOfCoerced = Symbol("the type of a variable that is coerced") as unknown as string;

/** The schema with this type, which introspection does not show. */
class ExecutedSchema extends GraphQLSchema {
  override getType(name: string): GraphQLNamedType | undefined {
    return name === nameOfCoerced ? coercedType : super.getType(name);
  }
}

/** The operation with all its variables declared with that type. */
function withCoercedVariables(operation: OperationDefinitionNode): OperationDefinitionNode {
  const type = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: nameOfCoerced } } as const;
  const variableDefinitions = (operation.variableDefinitions ?? []).map(
    ({ kind, variable }): VariableDefinitionNode => ({ kind, variable, type }),
  );
  return { ...operation, variableDefinitions };
}

/** Executes the operations of a schema. */
export class Executor {
  readonly schema: GraphQLSchema;
  readonly log: Logger;
  readonly checkRows: RowLimit;
  /** The schema for operations whose variables are already coerced. */
  readonly #executed: GraphQLSchema;

  constructor(schema: GraphQLSchema, log: Logger) {
    this.schema = schema;
    this.log = log;
    this.checkRows = rowLimit(schema);
    this.#executed = new ExecutedSchema({ ...schema.toConfig(), assumeValid: true });
  }

  /** Executes a document with one operation, which withCoercedVariables returned. */
  execute(document: DocumentNode, variableValues: Variables, contextValue: Context): Promise<ExecutionResult> {
    return Promise.resolve(execute({ schema: this.#executed, document, variableValues, contextValue }));
  }
}

export class Operation {
  /** The name for the log, and the endpoint for metrics. */
  readonly note: ReturnType<typeof operationNote>;
  readonly kind: OperationTypeNode;
  readonly #executor: Executor;
  readonly #variables: DeclaredVariables;
  readonly #checkRows: (variables: Variables) => void;
  readonly #plans: OperationPlans | undefined;
  readonly #document: DocumentNode;
  readonly #definition: OperationDefinitionNode;
  /** The document to execute: this operation with coerced variables, and the fragments. */
  readonly #executed: DocumentNode;

  constructor(
    executor: Executor,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    makePlans?: (variables: DeclaredVariables) => OperationPlans | undefined,
  ) {
    this.note = operationNote(operation);
    this.kind = operation.operation;
    this.#executor = executor;
    this.#variables = new DeclaredVariables(executor.schema, operation);
    this.#checkRows = rowsCheck(executor, document, operation);
    this.#plans = makePlans?.(this.#variables);
    this.#document = document;
    this.#definition = operation;
    const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
    this.#executed = { ...document, definitions: [withCoercedVariables(operation), ...fragments] };
  }

  /** The coerced variables; undefined when they are refused, or when the operation would load too many rows. */
  admit(sent: Variables): Variables | undefined {
    const variables = this.#variables.coerce(sent);
    if (!variables) return undefined;
    try {
      this.#checkRows(variables);
      return variables;
    } catch {
      return undefined;
    }
  }

  /** The plan for variables that `admit` returned. */
  plan(variables: Variables, actor: Actor): ReadyPlan | undefined {
    return this.#plans?.ready({ variables, actor });
  }

  /** Executes the resolvers with variables that `admit` returned, and notes their refusals. */
  async execute(variables: Variables, context: Context): Promise<ExecutedAnswer> {
    const { schema, log } = this.#executor;
    const { data, errors = [] } = await this.#executor.execute(this.#executed, variables, context);
    if (errors.length === 0) return { text: `${JSON.stringify({ data })}\n`, retryAfter: undefined };
    const formatted = errors.map((error) => formatError(error, error, log, schema));
    noteRefusals(context.caller, formatted);
    if (isOnlyTried(this.#definition, variables)) context.caller.note({ isAudited: true });
    return { text: `${JSON.stringify({ errors: formatted, data })}\n`, retryAfter: retryAfterOf(formatted) };
  }

  /** For an operation of the service itself: the answer of its plan; undefined when it must be executed. */
  async textByPlan(sent: Variables, actor: Actor): Promise<string | undefined> {
    const variables = this.#variables.coerce(sent);
    return variables && this.#textByPlan(variables, actor);
  }

  async #textByPlan(variables: Variables, actor: Actor): Promise<string | undefined> {
    const plan = this.plan(variables, actor);
    // When no turn is free, the resolvers answer.
    return plan?.isSearch ? inTurn("find", plan.run).catch(() => undefined) : plan?.run();
  }

  /** For an operation of the service itself: its data, by its plan unless `isUnplanned`. Throws the first refusal. */
  async data(
    sent: Variables,
    actor: Actor,
    makeContext: () => Context,
    isUnplanned = false,
  ): Promise<Record<string, unknown>> {
    const variables = this.#variables.coerce(sent);
    const text = variables && !isUnplanned ? await this.#textByPlan(variables, actor) : undefined;
    if (text !== undefined) return (JSON.parse(text) as { data: Record<string, unknown> }).data;
    const { schema, log } = this.#executor;
    const context = makeContext();
    const { data, errors } = await (variables
      ? this.#executor.execute(this.#executed, variables, context)
      : execute({ schema, document: this.#document, variableValues: sent, contextValue: context }));
    if (errors?.[0]) throw refusalOfGraphql(errors[0], errorLogger(log, "the operation of a REST path failed"));
    return data as Record<string, unknown>;
  }
}

/**
 * Makes the check of the row limit, which counts once for variables with the same page sizes and list lengths. It
 * throws when there are too many rows.
 */
function rowsCheck(
  { schema, checkRows }: Executor,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): (variables: Variables) => void {
  const keyOf = rowsKey(schema, document, operation);
  const passed = new Set<string>();
  return (variables) => {
    const key = keyOf(variables);
    if (passed.has(key)) return;
    checkRows(document, operation, variables, true);
    if (passed.size < maxPassed) passed.add(key);
  };
}
