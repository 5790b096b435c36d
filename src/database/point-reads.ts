/**
 * Short reads of a few rows by an index, any number of them concurrently: on pipelined connections, or on the pool while no pipelined one
 * is open. Values and cells are text.
 */
import type { Pool, PoolClient } from "pg";
import { noteHiddenFailure } from "../trace/hidden-failure.ts";
import type { StatementRunner } from "./pipeline.ts";
import type { Cells } from "./pipelined-statement.ts";

/** Runs short reads. Each text is prepared once on a connection, so there must be few texts. */
export interface Reads {
  query(text: string, values: Cells): Promise<readonly Cells[]>;
}

/**
 * Settings of all connections except those of lists and searches, which may read whole tables. Sequential scans are off, because
 * PostgreSQL's statistics of a table do not describe a single zone. When half of all records came from one import, PostgreSQL would read
 * the whole table to find the records of any change; without statistics, as right after an import, it would do so for every statement. JIT
 * is off, because a plan without sequential scans can look so expensive that PostgreSQL would compile it, which costs more than the
 * statement.
 */
export const noTableScans = "-c enable_seqscan=off -c jit=off";

/** Settings for reads of a few rows by an index. A bitmap scan would use the trigram index for a name. */
export const byIndexSettings = [
  `${noTableScans} -c enable_bitmapscan=off`,
  "-c enable_hashjoin=off -c enable_mergejoin=off",
].join(" ");

/** Settings for such reads alone: planned once, and in the order of the index, since a sort reads the whole zone. */
export const pointReadSettings = `-c plan_cache_mode=force_generic_plan -c enable_sort=off ${byIndexSettings}`;

/** Runs reads in a pipeline. A failed read runs again on the pool, which returns the statement's own error. */
export function pipelinedReads(pipeline: Pick<StatementRunner, "query">, pool: Pool): Reads {
  const { query } = readsOf(pool);
  return {
    query: async (text, values) => {
      try {
        const rows = await pipeline.query(text, values);
        if (rows) return rows;
      } catch (error) {
        noteHiddenFailure("pipelined_read", error);
      }
      return query(text, values);
    },
  };
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? `r${names.size}`;
  names.set(text, name);
  return name;
}

const asText = { getTypeParser: () => (cell: string) => cell };

export function readsOf(database: Pool | PoolClient): Reads {
  return {
    query: async (text, values) => {
      const statement = { name: nameOf(text), text, values: [...values], rowMode: "array", types: asText } as const;
      return (await (database as Pool).query<(string | null)[]>(statement as never)).rows as unknown as Cells[];
    },
  };
}
