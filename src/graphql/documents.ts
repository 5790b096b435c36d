/**
 * The documents that clients send. Each is parsed, validated and checked against the limits once, and cached by its
 * text; the cache is limited by characters. A text is cached, and its operations are planned, when it is sent a second
 * time, so that documents that are sent only once take no memory. Apollo answers invalid documents.
 */
import { hash } from "node:crypto";
import {
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  validate,
} from "graphql";
import type { Logger } from "pino";
import type { Actor } from "../session/authorization.ts";
import type { Context } from "./context.ts";
import type { DeclaredVariables, Variables } from "./declared-variables.ts";
import { type ExecutedAnswer, Executor, Operation, type OperationPlans, type ReadyPlan } from "./operation.ts";
import { admissionRules, parseOptions } from "./query-limits.ts";
import type { RowLimit } from "./row-limit.ts";

/** How the values of scalars are written in an answer, by the names of the scalars: as they are, or as strings. */
export type Leaves = Readonly<Record<string, "plain" | "quoted">>;

/** What a plan is made from. */
export interface Planned {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: DeclaredVariables;
  readonly leaves?: Leaves | undefined;
}

export interface DocumentsOptions {
  readonly schema: GraphQLSchema;
  readonly log: Logger;
  /** Makes the plans of a query. */
  readonly makePlans: (planned: Planned) => OperationPlans;
}

/** An operation as a client sent it. */
export interface SentOperation {
  readonly query: string;
  /** Undefined where the document has one operation. */
  readonly operationName: string | undefined;
  readonly variables: Variables;
  /** Whether mutations are allowed; false for GET. */
  readonly mayWrite: boolean;
}

/** How a sent operation is answered. */
export interface OperationAnswer {
  /** Its name for the log and endpoint for metrics, when they are known before it is executed. */
  readonly note?: Operation["note"];
  readonly plan?: ReadyPlan | undefined;
  /** Executes it; undefined when it is refused, which Apollo answers. */
  readonly execute: (context: Context) => Promise<ExecutedAnswer | undefined>;
}

/** The size of the cache, characters. The memory of a parsed document counts as further characters. */
const maxCharacters = 300_000;
const charactersOfDocument = 300;

/** The greatest length of a cached text, characters. */
const maxLength = 30_000;

/** How many digests of texts that were sent once are remembered. */
const maxSeenOnce = 10_000;

/** A parsed document that is valid and within the limits of query-limits.ts. */
export class AdmittedDocument {
  readonly document: DocumentNode;
  readonly #make: (operation: OperationDefinitionNode) => Operation;
  readonly #operations = new Map<OperationDefinitionNode, Operation>();

  constructor(document: DocumentNode, make: (operation: OperationDefinitionNode) => Operation) {
    this.document = document;
    this.#make = make;
  }

  /** The operation with this name, or without a name the only operation; undefined when there is no such operation. */
  operation(name: string | undefined): Operation | undefined {
    const definition = getOperationAST(this.document, name);
    if (!definition) return undefined;
    const operation = this.#operations.get(definition) ?? this.#make(definition);
    this.#operations.set(definition, operation);
    return operation;
  }
}

export class Documents {
  readonly #options: DocumentsOptions;
  readonly #executor: Executor;
  /** By text, in the order of their last use, oldest first. */
  readonly #kept = new Map<string, AdmittedDocument>();
  #characters = 0;
  /** Digests of texts that were sent once, oldest first. */
  readonly #seenOnce = new Set<string>();

  constructor(options: DocumentsOptions) {
    this.#options = options;
    this.#executor = new Executor(options.schema, options.log);
  }

  /** The limit of rows of the schema. */
  get checkRows(): RowLimit {
    return this.#executor.checkRows;
  }

