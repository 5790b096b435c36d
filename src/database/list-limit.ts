/**
 * What the statements of lists and searches have for themselves, since they read as many rows as their reader asks for: a time limit, which is
 * shorter than that of all other statements, so that no reader keeps a connection and a processor for long; and they may read a whole table,
 * as other statements may not (point-reads.ts). Such a statement begins with a comment.
 *
 * The connection is given both before the statement and its own settings after that: two short waits, which a list has only on the pool
 * (sql/shared-reads.ts). In a transaction it keeps what it has, since a rollback would take it back.
 */
import { type SupervisedClient, statementTimeoutMs } from "./connection-supervisor.ts";
import { isCancelled } from "./sqlstate.ts";

/** Begins the statement of a list. */
export const listStatement = "/* list */";

/** Whether the plan of a statement depends on its values: it searches for a text (sql/text-search.ts). */
export const isPlannedForValues = (text: string) => text.includes(" like ");

type Query = (...args: unknown[]) => unknown;

/** Returns a client's `query` with a limit for lists, ms; the error of one that took longer has `tookTooLong`. */
export function withListLimit(client: SupervisedClient, limitMs: number): Query {
  const send: Query = (...args) => Reflect.apply(Object.getPrototypeOf(client).query as Query, client, args);
  const set = (limit: number, scans: "on" | "off") =>
    send(`set statement_timeout = ${limit}; set enable_seqscan = ${scans}`) as Promise<unknown>;
  const limited = async (args: readonly unknown[]) => {
    await set(limitMs, "on");
    try {
      return await noted(() => send(...args), limitMs);
    } finally {
      // A connection that may not have the setting ends; whatever the statement came to counts.
      await set(statementTimeoutMs, "off").catch((error: Error) => client.lose(error));
    }
  };
  let isInTransaction = false;
  return (...args) => {
    const text = textOf(args[0]);
    if (/^(begin|start transaction)/.test(text)) isInTransaction = true;
    else if (text === "commit" || text === "rollback") isInTransaction = false;
    return isInTransaction || !text.startsWith(listStatement) ? send(...args) : limited(args);
  };
}

const textOf = (statement: unknown): string => {
  const text = typeof statement === "object" ? (statement as { readonly text?: unknown } | null)?.text : statement;
  return typeof text === "string" ? text : "";
};

/** The result of a statement; its error says whether the limit was why it was cancelled. */
async function noted(run: () => unknown, limitMs: number): Promise<unknown> {
  // Before it is sent, or a pause of this process would make the time that PostgreSQL took look shorter; both clocks round.
  const start = performance.now() - 2;
  try {
    return await run();
  } catch (error) {
    const isLimit = isCancelled(error) && performance.now() - start >= limitMs;
    throw isLimit ? Object.assign(error as Error, { tookTooLong: limitMs }) : error;
  }
}

/** The limit that an error says was passed, ms; undefined when it is about something else. */
export const passedLimit = (error: unknown): number | undefined =>
  (error as { readonly tookTooLong?: number } | null)?.tookTooLong;
