/** The question before a command that cannot be undone, answered on a terminal or by `--yes`. */
import { createInterface, type Interface } from "node:readline";
import { print, printNotices } from "./print.ts";

/** A question: the consequence as a sentence, the expected answer, and what that is called. */
export interface Question {
  readonly consequence: string;
  readonly expected: string;
  readonly called: string;
}

interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/** Throws a sentence for any other answer than the expected one, and without a terminal. */
export async function confirm(
  { consequence, expected, called }: Question,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (!input.isTTY) throw new Error(`${consequence} Write --yes if it is meant.`);
  const reader = createInterface({ input, output, prompt: `${consequence}\nType ${called} if it is meant: ` });
  reader.prompt();
  const answer = await firstLine(reader);
  if (canonical(answer) !== canonical(expected)) throw new Error(`That is not ${called}; nothing was changed.`);
}

const canonical = (text: string) => text.trim().toLowerCase().replace(/\.$/, "");

/** The first line, which ends the reading; empty where the input ends without one. */
async function firstLine(reader: Interface): Promise<string> {
  for await (const line of reader) return line;
  return "";
}

export interface Decision {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

interface Act<Result extends object> {
  /** What a dry run prints: the result `planned` (as JSON), or the sentence `wouldDo`. */
  readonly planned: object;
  readonly wouldDo?: string;
  readonly consequence: string;
  readonly run: () => Promise<Result>;
  readonly sentenceOf: (result: Result) => string;
}

/** Prints the plan of a dry run; otherwise asks unless `--yes` is given, runs, and prints the notices and the result. */
export async function carryOut<Result extends object>(
  { dryRun = false, yes = false, json = false }: Decision,
  { planned, wouldDo = "Nothing was changed.", consequence, run, sentenceOf }: Act<Result>,
): Promise<void> {
  if (dryRun) return print(json, planned, wouldDo);
  if (!yes) await confirm({ consequence, expected: "yes", called: "yes" });
  const result = await run();
  printNotices(result);
  print(json, result, sentenceOf(result));
}
