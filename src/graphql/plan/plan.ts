/**
 * Plans of operations. A valid operation gets one plan for each form of its variables and each kind of actor: a
 * prepared statement for each field of the query type, and functions that write the answer from the rows.
 */
import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from "graphql";
import { collectFields } from "graphql/execution/collectFields.js";
import type { StatementRunner } from "../../database/pipeline.ts";
import type { Cells } from "../../database/pipelined-statement.ts";
import { databaseFailureOf } from "../../database/sqlstate.ts";
import { Refusal } from "../../errors.ts";
import type { Actor } from "../../session/authorization.ts";
import { slot } from "../../sql/slot.ts";
import type { DeclaredVariables } from "../declared-variables.ts";
import type { Leaves, Planned } from "../documents.ts";
import type { OperationPlans, ReadyPlan } from "../operation.ts";
import { type Given, gaveUp, type PlanRequest, Unplannable } from "./plan-run.ts";
import { nothingRead, planRoot, type RootPlan, type StatementKind } from "./root.ts";
import type { Compilation } from "./values.ts";

/** The runner of each kind of statement. */
export type PlanDatabase = Readonly<Record<StatementKind, Pick<StatementRunner, "query">>>;

interface FieldPlan extends RootPlan {
  /** The text of the answer before the value. */
  readonly before: string;
}

/** A plan: its fields, and the text of the answer after the last of them. */
interface Plan {
  readonly fields: readonly FieldPlan[];
  readonly after: string;
  readonly isSearch: boolean;
}

/** The most plans of an operation. */
const maxForms = 50;

export interface PlannerDeps {
  readonly schema: GraphQLSchema;
  readonly database: PlanDatabase;
  /** The times after which a publication is late. */
  readonly times: Given["times"];
  /** Called with an error that is a fault of the service. */
  readonly onFault: (error: unknown) => void;
}

/** The plans of one operation, each made when it is first needed. */
export class Plans implements OperationPlans {
  readonly #deps: PlannerDeps;
  readonly #document: DocumentNode;
  readonly #operation: OperationDefinitionNode;
  readonly #variables: DeclaredVariables;
  readonly #leaves: Leaves;
  /** By form; null for a form that cannot be planned. */
  readonly #plans = new Map<string, Plan | null>();

  constructor(deps: PlannerDeps, { document, operation, variables, leaves = {} }: Planned) {
    this.#deps = deps;
    this.#leaves = leaves;
    this.#document = document;
    this.#operation = operation;
    this.#variables = variables;
  }

  /** The plan for these variables and this actor; undefined when the operation must be executed. */
  ready(request: PlanRequest): ReadyPlan | undefined {
    return this.#ready({ ...request, times: this.#deps.times });
  }

  #ready(given: Given): ReadyPlan | undefined {
    const plan = this.#planOf(given);
    if (!plan) return undefined;
    try {
      const values = plan.fields.map(({ statement }) => statement.bind(given));
      return { run: () => this.#run(plan, values, given), isSearch: plan.isSearch };
    } catch (error) {
      return void this.#note(error);
    }
  }

  #planOf(given: Given): Plan | undefined {
    const { actor, variables } = given;
    const form = `${actor.role} ${actor.zones !== undefined} ${this.#variables.formOf(variables)}`;
    let plan = this.#plans.get(form);
    if (plan === undefined && this.#plans.size < maxForms) {
      plan = this.#make(given);
      this.#plans.set(form, plan);
    }
    return plan ?? undefined;
  }

  #make({ actor, variables: sample }: Given): Plan | null {
    const { schema } = this.#deps;
    const fragments = Object.fromEntries(
      this.#document.definitions
        .filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
        .map((each) => [each.name.value, each]),
    );
    const compilation = { schema, fragments, sample, leaves: this.#leaves, actor: slotsOf(actor) };
    try {
      return planOf(compilation, this.#operation);
    } catch (error) {
      if (!(error instanceof Unplannable)) this.#note(error);
      return null;
    }
  }

  async #run({ fields, after }: Plan, values: readonly Cells[], given: Given): Promise<string | undefined> {
    const { database } = this.#deps;
    try {
      const running = fields.map(({ kind, statement }, at) => database[kind].query(statement.text, values[at] ?? []));
      const answers = await Promise.all(running);
      let text = "";
      for (const [at, { before, write }] of fields.entries()) {
        const rows = answers[at];
        if (!rows) return undefined;
        text += before + write(rows, given);
      }
      return text + after;
    } catch (error) {
      return void this.#note(error);
    }
  }

  /** Reports an error as a fault, unless it has a meaning for the client: then executing the operation answers it. */
  #note(error: unknown): void {
    if (error === gaveUp || error instanceof Refusal || databaseFailureOf(error)) return;
    this.#deps.onFault(error);
  }
}

/** The actor with slots for the values that differ between actors of its kind. */
function slotsOf(actor: Actor): Actor {
  return {
    ...actor,
    userId: slot(({ actor }: Given) => actor.userId),
    ...(actor.zones && { zones: slot(({ actor }: Given) => actor.zones as readonly string[]) }),
  };
}

function planOf(
  given: Omit<Compilation, keyof typeof nothingRead>,
  { operation, selectionSet }: OperationDefinitionNode,
): Plan {
  const { schema, fragments, sample } = given;
  const query = schema.getQueryType();
  if (operation !== OperationTypeNode.QUERY || !query) throw new Unplannable(operation);
  const fields: FieldPlan[] = [];
  let before = '{"data":';
  let separator = "{";
  for (const [name, [first, ...more]] of collectFields(schema, fragments, { ...sample }, query, selectionSet)) {
    before += `${separator}${JSON.stringify(name)}:`;
    separator = ",";
    if (first?.name.value === "__typename") {
      before += JSON.stringify(query.name);
      continue;
    }
    const definition = query.getFields()[first?.name.value ?? ""] as GraphQLField<unknown, unknown> | undefined;
    if (!first || !definition) throw new Unplannable(name);
    fields.push({ ...planRoot({ ...given, ...nothingRead }, definition, [first, ...more]), before });
    before = "";
  }
  if (fields.length === 0) throw new Unplannable("no field is read");
  return { fields, after: `${before}}}\n`, isSearch: fields.some(({ kind }) => kind === "searches") };
}
