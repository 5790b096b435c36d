/**
 * An operation that was parsed, validated and is within the limits of form. Its plan answers it where it has one, and otherwise graphql-js
 * with the resolvers; both return the text of a response. An operation that is refused before a resolver runs, for its variables or the
 * number of rows, has no answer here. A mutation that has begun has one in any case, since it must not run twice.
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
  /** Whether it looks at many rows to find few, so that keys take turns. */
  readonly isSearch: boolean;
}

/** The plans of an operation, one for each form of its variables and kind of key. */
export interface OperationPlans {
  /** The plan for these variables and this actor; undefined when there is none. */
  ready(given: { readonly variables: Variables; readonly actor: Actor }): ReadyPlan | undefined;
}

/** The answer of an operation that was executed, whether it was refused or not. */
export interface ExecutedAnswer {
  readonly text: string;
  /** Seconds until the request may be sent again. */
  readonly retryAfter: number | undefined;
}

/** Sizes of the pages of an operation that are remembered to be within the limit of rows. */
const maxPassed = 1000;

/**
 * The type of a variable whose value is that of the schema already, so that it is not coerced a second time, which costs a tenth of a large
 * change. No document can name it.
 */
const coercedType = new GraphQLScalarType({ name: "CoercedValue" });
const nameOfCoerced = Symbol("the type of a variable that is coerced") as unknown as string;

/** A schema that has this type too, and does not show it. */
class ExecutedSchema extends GraphQLSchema {
  override getType(name: string): GraphQLNamedType | undefined {
    return name === nameOfCoerced ? coercedType : super.getType(name);
  }
}

/** An operation with variables of that type. */
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
  /** The same, with the type of variables that are coerced already. */
  readonly #executed: GraphQLSchema;

  constructor(schema: GraphQLSchema, log: Logger) {
    this.schema = schema;
    this.log = log;
    this.checkRows = rowLimit(schema);
    this.#executed = new ExecutedSchema({ ...schema.toConfig(), assumeValid: true });
  }

  /** Executes a document whose one operation declares its variables so. */
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
  /** What is executed: this operation alone, whose variables are coerced. */
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

  /** The variables by the schema; undefined when they are refused, or ask for too many rows. */
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

  /** The plan for variables that were admitted. */
  plan(variables: Variables, actor: Actor): ReadyPlan | undefined {
    return this.#plans?.ready({ variables, actor });
  }

  /** Runs the resolvers with variables that were admitted, and notes their refusals. */
  async execute(variables: Variables, context: Context): Promise<ExecutedAnswer> {
    const { schema, log } = this.#executor;
    const { data, errors = [] } = await this.#executor.execute(this.#executed, variables, context);
    if (errors.length === 0) return { text: `${JSON.stringify({ data })}\n`, retryAfter: undefined };
    const formatted = errors.map((error) => formatError(error, error, log, schema));
    noteRefusals(context.caller, formatted);
    if (isOnlyTried(this.#definition, variables)) context.caller.note({ isAudited: true });
    return { text: `${JSON.stringify({ errors: formatted, data })}\n`, retryAfter: retryAfterOf(formatted) };
  }

  /** The text of the answer by the plan, for an operation of this program; undefined when it must be executed. */
  async textByPlan(sent: Variables, actor: Actor): Promise<string | undefined> {
    const variables = this.#variables.coerce(sent);
    return variables && this.#textByPlan(variables, actor);
  }

  async #textByPlan(variables: Variables, actor: Actor): Promise<string | undefined> {
    const plan = this.plan(variables, actor);
    // Without a turn it is executed.
    return plan?.isSearch ? inTurn("find", plan.run).catch(() => undefined) : plan?.run();
  }

  /** The data of an operation of this program, by its plan unless `isUnplanned`; throws its first refusal. */
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

/** Counts the rows of an operation once for variables that are the same to the limit; throws when there are too many. */
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
