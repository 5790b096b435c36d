/**
 * The parts of an answer's text: literal text, and functions that write the cells of a row. A part that PostgreSQL can
 * write too has an SQL expression.
 */
import type { Cells } from "../../database/pipelined-statement.ts";
import { type Given, giveUp } from "./plan-run.ts";

export interface WrittenPart {
  readonly write: (cells: Cells, given: Given) => string;
  /** The same text as an SQL expression; null where `write` would give up. */
  readonly sql?: string | undefined;
}

export type Part = string | WrittenPart;

/** Writes the parts of one row. */
export type WriteRow = (cells: Cells, given: Given) => string;

/** Makes the function that writes the parts in their order. */
export function writerOf(parts: readonly Part[]): WriteRow {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === "string" && typeof last === "string") joined[joined.length - 1] = last + part;
    else joined.push(part);
  }
  return (cells, given) => {
    let text = "";
    for (const part of joined) text += typeof part === "string" ? part : part.write(cells, given);
    return text;
  };
}

/** The parts as an SQL expression; undefined when PostgreSQL cannot write them all. */
export function sqlOf(parts: readonly Part[]): string | undefined {
  const texts = parts.map((part) => (typeof part === "string" ? `'${part.replaceAll("'", "''")}'` : part.sql));
  return texts.every((text) => text !== undefined) ? texts.join(" || ") : undefined;
}

/** The parts of an object with these entries. */
export function objectOf(entries: readonly (readonly [name: string, value: readonly Part[]])[]): Part[] {
  const parts = entries.flatMap(([name, value], at): Part[] => [
    `${at > 0 ? "," : "{"}${JSON.stringify(name)}:`,
    ...value,
  ]);
  return parts.length > 0 ? [...parts, "}"] : ["{}"];
}

/** The part of a cell; the plan gives up when the cell is null. */
export const cellPart = (at: number, write: (cell: string) => string, sql?: string): WrittenPart => ({
  write: (cells) => write(cells[at] ?? giveUp()),
  sql,
});

/** The part of a cell that may be null. */
export const nullablePart = (at: number, write: (cell: string) => string, sql?: string): WrittenPart => ({
  write: (cells) => {
    const cell = cells[at] ?? null;
    return cell === null ? "null" : write(cell);
  },
  sql: sql === undefined ? undefined : `coalesce(${sql}, 'null')`,
});
