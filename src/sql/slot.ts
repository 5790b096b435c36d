/** Statements that are written once and run with other values each time: a slot takes the place of a value in the template. */
import { type Sql, textOf } from "./sql.ts";
import { arrayLiteral } from "./text-array.ts";

/** The place of a value, which `read` returns when the statement runs. */
class Slot<Given> {
  readonly read: (given: Given) => unknown;

  constructor(read: (given: Given) => unknown) {
    this.read = read;
  }
}

/** A slot, typed as its value; only a template may use it. */
export function slot<Value, Given>(read: (given: Given) => Value): Value {
  return new Slot(read) as unknown as Value;
}

export interface SlottedStatement<Given> {
  readonly text: string;
  /** Returns the values as text for PostgreSQL; throws what a slot throws. */
  readonly bind: (given: Given) => (string | null)[];
}

export function slottedStatement<Given>(query: Sql): SlottedStatement<Given> {
  const { parameters } = query;
  const reads = parameters.map((parameter) =>
    parameter instanceof Slot ? (parameter as Slot<Given>).read : () => parameter,
  );
  return { text: textOf(query), bind: (given) => reads.map((read) => valueText(read(given))) };
}

export function valueText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return arrayLiteral(value.map(valueText));
  if (value instanceof Date) return value.toISOString();
  return Buffer.isBuffer(value) ? `\\x${value.toString("hex")}` : JSON.stringify(value);
}
