/**
 * Streams the rows of one statement. PostgreSQL computes them once and keeps the rest in a cursor; pages by key would compute them again
 * for each page. The stream holds a connection, in a read-only transaction, until its reader ends.
 */
import { IsolationLevel } from "@mikro-orm/core";
import { type Carrier, type Sql, sql } from "./sql.ts";

const rowsPerBatch = 2000;

/** Streams the rows of a statement in batches; no batch is empty. */
export async function* rowStream<Row>(carrier: Carrier, query: Sql<Row>): AsyncGenerator<readonly Row[]> {
  const em = carrier.em.fork();
  await em.begin({ isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true });
  try {
    yield* rowsWithin({ em }, query);
  } finally {
    await em.rollback();
  }
}

/**
 * Streams the rows within the session's transaction, as they are when the reading begins, even if the transaction writes meanwhile. Only
 * one such stream at a time, read to its end.
 */
export async function* rowsWithin<Row>(carrier: Carrier, query: Sql<Row>): AsyncGenerator<readonly Row[]> {
  await sql`declare rows no scroll cursor for ${query}`.run(carrier);
  for (;;) {
    const rows = await sql<Row>`fetch forward ${sql.raw(String(rowsPerBatch))} from rows`.run(carrier);
    if (rows.length > 0) yield rows;
    if (rows.length < rowsPerBatch) break;
  }
  await sql`close rows`.run(carrier);
}
