/**
 * The question before a command whose effect cannot be undone: answered on a terminal, or by `--yes`.
 */
import { createInterface, type Interface } from "node:readline";
import { print, printNotices } from "./print.ts";

/** What is asked: the consequence as a sentence, what to type, and what that is called. */
export interface Question {
  readonly consequence: string;
  readonly expected: string;
  readonly called: string;
}

interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/** Returns when the answer is the expected one; throws a sentence for another answer, and where nobody can be asked. */
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

/** The options that decide whether a command does what it has shown. */
export interface Decision {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** What a command does after it has shown it. */
interface Act<Result extends object> {
  /** The result of a dry run, and its sentence. */
  readonly planned: object;
  readonly wouldDo?: string;
  readonly consequence: string;
  readonly run: () => Promise<Result>;
  readonly sentenceOf: (result: Result) => string;
}

/** Ends a dry run; otherwise asks whether what was shown is meant, does it, and prints its notices and its result. */
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
