/**
 * The plans of the documents that were admitted lately, and admitted mutations: a bounded cache by the document's text. What cannot be
 * planned is remembered as such. With `isEager` a document is admitted when it is seen first, by the same parser, rules and limits; tests, which send most
 * documents once, run plans so.
 */
import { type DocumentNode, Kind, type OperationDefinitionNode, OperationTypeNode, parse, validate } from "graphql";
import type { Logger } from "pino";
import type { Actor } from "../../session/authorization.ts";
import { inTurn } from "../../turns/work.ts";
import { operationNote } from "../operation-log.ts";
import { admissionRules, parseOptions } from "../query-limits.ts";
import { type RowLimit, rowLimit, rowsAreFixed, rowsKey } from "../row-limit.ts";
import type { ShortRead } from "../server.ts";
import type { Variables } from "./given.ts";
import { AdmittedMutation, Mutations, type ReadyMutation } from "./mutation.ts";
import type { Leaves } from "./object.ts";
import { DocumentPlans, type PlannerDeps, type ReadyPlan } from "./plan.ts";

/** Documents that are remembered. */
const maxDocuments = 1000;

/** The longest text that is remembered, characters. */
const maxLength = 20_000;

/** Page sizes of a document that are remembered to be within the limit of rows. */
const maxPassed = 1000;

interface AdmittedRead {
  readonly plans: DocumentPlans;
  /** What is noted of the operation. */
  readonly note: ReturnType<typeof operationNote>;
  /** Counts rows, where the variables say how many there are. */
  readonly checkRows: ((variables: Variables) => void) | undefined;
}

/** Reads the text of an answer; undefined when the operation must be run. */
export type ShortTextRead = (variables: Variables, actor: Actor) => Promise<string | undefined>;

/** A planned operation that is about to run. */
export interface PlannedOperation extends ReadyPlan {
  /** As it is logged, and as it is counted. */
  readonly operation: string;
  readonly endpoint: string;
}

export interface PlansOptions extends PlannerDeps {
  readonly log: Logger;
  readonly isEager: boolean;
}

export class Plans {
  readonly #options: PlansOptions;
  readonly #checkRows: RowLimit;
  readonly #mutations: Mutations;
  /** By text, the one that was used longest ago first; null for what is not planned. */
  readonly #documents = new Map<string, AdmittedRead | AdmittedMutation | null>();
  /** How many operations were given a plan, and how many were not, for tests and measurements. */
  readonly counts = { planned: 0, others: 0 };

  constructor(options: PlansOptions) {
    this.#options = options;
    this.#checkRows = rowLimit(options.schema);
    this.#mutations = new Mutations(options.schema, options.log, this.#checkRows);
  }

  /** Takes note of a document that was parsed, validated and is within the limits. */
  admit(text: string, document: DocumentNode): void {
    if (this.#documents.has(text) || text.length > maxLength) return;
    const [oldest] = this.#documents.size >= maxDocuments ? this.#documents.keys() : [];
    if (oldest !== undefined) this.#documents.delete(oldest);
    this.#documents.set(text, this.#admitted(document) ?? null);
  }

  #admitted(document: DocumentNode, leaves?: Leaves): AdmittedRead | AdmittedMutation | undefined {
    const operations = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
    const [operation, ...others] = operations;
    if (!operation || others.length > 0 || operation.operation === OperationTypeNode.SUBSCRIPTION) return undefined;
    if (operation.operation === OperationTypeNode.MUTATION)
      return new AdmittedMutation(this.#mutations, document, operation);
    const checkRows = rowsAreFixed(this.#options.schema, document, operation)
      ? undefined
      : this.#rowsCheck(document, operation);
    return {
      plans: new DocumentPlans(this.#options, document, operation, leaves),
      note: operationNote(operation),
      checkRows,
    };
  }

  /** Counts the rows of a document once for variables that are the same to the limit. */
  #rowsCheck(document: DocumentNode, operation: OperationDefinitionNode): (variables: Variables) => void {
    const keyOf = rowsKey(this.#options.schema, document, operation);
    const passed = new Set<string>();
    return (variables) => {
      const key = keyOf(variables);
      if (passed.has(key)) return;
      this.#checkRows(document, operation, variables);
      if (passed.size < maxPassed) passed.add(key);
    };
  }

  /** The plan for an operation with what was sent as its variables, or a mutation; undefined when the ordinary way has the answer. */
  find(text: string, sent: Variables, actor: Actor): PlannedOperation | ReadyMutation | undefined {
    const operation = this.#find(text, sent, actor);
    this.counts[operation ? "planned" : "others"] += 1;
    return operation;
  }

  #find(text: string, sent: Variables, actor: Actor): PlannedOperation | ReadyMutation | undefined {
    if (this.#options.isEager && !this.#documents.has(text)) this.#admitAtOnce(text, sent);
    const admitted = this.#documents.get(text);
    if (!admitted) return undefined;
    this.#documents.delete(text);
    this.#documents.set(text, admitted);
    if (admitted instanceof AdmittedMutation) return admitted.ready(sent);
    const { plans, note, checkRows } = admitted;
    const variables = plans.coerce(sent);
    if (!variables) return undefined;
    try {
      checkRows?.(sent);
    } catch {
      return undefined;
    }
    const ready = plans.ready({ variables, actor });
    return ready && { ...note, ...ready };
  }

  /** Admits a document that has not been through the ordinary way. */
  #admitAtOnce(text: string, sent: Variables): void {
    try {
      const document = parse(text, parseOptions);
      if (validate(this.#options.schema, document, admissionRules).length > 0) return;
      const operation = document.definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
      this.#checkRows(document, operation as OperationDefinitionNode, sent);
      this.admit(text, document);
    } catch {
      // The ordinary way refuses it.
    }
  }

  /** What reads the data of an operation of this program, which is admitted as it is; undefined for one that is not planned. */
  prepared(document: DocumentNode): ShortRead | undefined {
    const read = this.preparedText(document);
    return (
      read &&
      (async (sent, actor) => {
        const text = await read(sent, actor);
        return text === undefined ? undefined : (JSON.parse(text) as { data: Record<string, unknown> }).data;
      })
    );
  }

  /** What reads the answer of such an operation as its text, with the values of some types in other forms. */
  preparedText(document: DocumentNode, leaves?: Leaves): ShortTextRead | undefined {
    const admitted = this.#admitted(document, leaves);
    if (!admitted || admitted instanceof AdmittedMutation) return undefined;
    const { plans } = admitted;
    return async (sent, actor) => {
      const variables = plans.coerce(sent);
      const ready = variables && plans.ready({ variables, actor });
      // Without a turn, the ordinary way has the answer.
      return ready?.isSearch ? inTurn("find", ready.run).catch(() => undefined) : ready?.run();
    };
  }
}