  /** The document of a text. Throws an error of graphql-js when it is invalid or exceeds a limit. */
  read(text: string): AdmittedDocument {
    const kept = this.#recall(text);
    if (kept) return kept;
    const document = parse(text, parseOptions);
    const [error] = validate(this.#options.schema, document, admissionRules, { maxErrors: 5 });
    if (error) throw error;
    const isKept = text.length <= maxLength && this.#isSeenAgain(text);
    const admitted = this.#admitted(document, isKept);
    if (isKept) this.#keep(text, admitted);
    return admitted;
  }

  /** How a sent operation is answered; undefined when it is refused, which Apollo answers. */
  answer(sent: SentOperation, actor: Actor): OperationAnswer | undefined {
    const kept = this.#recall(sent.query);
    if (!kept) return { execute: (context) => this.#executeNew(sent, context) };
    const [operation, variables] = ready(kept, sent) ?? [];
    if (!operation || !variables) return undefined;
    const plan = operation.plan(variables, actor);
    return { note: operation.note, plan, execute: (context) => operation.execute(variables, context) };
  }

  /** An operation of this program; throws when it is not valid. */
  prepare(text: string, leaves?: Leaves): Operation {
    const document = parse(text, parseOptions);
    const errors = validate(this.#options.schema, document, admissionRules);
    if (errors.length > 0) throw new Error(`${text}: ${errors.map((error) => error.message).join(" ")}`);
    return this.#admitted(document, true, leaves).operation(undefined) as Operation;
  }

  async #executeNew(sent: SentOperation, context: Context): Promise<ExecutedAnswer | undefined> {
    let admitted: AdmittedDocument;
    try {
      admitted = this.read(sent.query);
    } catch {
      return undefined;
    }
    const [operation, variables] = ready(admitted, sent) ?? [];
    if (!operation || !variables) return undefined;
    context.caller.note(operation.note);
    return operation.execute(variables, context);
  }

  #admitted(document: DocumentNode, isPlanned: boolean, leaves?: Leaves): AdmittedDocument {
    const { makePlans } = this.#options;
    return new AdmittedDocument(document, (operation) => {
      const mayBePlanned = isPlanned && operation.operation === OperationTypeNode.QUERY;
      const plansOf = (variables: DeclaredVariables) => makePlans({ document, operation, variables, leaves });
      return new Operation(this.#executor, document, operation, mayBePlanned ? plansOf : undefined);
    });
  }

  #recall(text: string): AdmittedDocument | undefined {
    const kept = this.#kept.get(text);
    if (!kept) return undefined;
    this.#kept.delete(text);
    this.#kept.set(text, kept);
    return kept;
  }

  #keep(text: string, admitted: AdmittedDocument): void {
    this.#kept.set(text, admitted);
    this.#characters += text.length + charactersOfDocument;
    for (const [oldest] of this.#kept) {
      if (this.#characters <= maxCharacters) break;
      this.#kept.delete(oldest);
      this.#characters -= oldest.length + charactersOfDocument;
    }
  }

  /** Whether a text was sent before; remembers it for the next time. */
  #isSeenAgain(text: string): boolean {
    const digest = hash("sha1", text, "base64");
    if (this.#seenOnce.delete(digest)) return true;
    this.#seenOnce.add(digest);
    const [oldest] = this.#seenOnce.size > maxSeenOnce ? this.#seenOnce : [];
    if (oldest !== undefined) this.#seenOnce.delete(oldest);
    return false;
  }
}

/** The selected operation with its coerced variables; undefined when it is refused before it runs. */
function ready(
  admitted: AdmittedDocument,
  { operationName, variables, mayWrite }: SentOperation,
): readonly [Operation, Variables] | undefined {
  const operation = admitted.operation(operationName);
  if (!operation || operation.kind === OperationTypeNode.SUBSCRIPTION) return undefined;
  if (operation.kind === OperationTypeNode.MUTATION && !mayWrite) return undefined;
  const coerced = operation.admit(variables);
  return coerced && [operation, coerced];
}
