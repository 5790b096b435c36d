/**
 * Statements that are written once and have one row at most, which is one text in JSON: the same whichever connection they take. Outside
 * of a transaction that is a pipelined one, where the session has such.
 */
import { EventType } from "@mikro-orm/core";
import { CompiledQuery } from "kysely";
import { ownTransaction } from "../database/connection-supervisor.ts";
import { databaseFailureOf } from "../database/sqlstate.ts";
import { connection, type Session } from "../session/session.ts";
import type { SlottedStatement } from "./slot.ts";

/** Reads the row; undefined when there is none. */
export async function readOne<Row, Given>(
  session: Session,
  { text, bind }: SlottedStatement<Given>,
  given: Given,
): Promise<Row | undefined> {
  const values = bind(given);
  if (session.singles && !session.em.isInTransaction()) {
    try {
      const rows = await session.singles.read(text, values);
      if (rows) return parsed(rows[0]?.[0]);
    } catch (error) {
      // It has changed nothing, so that it can be read again.
      if (!databaseFailureOf(error)) throw error;
    }
  }
  return parsed(await byKysely(session, text, values));
}

/**
 * Runs a statement that writes, in the session's transaction or as one of its own, which is then committed when this returns. A statement
 * that returns no row has written nothing. `isLong`: it would hold up those behind it.
 */
export async function writeOne<Row, Given>(
  session: Session,
  { text, bind }: SlottedStatement<Given>,
  given: Given,
  isLong: boolean,
): Promise<Row | undefined> {
  const values = bind(given);
  const { em } = session;
  if (em.isInTransaction()) return parsed(await byKysely(session, text, values));
  const own = ownTransactionOf(text);
  const rows = isLong ? undefined : await pipelined(session, own, values);
  const row = rows ? rows[0]?.[0] : await byKysely(session, own, values);
  if (row !== undefined) await em.getEventManager().dispatchEvent(EventType.afterTransactionCommit, { em });
  return parsed(row);
}

/** The SQLSTATE of a statement that waited too long for a lock. */
const lockTimedOut = "55P03";

/** Undefined when it has not run, or waited for a lock and has written nothing. */
async function pipelined({ singles }: Session, text: string, values: readonly (string | null)[]) {
  try {
    return await singles?.write(text, values);
  } catch (error) {
    if (!databaseFailureOf(error)?.codes.includes(lockTimedOut)) throw error;
    return undefined;
  }
}

async function byKysely(session: Session, text: string, values: readonly unknown[]): Promise<string | undefined> {
  const { rows } = await connection(session).executeQuery<{ row: string }>(CompiledQuery.raw(text, [...values]));
  return rows[0]?.row;
}

function parsed<Row>(row: string | null | undefined): Row | undefined {
  return row === undefined || row === null ? undefined : (JSON.parse(row) as Row);
}

const ownTexts = new Map<string, string>();

/** The text of a statement that is a transaction of its own; there are few. */
function ownTransactionOf(text: string): string {
  const own = ownTexts.get(text) ?? `${ownTransaction} ${text}`;
  ownTexts.set(text, own);
  return own;
}

/** Statements by the form that they have, each written when it is first needed. */
export class StatementForms<Form, Given> {
  readonly #forms = new Map<string, SlottedStatement<Given>>();
  readonly #write: (form: Form) => SlottedStatement<Given>;

  constructor(write: (form: Form) => SlottedStatement<Given>) {
    this.#write = write;
  }

  /** The statement of a form, whose key says all of it. */
  of(key: string, form: Form): SlottedStatement<Given> {
    const statement = this.#forms.get(key) ?? this.#write(form);
    this.#forms.set(key, statement);
    return statement;
  }
}
