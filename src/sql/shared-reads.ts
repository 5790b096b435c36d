/**
 * Reads outside of transactions, on connections that all share: pipelined ones, on which statements do not wait for each other's answers.
 * Such a connection writes nothing, and soon ends a statement that takes long, since others wait behind it. What fails there runs again on
 * a connection of the pool, which has all the time that such a statement may take, and the error if it is one of the statement: a read
 * changes nothing, so it may run twice. What writes or locks, and what is planned for its values each time, runs there at once.
 */

import { isPlannedForValues, listStatement } from "../database/list-limit.ts";
import type { Pipeline } from "../database/pipeline.ts";
import type { Answer } from "../database/pipelined-statement.ts";
import { isCancelled } from "../database/sqlstate.ts";
import { noteHiddenFailure } from "../trace/hidden-failure.ts";
import { valueText } from "./slot.ts";
import { type Carrier, type Reads, runOwn } from "./sql.ts";

/** Returns how the cells of a type are read, by the type's number. */
export type ParserOf = (type: number) => (cell: string) => unknown;

/** The connections: for the statements of lists, which may read whole tables, and for all others. */
export interface ReadPipelines {
  readonly reads: Pipeline;
  readonly lists: Pipeline;
}

/** Words of statements that write or lock rows. */
const writing = /\b(insert|update|delete|merge|share|nextval)\b/i;

/** For how long a statement that took long runs elsewhere, ms, and how many are remembered. */
const slowMs = 60_000;
const mostSlow = 100;

export class SharedReads implements Reads {
  readonly #pipelines: ReadPipelines;
  readonly #parserOf: ParserOf;
  readonly #em: Carrier["em"];
  /** Statements that took long, with the end of the time for which they run elsewhere, on the clock of `performance`. */
  readonly #slow = new Map<string, number>();

  /** `em` runs statements on connections of the pool. */
  constructor(pipelines: ReadPipelines, parserOf: ParserOf, em: Carrier["em"]) {
    this.#pipelines = pipelines;
    this.#parserOf = parserOf;
    this.#em = em;
  }

  async run<Row>(text: string, parameters: readonly unknown[]): Promise<Row[]> {
    const { reads, lists } = this.#pipelines;
    if (!isPlannedForValues(text) && !writing.test(text) && !this.#isSlow(text)) {
      try {
        const answer = (text.startsWith(listStatement) ? lists : reads).run(text, parameters.map(valueText));
        if (answer) return rowsOf<Row>(await answer, this.#parserOf);
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

  /** Whether a statement took long a moment ago, and others are not to wait behind it. */
  #isSlow(text: string): boolean {
    const until = this.#slow.get(text);
    return until !== undefined && performance.now() < until;
  }
}

/** The rows of an answer, by the names of its columns. */
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
