/**
 * Settings for the statements of lists and searches, which begin with a comment. They have a shorter time limit than other statements, so
 * that no reader holds a connection and a processor for long. And they may read a whole table, as other statements may not
 * (point-reads.ts).
 *
 * The settings are changed before the statement and restored after it, two short round trips, on connections of the pool only
 * (sql/shared-reads.ts has connections of its own for lists). In a transaction the settings stay, since a rollback would undo the change.
 */
import { type SupervisedClient, statementTimeoutMs } from "./connection-supervisor.ts";
import { isCancelled } from "./sqlstate.ts";

export const listStatement = "/* list */";

/** Whether the plan of a statement depends on its values: it searches for a text (lists/text-search.ts) or a range. */
export const isPlannedForValues = (text: string) => / (like|between) /.test(text);

type Query = (...args: unknown[]) => unknown;

/** Returns a client's `query` with a time limit for lists, ms; the error of a list that exceeds it has `tookTooLong`. */
export function withListLimit(client: SupervisedClient, limitMs: number): Query {
  const send: Query = (...args) => Reflect.apply(Object.getPrototypeOf(client).query as Query, client, args);
  const set = (limit: number, scans: "on" | "off") =>
    send(`set statement_timeout = ${limit}; set enable_seqscan = ${scans}`) as Promise<unknown>;
  const limited = async (args: readonly unknown[]) => {
    await set(limitMs, "on");
    try {
      return await noted(() => send(...args), limitMs);
    } finally {
      // When the settings cannot be restored, the connection is ended, since it may still have those of lists. The result of the statement
      // itself is returned all the same.
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

async function noted(run: () => unknown, limitMs: number): Promise<unknown> {
  // The time is measured from before the statement is sent, minus 2 ms for the rounding of both clocks. Otherwise a pause of this process
  // could make PostgreSQL's time look shorter than it was.
  const start = performance.now() - 2;
  try {
    return await run();
  } catch (error) {
    const isLimit = isCancelled(error) && performance.now() - start >= limitMs;
    throw isLimit ? Object.assign(error as Error, { tookTooLong: limitMs }) : error;
  }
}

/** The exceeded limit of an error, ms; undefined for any other error. */
export const passedLimit = (error: unknown): number | undefined =>
  (error as { readonly tookTooLong?: number } | null)?.tookTooLong;
