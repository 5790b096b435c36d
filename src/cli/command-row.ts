/**
 * A command as a row of a table: its words and options, the GraphQL operation that it runs, and what it prints.
 */
import type { Command } from "commander";
import { callGraphql, type Endpoint } from "./client.ts";
import { type Column, printList, printOne, type Row, valueAt } from "./print.ts";

/** What was written on the command line. */
export interface Given {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

type Variables = Readonly<Record<string, unknown>>;

export interface CommandRow {
  /** Such as `user add <email>`; the first is its group. */
  readonly words: string;
  readonly alias?: string;
  readonly description: string;
  readonly options?: readonly (readonly [flags: string, description: string])[];
  /** With a variable `$after`, a list that is read to its end. */
  readonly document: string;
  readonly variables?: (given: Given, endpoint: Endpoint) => Variables | Promise<Variables>;
  /** Where the row or the rows are in the data, such as `users.nodes`. */
  readonly result: string;
  readonly columns: readonly Column[];
  /** What is printed instead of the row. */
  readonly text?: (row: Row, given: Given) => string;
}

/** Runs the operation of a row and prints its result. */
export async function runRow(row: CommandRow, given: Given, endpoint: Endpoint): Promise<void> {
  const variables = (await row.variables?.(given, endpoint)) ?? {};
  const data = await readAll(row, variables, endpoint);
  const [payload] = Object.values(data) as Row[];
  for (const warning of (payload?.warnings as readonly string[] | undefined) ?? [])
    console.error(`warning: ${warning}`);
  const result = valueAt(data, row.result);
  if (given.options.json) console.log(JSON.stringify(result, null, 2));
  else if (Array.isArray(result)) printList(result, row.columns);
  else if (row.text) console.log(row.text(result as Row, given));
  else printOne(result as Row, row.columns);
}

/** The data of an operation; of a list, with the rows of all its pages. */
async function readAll({ document, result }: CommandRow, variables: Variables, endpoint: Endpoint): Promise<Row> {
  if (!document.includes("$after")) return callGraphql<Row>(endpoint, document, variables);
  const rows: unknown[] = [];
  for (let after: unknown = null; ; ) {
    const data = await callGraphql<Row>(endpoint, document, { ...variables, after });
    const nodes = valueAt(data, result) as unknown[];
    rows.push(...nodes);
    const { hasNextPage, endCursor } = valueAt(data, result.replace(/nodes$/, "pageInfo")) as Row;
    if (!hasNextPage) {
      nodes.splice(0, nodes.length, ...rows);
      return data;
    }
    after = endCursor;
  }
}

/** Adds a row to its group, which is made by the first. */
export function addCommand(group: Command, row: CommandRow, run: (given: Given) => Promise<void>): void {
  const command = group.command(row.words.replace(/^\S+ /, "")).description(row.description);
  if (row.alias !== undefined) command.alias(row.alias);
  for (const [flags, description] of row.options ?? []) command.option(flags, description);
  command.action((...all: unknown[]) => {
    const args = all.slice(0, -2).flat() as string[];
    return run({ args, options: command.optsWithGlobals() });
  });
}
