/**
 * The question before a command whose effect cannot be undone: answered on a terminal, or by `--yes`.
 */
import { createInterface, type Interface } from "node:readline";

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

/** Returns when the answer is what is expected; throws a sentence for another answer, and where nobody can be asked. */
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
