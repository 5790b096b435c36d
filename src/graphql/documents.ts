/**
 * The documents that clients send: parsed, validated and limited once, and kept by their texts, as many as have so many characters
 * together. A text is kept, and its operations are planned, when it is seen a second time, so that nothing stays of those that are sent
 * once. A document that is not valid is worded by Apollo.
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

/** How values of a type are written: as they are, or as texts. */
export type Leaves = Readonly<Record<string, "plain" | "quoted">>;

/** What plans are made of. */
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
  /** Whether it may be a mutation, which is not sent by GET. */
  readonly mayWrite: boolean;
}

/** How an operation that was sent is answered. */
export interface OperationAnswer {
  /** How it is logged and counted, where that is known before it is executed. */
  readonly note?: Operation["note"];
  readonly plan?: ReadyPlan | undefined;
  /** Executes it; undefined when Apollo has the answer, which is a refusal. */
  readonly execute: (context: Context) => Promise<ExecutedAnswer | undefined>;
}

/** The characters of all texts that are kept. The memory of each parsed document is counted as further characters. */
const maxCharacters = 300_000;
const charactersOfDocument = 300;

/** Of a text that is kept. */
const maxLength = 30_000;

/** Texts that are remembered to have been seen once. */
const maxSeenOnce = 10_000;

/** A document that was parsed, is valid and within the limits of form. */
export class AdmittedDocument {
  readonly document: DocumentNode;
  readonly #make: (operation: OperationDefinitionNode) => Operation;
  readonly #operations = new Map<OperationDefinitionNode, Operation>();

  constructor(document: DocumentNode, make: (operation: OperationDefinitionNode) => Operation) {
    this.document = document;
    this.#make = make;
  }

  /** The operation of this name; without a name, the only one; undefined when there is none. */
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
  /** By text, the one that was used longest ago first. */
  readonly #kept = new Map<string, AdmittedDocument>();
  #characters = 0;
  /** Digests of texts, the one that was seen longest ago first. */
  readonly #seenOnce = new Set<string>();

  constructor(options: DocumentsOptions) {
    this.#options = options;
    this.#executor = new Executor(options.schema, options.log);
  }

  /** The limit of rows of the schema. */
  get checkRows(): RowLimit {
    return this.#executor.checkRows;
  }

  /** The document of a text; throws an error of graphql-js when it is not valid or beyond a limit of form. */
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

  /** How an operation is answered; undefined when Apollo has the answer, which is a refusal. */
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

  /** Whether a text was seen before; notes that it is seen. */
  #isSeenAgain(text: string): boolean {
    const digest = hash("sha1", text, "base64");
    if (this.#seenOnce.delete(digest)) return true;
    this.#seenOnce.add(digest);
    const [oldest] = this.#seenOnce.size > maxSeenOnce ? this.#seenOnce : [];
    if (oldest !== undefined) this.#seenOnce.delete(oldest);
    return false;
  }
}

/** The operation that is meant, with its variables; undefined when it is refused before it runs. */
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
