/** Statements of lists and searches, with a time limit of their own (database/list-limit.ts). */

import { listStatement, passedLimit } from "../database/list-limit.ts";
import { Refusal } from "../errors.ts";
import { type Carrier, type Sql, sql } from "../sql/sql.ts";
import { inTurn } from "../turns/queues.ts";

/** Returns the rows of a list; throws QUERY_TOO_COMPLEX when PostgreSQL exceeds the time limit. */
export async function listRows<Row>(db: Carrier, query: Sql<Row>): Promise<readonly Row[]> {
  try {
    return await sql<Row>`${sql.raw(listStatement)} ${query}`.run(db);
  } catch (error) {
    const limitMs = passedLimit(error);
    throw limitMs === undefined ? error : tookTooLong(limitMs);
  }
}

/** Runs a search on the pool, after waiting for a turn of the kind `search`. */
export function inSearch<Result>(db: Carrier, run: (db: Carrier) => Promise<Result>): Promise<Result> {
  return inTurn("search", () => run({ em: db.em }));
}

function tookTooLong(limitMs: number): Refusal {
  const narrower = "name a zone or an owner, search for a longer text, ask for fewer rows, or leave the count out";
  return new Refusal(
    "QUERY_TOO_COMPLEX",
    `The database took longer than ${limitMs / 1000} s to find these rows; narrow what you ask for: ${narrower}.`,
    { details: { limit: limitMs / 1000 } },
  );
}
