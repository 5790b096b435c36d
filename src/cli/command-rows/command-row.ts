/** A command as a row of a table: its words, its options, and either a GraphQL operation or a function. */
import { type Command, Option } from "commander";
import {
  type Connection,
  callGraphql,
  type Endpoint,
  type ListPage,
  pageInfo,
  pagesOf,
  RefusedError,
} from "../service/client.ts";
import { confirm, type Question } from "../terminal/confirmation.ts";
import { type Column, printList, printNotices, printOne, type Row, valueAt } from "../terminal/print.ts";

export interface Terminal {
  readonly endpoint: Endpoint;
  readonly isColoured: boolean;
}

type OptionRow<Flags extends string> = readonly [
  flags: Flags,
  description: string,
  configure?: (option: Option) => Option,
];

type FirstWord<Text> = Text extends `${infer Word} ${string}` ? Word : Text;
type WithoutNo<Name> = Name extends `no-${infer Rest}` ? Rest : Name;
type Camel<Name> = Name extends `${infer Head}-${infer Rest}` ? `${Head}${Capitalize<Camel<Rest>>}` : Name;
type NameOf<Flags> = Flags extends `--${infer Words}` ? Camel<WithoutNo<FirstWord<Words>>> & string : never;
type TextOf<Flags> = Flags extends `${string}...>` ? readonly string[] : string;
type ValueOf<Flags> = Flags extends `${string}>` ? TextOf<Flags> : boolean;

/** The options as commander reads them: `--ttl-min <seconds>` is a text `ttlMin`, `--zones <zone...>` a list, `--no-tsig` a `tsig`. */
export type OptionsOf<Flags extends string> = { readonly [Each in Flags as NameOf<Each>]?: ValueOf<Each> };

export interface Given<Flags extends string = string> {
  readonly args: readonly string[];
  readonly options: OptionsOf<Flags> & OptionsOf<"--json" | "--yes" | "--note <text>">;
  /** Ends the command with the exit code of usage. */
  readonly refuse: (message: string) => never;
}

interface Words<Flags extends string> {
  /** Such as `user add <email>`, where `user` is the group. */
  readonly words: string;
  readonly alias?: string;
  readonly description: string;
  readonly options?: readonly OptionRow<Flags>[];
  readonly help?: string;
  readonly needsOption?: boolean;
}

/** A row that runs an operation. Variables that are undefined are not sent. */
export interface OperationRow<Flags extends string = string> extends Words<Flags> {
  /** The GraphQL document. If it has a variable `$after`, it is a list, and all its pages are read. */
  readonly document: string;
  variables?(given: Given<Flags>, endpoint: Endpoint): object | Promise<object>;
  /** The path of the row or the rows in the data, such as `users.nodes`. */
  readonly result: string;
  readonly columns?: readonly Column[];
  /** What is printed instead of columns. */
  text?(row: Row, given: Given<Flags>): string;
  /** Whether it changes a zone, so that its input takes a note. */
  readonly isChange?: true;
  /** Makes the question that is asked before the command runs without `--yes`; returns undefined when there is nothing to ask. */
  question?(given: Given<Flags>, endpoint: Endpoint): Promise<Question | undefined>;
  /** The options that help against a refusal, by its error code. */
  readonly advice?: Readonly<Record<string, string>>;
}

interface FunctionRow<Flags extends string = string> extends Words<Flags> {
  run(given: Given<Flags>, terminal: Terminal): Promise<void> | void;
}

export type CommandRow = OperationRow | FunctionRow;

/** Returns the row unchanged. Only the types matter: the functions of the row see exactly the options that the row declares. */
export const operation = <const Flags extends string>(row: OperationRow<Flags>): OperationRow => row;
export const command = <const Flags extends string>(row: FunctionRow<Flags>): CommandRow => row;

export const noteOption = ["--note <text>", "why, for the journal"] as const;
export const yesOption = ["--yes", "do not ask whether it is meant"] as const;
export const dryRunOption = ["--dry-run", "show what would change, and change nothing"] as const;
export const draftOption = ["--draft", "leave it as a change set, to be reviewed or applied later"] as const;

/** The operation of a list at the root of the schema, read in pages of `first` rows. */
export function list(name: string, fields: string, first: number, filter?: string) {
  const [declared, passed] = filter === undefined ? ["", ""] : [`, $filter: ${filter}`, ", filter: $filter"];
  return {
    document: `query ($after: String${declared}) { ${name}(first: ${first}, after: $after${passed}) {
      nodes { ${fields} } ${pageInfo} } }`,
    result: `${name}.nodes`,
  };
}

/**
 * The document and the result path of a mutation. `selection` selects from its payload; `part` names the payload field to print (the whole
 * payload without it).
 */
