/**
 * Command lines as an operator types them, and what they print.
 *
 * A transcript has a line of each command after `$ `, and then:
 *
 * - nothing: it succeeds
 * - `=> TEXT` behind it: it succeeds, and this is a line of what it prints
 * - `=> [1] TEXT` behind it: it ends with this exit code, this is in a line of standard error, and nothing is on standard output unless the
 *   command ends in `…`
 * - lines below it: all that it prints on standard output, then on standard error behind `2> `, and its exit code in brackets unless it is 0;
 *   only some lines of standard output where the command ends in `…`
 *
 * `…` stands for anything in a line, `<name>` for a word that is the same wherever it stands again, also in command lines, and two blanks
 * for a gap of any width.
 */
import { resolve } from "node:path";
import { expect } from "@jest/globals";
import { adminKey } from "../service/service.ts";
import { runToEnd } from "./process.ts";

type Environment = Readonly<Record<string, string>>;
type Words = Record<string, string | number>;
/** What a command ended with: its exit code, standard output, and standard error. */
type Ended = [code: number | null, stdout: string, stderr: string];

/** The words of a line; quotes hold together what they enclose, in which \n is a line feed. */
const wordsOf = (line: string) =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll("\\n", "\n") ?? (plain as string),
  );

export class CommandLine {
  readonly #environment: () => Environment;

  /** With the settings of all lines; nothing else of the environment is handed on. */
  constructor(environment: () => Environment = () => ({})) {
    this.#environment = environment;
  }

  /** Runs a line without its first word, `zonesmith`; `more` are settings in place of those of all. Lists have all the width that they need. */
  run(line: string, more: Environment = {}): Promise<Ended> {
    return runToEnd(wordsOf(line), { COLUMNS: "1000", ...this.#environment(), ...more });
  }

  /** What a line prints; throws when it fails. */
  async printed(line: string, more: Environment = {}): Promise<string> {
    const [code, stdout, stderr] = await this.run(line, more);
    if (code !== 0) throw new Error(`${line}: ${stderr}`);
    return stdout;
  }

  /** Runs the lines of a transcript and expects what it says of each; `known` are words by their names. Returns all of those. */
  async shows(transcript: string, known: Words = {}, more: Environment = {}): Promise<Words> {
    const words = { ...known };
    const [before = "", ...steps] = dedented(transcript).split(/^\$ /m);
    if (before.trim() !== "" || steps.length === 0) throw new Error(`no transcript: ${transcript}`);
    for (const step of steps) {
      const [line = "", ...below] = step.trimEnd().split("\n");
      const [, command = "", said] = /^(.*?)(?: +=> (.*))?$/.exec(line) ?? [];
      if (said !== undefined && below.length > 0) throw new Error(`=> and lines below: ${step}`);
      const typed = command.replace(/ …$/, "").replace(/<(\w+)>/g, (name, key) => `${words[key] ?? name}`);
      const [expected, actual] = compared(await this.run(typed, more), { command, said, below }, words);
      expect([`$ ${typed}`, ...actual]).toEqual([`$ ${typed}`, ...expected]);
    }
    return words;
  }
}

/** The settings of the administrator of a service of the test's. */
export const asAdministrator = ({ url }: { readonly url: string }) => ({
  ZONESMITH_URL: url,
  ZONESMITH_API_KEY: adminKey,
});

/** The command line of a service of the test's, as its administrator has it. */
export const commandLine = (service: { readonly url: string }) => new CommandLine(() => asAdministrator(service));

/** The environment of a shell of the administrator, with the command on its path. */
export const inShell = (service: { readonly url: string }) => ({
  PATH: `${resolve(import.meta.dirname, "../../../bin")}:${process.env.PATH}`,
  ...asAdministrator(service),
});

/** A text without the blanks that all of its lines begin with. */
function dedented(text: string): string {
  const [, indent = ""] = /^\n?( *)/.exec(text) ?? [];
  return text.replaceAll(`\n${indent}`, "\n");
}

/** A line of a transcript: the command, what is said behind it, and what is below. */
interface Step {
  readonly command: string;
  readonly said: string | undefined;
  readonly below: readonly string[];
}

/** The lines that a step expects, and those that came. */
function compared(ended: Ended, { command, said, below }: Step, words: Words): [string[], string[]] {
  const [code, stdout] = ended;
  const withGaps = (lines: readonly string[]) => [...lines.flatMap((line) => ["…", line]), "…"];
  const against = (expected: readonly string[], lines: readonly string[]): [string[], string[]] => [
    [...expected],
    inWordsOf(expected, lines, words),
  ];
  if (said === undefined && below.length > 0)
    return against(command.endsWith(" …") ? withGaps(below) : below, linesOf(ended));
  if (said === undefined) return [[], code === 0 ? [] : linesOf(ended)];
  const [, failure, text = ""] = /^(\[\d+\])(?: (.*))?$/.exec(said) ?? [];
  if (failure === undefined) return against(withGaps([said]), code === 0 ? linesOf([0, stdout, ""]) : linesOf(ended));
  const all = linesOf(ended);
  const line = all.find((each) => match(`2> …${text}…`, each, words));
  const isTrace = (each: string) => /^2> \s+at /.test(each);
  const strange = [...(command.endsWith(" …") ? [] : linesOf([0, stdout, ""])), ...all.filter(isTrace)];
  return against([`2> …${text}…`, failure], line ? [...strange, line, `[${code}]`] : all);
}

function linesOf([code, stdout, stderr]: Ended): string[] {
  const lines = (text: string) => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
  return [...lines(stdout), ...lines(stderr).map((line) => `2> ${line}`), ...(code === 0 ? [] : [`[${code}]`])].map(
    (line) => line.trimEnd(),
  );
}

/** The lines, each as it was expected where it matches that; words that had no value yet get theirs. */
function inWordsOf(expected: readonly string[], actual: readonly string[], words: Words): string[] {
  const shown: string[] = [];
  let at = 0;
  for (const [index, line] of expected.entries()) {
    if (line === "…") {
      shown.push(line);
      at += countOfLeftOut(expected[index + 1], actual.slice(at), words);
      continue;
    }
    const found = match(line, actual[at], words);
    Object.assign(words, found);
    if (found || at < actual.length) shown.push(found ? line : (actual[at] as string));
    at += 1;
  }
  return [...shown, ...actual.slice(at)];
}

/** How many lines there are before the next expected one, or to the end of standard output; none when the next one is missing. */
function countOfLeftOut(next: string | undefined, rest: readonly string[], words: Words): number {
  const isBehind = (line: string) => /^(2> |\[(\d+|null)\]$)/.test(line);
  const end = rest.findIndex(isBehind);
  const stdout = end < 0 ? rest : rest.slice(0, end);
  if (next === undefined || isBehind(next)) return stdout.length;
  return Math.max(
    stdout.findIndex((line) => match(next, line, words)),
    0,
  );
}

/** The words by which a line is the expected one; undefined when it is another. */
function match(expected: string, line: string | undefined, words: Words) {
  const named = new Set<string>();
  const pattern = escaped(expected)
    .replace(/ {2,}/g, " {2,}")
    .replaceAll("…", ".*")
    .replace(/<(\w+)>/g, (_, name) => {
      if (name in words) return escaped(`${words[name]}`);
      if (named.has(name)) return `\\k<${name}>`;
      named.add(name);
      return `(?<${name}>\\S+)`;
    });
  const found = line === undefined ? null : new RegExp(`^${pattern}$`).exec(line);
  return found && { ...found.groups };
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
