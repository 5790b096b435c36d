/**
 * Short reads of a few rows by an index, as many at a time as come: on pipelined connections, where they do not wait for each
 * other, and on connections of a pool while there are none. Values and cells are text.
 */
import type { Pool, PoolClient } from "pg";
import { noteHiddenFailure } from "../trace/hidden-failure.ts";
import type { Pipeline } from "./pipeline.ts";
import type { Cells } from "./pipelined-statement.ts";

/** Where short reads run. A text is prepared once for a connection, so there are few of them. */
export interface Reads {
  query(text: string, values: Cells): Promise<readonly Cells[]>;
}

/**
 * The settings of all connections; those of lists and searches may read whole tables. What PostgreSQL knows of the tables says nothing about
 * the zone in question: where half of all records began with one import, or one that is gone, it would read the whole table for the records of
 * any change, once for each row of a set; where it knows nothing, as after an import, it would read every record there is. A plan that has to
 * do without this would seem so dear that it is compiled, which costs more than the statement.
 */
export const noTableScans = "-c enable_seqscan=off -c jit=off";

/**
 * Settings of connections whose statements read no more than a few rows: not even by the trigram index of searches, which it would take for a
 * name.
 */
export const byIndexSettings = [
  `${noTableScans} -c enable_bitmapscan=off`,
  "-c enable_hashjoin=off -c enable_mergejoin=off",
].join(" ");

/** For such reads, and nothing else: planned once, for any values, and read in the order of the index, where a zone would be sorted. */
export const pointReadSettings = `-c plan_cache_mode=force_generic_plan -c enable_sort=off ${byIndexSettings}`;

/** Reads in a pipeline; what fails there is read again from the pool, which has the error if it is one of the statement. */
export function pipelinedReads(pipeline: Pipeline, pool: Pool): Reads {
  const { query } = readsOf(pool);
  return {
    query: async (text, values) => {
      try {
        const rows = pipeline.query(text, values);
        if (rows) return await rows;
      } catch (error) {
        // A read changes nothing, so it may run twice.
        noteHiddenFailure("pipelined_read", error);
      }
      return query(text, values);
    },
  };
}

/** By their texts; all connections know a statement by the same name. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? `r${names.size}`;
  names.set(text, name);
  return name;
}

const asText = { getTypeParser: () => (cell: string) => cell };

/** Reads on a pool, or on one connection of it. */
export function readsOf(database: Pool | PoolClient): Reads {
  return {
    query: async (text, values) => {
      const statement = { name: nameOf(text), text, values: [...values], rowMode: "array", types: asText } as const;
      return (await (database as Pool).query<(string | null)[]>(statement as never)).rows as unknown as Cells[];
    },
  };
}
