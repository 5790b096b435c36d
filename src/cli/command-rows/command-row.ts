/**
 * A command as a row of a table: its words and options, the GraphQL operation that it runs, and what it prints.
 */
import type { Command } from "commander";
import { callGraphql, type Endpoint, type ListPage, pagesOf, RefusedError } from "../service/client.ts";
import { confirm, type Question } from "../terminal/confirmation.ts";
import { type Column, printList, printOne, type Row, valueAt } from "../terminal/print.ts";

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
  /** What its help says after the options. */
  readonly help?: string;
  /** Whether it does nothing without one of its options. */
  readonly needsOption?: boolean;
  /** Whether it changes a zone, so that its input takes a note. */
  readonly isChange?: true;
  /** What is asked before it runs, unless `--yes` is given; undefined where nothing needs to be asked. */
  readonly question?: (given: Given, endpoint: Endpoint) => Promise<Question | undefined>;
  /** The options that help where the service refuses, by the error code. */
  readonly advice?: Readonly<Record<string, string>>;
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
  const question = given.options.yes ? undefined : await row.question?.(given, endpoint);
  if (question) await confirm(question);
  const variables = withNote(row, given, (await row.variables?.(given, endpoint)) ?? {});
  const data = await readAll(row, variables, endpoint).catch((error) => Promise.reject(advised(row, error)));
  const [payload] = Object.values(data) as Row[];
  for (const { message } of (payload?.notices as readonly { readonly message: string }[] | undefined) ?? [])
    console.error(`warning: ${message}`);
  const { zoneHistory } = data as { readonly zoneHistory?: { readonly zone: string; readonly deletedAt?: string } };
  if (zoneHistory?.deletedAt)
    console.error(`warning: ${zoneHistory.zone} was deleted at ${zoneHistory.deletedAt}; this is what is kept of it.`);
  const result = valueAt(data, row.result);
  if (given.options.json) console.log(JSON.stringify(result, null, 2));
  else if (Array.isArray(result)) printList(result, row.columns);
  else if (row.text) console.log(row.text(result as Row, given));
  else printOne(result as Row, row.columns);
}

/** The variables of a row, with the note of a change. */
function withNote({ isChange }: CommandRow, { options: { note } }: Given, variables: Variables): Variables {
  if (!isChange || note === undefined) return variables;
  return { ...variables, input: { ...(variables.input as object), note } };
}

/** A refusal with what the command line offers against it; other errors unchanged. */
function advised({ advice = {} }: CommandRow, error: unknown): unknown {
  const options = error instanceof RefusedError ? advice[error.body.error] : undefined;
  if (!(error instanceof RefusedError) || options === undefined) return error;
  return new RefusedError(error.body, [`On the command line, write ${options}.`]);
}

/** The data of an operation; of a list, with the rows of all its pages. */
async function readAll({ document, result }: CommandRow, variables: Variables, endpoint: Endpoint): Promise<Row> {
  if (!document.includes("$after")) return callGraphql<Row>(endpoint, document, variables);
  let whole: ListPage<unknown> | undefined;
  for await (const page of pagesOf(endpoint, document, result.replace(/\.nodes$/, ""), variables)) {
    if (whole) whole.nodes.push(...page.nodes);
    else whole = page;
  }
  return whole?.data as Row;
}

/** The option of every command that changes a zone. */
export const noteOption = ["--note <text>", "why, for the journal"] as const;

/**
 * Adds a row to its group, which its first word names; one that has no group is added with all its words. What removes may be called `delete`
 * too.
 */
export function addCommand(
  group: Command,
  row: CommandRow,
  run: (given: Given) => Promise<void>,
  words = row.words.replace(/^\S+ /, ""),
): Command {
  const command = group.command(words).description(row.description);
  const alias = command.name() === "remove" ? "delete" : row.alias;
  if (alias !== undefined) command.alias(alias);
  for (const [flags, description] of row.options ?? []) command.option(flags, description);
  if (row.help !== undefined) command.addHelpText("after", `\n${row.help}`);
  if (row.isChange) command.option(...noteOption);
  if (row.question) command.option("--yes", "do not ask whether it is meant");
  command.action((...all: unknown[]) => {
    const args = all
      .slice(0, -2)
      .flat()
      .filter((each) => each !== undefined) as string[];
    const isGiven = (name: string) => name !== "note" && command.getOptionValueSource(name) === "cli";
    if (row.needsOption && !Object.keys(command.opts()).some(isGiven)) {
      const flags = (row.options ?? []).map(([each]) => each.replace(/ .*/, ""));
      command.error(`error: nothing to change is given; write ${flags.join(", ")}, or several of them`, {
        exitCode: 2,
      });
    }
    return run({ args, options: command.optsWithGlobals() });
  });
  return command;
}