export function mutation(name: string, selection: string, part?: string) {
  const input = sharedInputs[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  return {
    document: `mutation ($input: ${input}!) { ${name}(input: $input) { ${selection} } }`,
    result: part === undefined ? name : `${name}.${part}`,
  };
}

/** Input types that several mutations share, by mutation. Any other mutation has an input named after it. */
const sharedInputs: Readonly<Record<string, string>> = {
  submitChangeSet: "ChangeSetStepInput",
  withdrawChangeSet: "ChangeSetStepInput",
  unscheduleChangeSet: "ChangeSetStepInput",
  cancelChangeSet: "ChangeSetStepInput",
  deleteWebhook: "WebhookInput",
  testWebhook: "WebhookInput",
};

export async function runRow(row: OperationRow, given: Given, endpoint: Endpoint): Promise<void> {
  const { json, yes, note } = given.options;
  const question = yes ? undefined : await row.question?.(given, endpoint);
  if (question) await confirm(question);
  const variables = ((await row.variables?.(given, endpoint)) ?? {}) as Row;
  const noted = row.isChange ? { ...variables, input: { note, ...(variables.input as object) } } : variables;
  const data = await readAll(row, noted, endpoint).catch((error) => Promise.reject(advised(row, error)));
  printNotices(Object.values(data)[0] as Row);
  const { zoneHistory } = data as { readonly zoneHistory?: { readonly zone: string; readonly deletedAt?: string } };
  if (zoneHistory?.deletedAt)
    console.error(`warning: ${zoneHistory.zone} was deleted at ${zoneHistory.deletedAt}; this is what is kept of it.`);
  const result = valueAt(data, row.result);
  if (json) console.log(JSON.stringify(result, null, 2));
  else if (Array.isArray(result)) printList(result, row.columns ?? []);
  else if (row.text) console.log(row.text(result as Row, given));
  else printOne(result as Row, row.columns ?? []);
}

/** A refusal with what the command line offers against it; other errors unchanged. */
function advised({ advice = {} }: OperationRow, error: unknown): unknown {
  const options = error instanceof RefusedError ? advice[error.body.error] : undefined;
  if (!(error instanceof RefusedError) || options === undefined) return error;
  return new RefusedError(error.body, [`On the command line, write ${options}.`]);
}

/** The data of an operation, with the rows of all pages of a list. */
async function readAll({ document, result }: OperationRow, variables: Row, endpoint: Endpoint): Promise<Row> {
  if (!document.includes("$after")) return callGraphql(endpoint, document, variables);
  const listIn = (data: Row) => valueAt(data, result.replace(/\.nodes$/, "")) as Connection<Row>;
  let whole: ListPage<Row, Row> | undefined;
  for await (const page of pagesOf(endpoint, document, listIn, variables)) {
    if (whole) whole.nodes.push(...page.nodes);
    else whole = page;
  }
  return whole?.data as Row;
}

/** Adds a row to the group of its first word, or to the program. `remove` has the alias `delete`. */
export function addCommand(program: Command, row: CommandRow, terminal: Terminal): void {
  const [, groupName, words = row.words] = /^(\S+) ([a-z].*)$/.exec(row.words) ?? [];
  const group = program.commands.find((each) => each.name() === groupName) ?? program;
  const added = group.command(words).description(row.description);
  const alias = added.name() === "remove" ? "delete" : row.alias;
  if (alias !== undefined) added.alias(alias);
  for (const [flags, description, configure] of optionsOf(row)) {
    const option = new Option(flags, description);
    added.addOption(configure?.(option) ?? option);
  }
  if (row.help !== undefined) added.addHelpText("after", `\n${row.help}`);
  const refuse = (message: string) => added.error(`error: ${message}`, { exitCode: 2 });
  added.action((...all: unknown[]) => {
    const args = all
      .slice(0, -2)
      .flat()
      .filter((each) => each !== undefined) as string[];
    const isGiven = (name: string) => name !== "note" && added.getOptionValueSource(name) === "cli";
    if (row.needsOption && !Object.keys(added.opts()).some(isGiven)) {
      const flags = (row.options ?? []).map(([each]) => each.replace(/ .*/, ""));
      refuse(`nothing to change is given; write ${flags.join(", ")}, or several of them`);
    }
    const line: Given = { args, options: added.optsWithGlobals(), refuse };
    return "run" in row ? row.run(line, terminal) : runRow(row, line, terminal.endpoint);
  });
}

/** The options of a row, plus `--note` if it changes a zone and `--yes` if it asks a question. */
function optionsOf(row: CommandRow): readonly OptionRow<string>[] {
  const { options = [] } = row;
  if ("run" in row) return options;
  return [...options, ...(row.isChange ? [noteOption] : []), ...(row.question ? [yesOption] : [])];
}
