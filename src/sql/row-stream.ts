/**
 * The rows of one statement in batches: PostgreSQL computes them once and keeps the rest in a cursor, where pages by key would compute
 * them again for each page. It holds a connection, in a read-only transaction, for as long as its reader takes.
 */
import { IsolationLevel } from "@mikro-orm/core";
import { type Carrier, type Sql, sql } from "./sql.ts";

/** The largest batch, rows. */
const rowsPerBatch = 2000;

/** Reads the rows of a statement in batches; no batch is empty. */
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
 * The same within the session's transaction, which may write meanwhile: the rows are those of when the reading began. One at a time, to
 * its end.
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
