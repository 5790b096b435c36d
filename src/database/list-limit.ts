/**
 * A time limit of their own for the statements of lists and searches, which read as many rows as their reader asks for: it is shorter than
 * that of all other statements, so that no reader keeps a connection and a processor for long. Such a statement begins with a comment.
 *
 * The connection is given the limit before the statement, and its own one after that, when the answer is on its way already. In a
 * transaction it keeps what it has, since a rollback would take it back.
 */
import { type SupervisedClient, statementTimeoutMs } from "./connection-supervisor.ts";

/** Begins the statement of a list. */
export const listStatement = "/* list */";

/** PostgreSQL's code for a statement that was cancelled. */
const cancelled = "57014";

type Query = (...args: unknown[]) => unknown;

/** Returns a client's `query` with a limit for lists, ms; the error of one that took longer has `tookTooLong`. */
export function withListLimit(client: SupervisedClient, limitMs: number): Query {
  const send: Query = (...args) => Reflect.apply(Object.getPrototypeOf(client).query as Query, client, args);
  /** Sends a setting; a connection that may not have it ends. */
  const set = (limit: number) => {
    const done = send(`set statement_timeout = ${limit}`) as Promise<unknown>;
    done.catch((error: Error) => client.lose(error));
  };
  let isInTransaction = false;
  return (...args) => {
    const text = textOf(args[0]);
    if (/^(begin|start transaction)/.test(text)) isInTransaction = true;
    else if (text === "commit" || text === "rollback") isInTransaction = false;
    if (isInTransaction || !text.startsWith(listStatement)) return send(...args);
    set(limitMs);
    const result = noted(send(...args) as Promise<unknown>, limitMs);
    set(statementTimeoutMs);
    return result;
  };
}

const textOf = (statement: unknown): string => {
  const text = typeof statement === "object" ? (statement as { readonly text?: unknown } | null)?.text : statement;
  return typeof text === "string" ? text : "";
};

/** A result whose error says whether the limit was why it was cancelled. */
async function noted(result: Promise<unknown>, limitMs: number): Promise<unknown> {
  const start = performance.now();
  try {
    return await result;
  } catch (error) {
    const isLimit = (error as { readonly code?: unknown }).code === cancelled && performance.now() - start >= limitMs;
    throw isLimit ? Object.assign(error as Error, { tookTooLong: limitMs }) : error;
  }
}

/** The limit that an error says was passed, ms; undefined when it is another one. */
export const passedLimit = (error: unknown): number | undefined =>
  (error as { readonly tookTooLong?: number } | null)?.tookTooLong;
