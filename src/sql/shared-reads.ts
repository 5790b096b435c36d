/**
 * Reads outside of transactions, on shared pipelined connections, where statements do not wait for each other's answers. Such a
 * connection writes nothing and soon ends a slow statement, since others wait behind it. A statement that fails there runs again on a
 * connection of the pool, with the usual time limit; a read changes nothing, so it may run twice. Statements that write, lock, or are
 * planned for their values each time run on the pool at once.
 */

import { isPlannedForValues, listStatement } from "../database/list-limit.ts";
import type { StatementRunner } from "../database/pipeline.ts";
import type { Answer } from "../database/pipelined-statement.ts";
import { isCancelled } from "../database/sqlstate.ts";
import { noteHiddenFailure } from "../trace/hidden-failure.ts";
import { valueText } from "./slot.ts";
import { type Carrier, type Reads, runOwn } from "./sql.ts";

/** Returns the parser of the cells of a type, by the type's OID. */
export type ParserOf = (type: number) => (cell: string) => unknown;

/** The connections for statements of lists, which may read whole tables, and for all other reads. */
export interface ReadPipelines {
  readonly reads: Pick<StatementRunner, "run">;
  readonly lists: Pick<StatementRunner, "run">;
}

const writing = /\b(insert|update|delete|merge|share|nextval)\b/i;

/** For how long a slow statement runs on the pool, ms, and how many such statements are remembered. */
const slowMs = 60_000;
const mostSlow = 100;

export class SharedReads implements Reads {
  readonly #pipelines: ReadPipelines;
  readonly #parserOf: ParserOf;
  readonly #em: Carrier["em"];
  /** Slow statements, with the end of the time for which they run on the pool, by `performance.now()`. */
  readonly #slow = new Map<string, number>();

  constructor(pipelines: ReadPipelines, parserOf: ParserOf, em: Carrier["em"]) {
    this.#pipelines = pipelines;
    this.#parserOf = parserOf;
    this.#em = em;
  }

  async run<Row>(text: string, parameters: readonly unknown[]): Promise<Row[]> {
    const { reads, lists } = this.#pipelines;
    if (!isPlannedForValues(text) && !writing.test(text) && !this.#isSlow(text)) {
      try {
        const answer = await (text.startsWith(listStatement) ? lists : reads).run(text, parameters.map(valueText));
        if (answer) return rowsOf<Row>(answer, this.#parserOf);
      } catch (error) {
        if (isCancelled(error)) this.#noteSlow(text);
        else noteHiddenFailure("pipelined_read", error);
      }
    }
    return runOwn<Row>({ em: this.#em }, text, parameters);
  }

  #noteSlow(text: string): void {
    if (this.#slow.size >= mostSlow) this.#slow.clear();
    this.#slow.set(text, performance.now() + slowMs);
  }

  #isSlow(text: string): boolean {
    const until = this.#slow.get(text);
    return until !== undefined && performance.now() < until;
  }
}

function rowsOf<Row>({ rows, columns }: Answer, parserOf: ParserOf): Row[] {
  const readers = columns.map(({ name, dataTypeID }, at) => ({ name, at, parse: parserOf(dataTypeID) }));
  return rows.map((cells) => {
    const row: Record<string, unknown> = {};
    for (const { name, at, parse } of readers) {
      const cell = cells[at] as string | null;
      row[name] = cell === null ? null : parse(cell);
    }
    return row as Row;
  });
}
