/**
 * Single statements: written once, with each row as one JSON text, the same on every connection. Outside of a transaction they run on a
 * pipelined connection if the session has one.
 */
import { EventType } from "@mikro-orm/core";
import { ownTransaction } from "../database/connection-supervisor.ts";
import { databaseFailureOf, lockTimeout, unknownOutcome } from "../database/sqlstate.ts";
import { noteHiddenFailure } from "../trace/hidden-failure.ts";
import type { SlottedStatement } from "./slot.ts";
import { type Carrier, runOwn } from "./sql.ts";

/**
 * Runs statements, each a transaction of its own, on pipelined connections, where they do not wait for each other's answers. Returns
 * undefined while no such connection is open. Values and results are text.
 */
export interface SingleStatements {
  read(text: string, values: readonly (string | null)[]): Promise<readonly SingleRow[]> | undefined;
  /** A statement that waits for a lock holds up those behind it; it soon ends with 55P03 and has written nothing. */
  write(text: string, values: readonly (string | null)[]): Promise<readonly SingleRow[]> | undefined;
}

type SingleRow = readonly (string | null)[];

export interface SingleCarrier extends Carrier {
  /** For statements outside of a transaction; without it, they run on `em`. */
  readonly singles?: SingleStatements | undefined;
}

export async function readOne<Row, Given>(
  carrier: SingleCarrier,
  { text, bind }: SlottedStatement<Given>,
  given: Given,
): Promise<Row | undefined> {
  const values = bind(given);
  const { em, singles } = carrier;
  if (singles && !em.isInTransaction()) {
    try {
      const rows = await singles.read(text, values);
      if (rows) return firstOf(rows.map(([row]) => row as string));
    } catch (error) {
      if (!databaseFailureOf(error)) throw error;
      noteHiddenFailure("pipelined_read", error);
    }
  }
  return firstOf(await ownRows(carrier, text, values));
}

/** Where a writing statement runs outside of a transaction: on a pipelined connection if one is open, or on one of the pool. */
export type Way = "pipeline" | "pool";

/**
 * Runs a statement that writes, in the session's transaction or as one of its own, which is committed when this returns. A statement that
 * returns no row has written nothing. In a pipeline a statement that waits for a lock soon fails and has written nothing
 * (`waitedForLock`); a slow one would hold up those behind it.
 */
export async function writeRows<Row, Given>(
  carrier: SingleCarrier,
  { text, bind }: SlottedStatement<Given>,
  given: Given,
  way: Way,
): Promise<Row[]> {
  const values = bind(given);
  const { em, singles } = carrier;
  if (em.isInTransaction()) return (await ownRows(carrier, text, values)).map(parsed<Row>);
  const own = ownTransactionOf(text);
  const pipelined = way === "pipeline" ? await singles?.write(own, values) : undefined;
  const rows = pipelined?.map(([row]) => row as string) ?? (await ownRows(carrier, own, values));
  if (rows.length > 0) await em.getEventManager().dispatchEvent(EventType.afterTransactionCommit, { em });
  return rows.map(parsed<Row>);
}

/** Whether a statement waited too long for a lock; it has written nothing. */
export const waitedForLock = (error: unknown): boolean =>
  databaseFailureOf(error)?.codes.includes(lockTimeout) ?? false;

/** Whether a failed statement may have been committed. */
export const mayBeCommitted = (error: unknown): boolean =>
  databaseFailureOf(error)?.codes.includes(unknownOutcome) ?? false;

async function ownRows(carrier: Carrier, text: string, values: readonly unknown[]): Promise<string[]> {
  return (await runOwn<{ row: string }>(carrier, text, values)).map(({ row }) => row);
}

const parsed = <Row>(row: string): Row => JSON.parse(row) as Row;

const firstOf = <Row>([row]: readonly string[]): Row | undefined => (row === undefined ? undefined : parsed(row));

const ownTexts = new Map<string, string>();

/** The text of a statement as a transaction of its own, cached; there are few. */
function ownTransactionOf(text: string): string {
  const own = ownTexts.get(text) ?? `${ownTransaction} ${text}`;
  ownTexts.set(text, own);
  return own;
}

export class StatementForms<Form, Given> {
  readonly #forms = new Map<string, SlottedStatement<Given>>();
  readonly #write: (form: Form) => SlottedStatement<Given>;

  constructor(write: (form: Form) => SlottedStatement<Given>) {
    this.#write = write;
  }

  of(key: string, form: Form): SlottedStatement<Given> {
    const statement = this.#forms.get(key) ?? this.#write(form);
    this.#forms.set(key, statement);
    return statement;
  }
}
