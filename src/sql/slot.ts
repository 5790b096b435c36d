/**
 * Statements whose values are known later: a slot is written into a template where a value would be, and the text of the statement is
 * made once.
 */
import { type Sql, textOf } from "./sql.ts";
import { arrayLiteral } from "./text-array.ts";

/** A value that `read` returns when the statement runs. */
class Slot<Given> {
  readonly read: (given: Given) => unknown;

  constructor(read: (given: Given) => unknown) {
    this.read = read;
  }
}

/** A slot, of the type of its value: only a template takes it. */
export function slot<Value, Given>(read: (given: Given) => Value): Value {
  return new Slot(read) as unknown as Value;
}

/** A statement with slots: its text, and its values as PostgreSQL reads them. */
export interface SlottedStatement<Given> {
  readonly text: string;
  /** Throws what a slot throws. */
  readonly bind: (given: Given) => (string | null)[];
}

/** Writes a statement. */
export function slottedStatement<Given>(query: Sql): SlottedStatement<Given> {
  const { parameters } = query;
  const reads = parameters.map((parameter) =>
    parameter instanceof Slot ? (parameter as Slot<Given>).read : () => parameter,
  );
  return { text: textOf(query), bind: (given) => reads.map((read) => valueText(read(given))) };
}

/** A value as text that PostgreSQL reads; an object is JSON. */
export function valueText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return arrayLiteral(value.map(valueText));
  if (value instanceof Date) return value.toISOString();
  return Buffer.isBuffer(value) ? `\\x${value.toString("hex")}` : JSON.stringify(value);
}
