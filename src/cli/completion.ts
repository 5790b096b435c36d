/**
 * Completion of the command line: `completion` prints the script of a shell, which runs `complete` with the words so far. That lists
 * commands and options, and names of zones, secondaries and templates, which it reads from the service.
 */
import { Argument, type Command, type Option } from "commander";
import type { Terminal } from "./command-rows/command-row.ts";
import { callGraphql } from "./service/client.ts";
import { type Row, valueAt } from "./terminal/print.ts";
import { clients } from "./tsig.ts";

/** The scripts; each asks `complete`, whose lines are a word, a tab and a description, or `:files`. */
const scripts = {
  bash: `# zonesmith completion bash > /etc/bash_completion.d/zonesmith, or: source <(zonesmith completion bash)
_zonesmith() {
  local lines line
  mapfile -t lines < <("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=()
  if [ "\${lines[0]}" = ":files" ]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
    return
  fi
  for line in "\${lines[@]}"; do COMPREPLY+=("\${line%%$'\\t'*}"); done
}
complete -F _zonesmith zonesmith
`,
  zsh: `#compdef zonesmith
# zonesmith completion zsh > a folder of $fpath/_zonesmith, or after compinit: source <(zonesmith completion zsh)
_zonesmith() {
  local line
  local -a lines described
  lines=("\${(@f)$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "\${lines[1]}" == ":files" ]]; then
    _files
    return
  fi
  for line in "\${lines[@]}"; do
    [[ -n "$line" ]] && described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  (( \${#described} )) && _describe zonesmith described
}
if [[ "\${funcstack[1]}" == "_zonesmith" ]]; then _zonesmith "$@"; else compdef _zonesmith zonesmith; fi
`,
  fish: `# zonesmith completion fish > ~/.config/fish/completions/zonesmith.fish
function __zonesmith_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l lines ($words[1] complete -- $words[2..-1] "$current" 2>/dev/null)
  if test "$lines[1]" = ":files"
    __fish_complete_path "$current"
  else
    printf '%s\\n' $lines
  end
end
complete -c zonesmith -f -a '(__zonesmith_complete)'
`,
} as const;

type Shell = keyof typeof scripts;

type Candidate = readonly [word: string, description: string];

export type Candidates = readonly Candidate[] | "files";

/** Lists of names of the service, by the name of an argument or option. */
export const nameLists = {
  zone: {
    document: "query ($part: String) { domains(first: 100, filter: { zoneContains: $part }) { nodes { name: zone } } }",
    at: "domains.nodes",
  },
  secondary: { document: "{ secondaries(first: 100) { nodes { name } } }", at: "secondaries.nodes" },
  template: { document: "{ templates(first: 100) { nodes { name } } }", at: "templates.nodes" },
} as const;

/** The longest wait for the service, ms. */
const patienceMs = 2000;

export function completionCommands(program: Command, terminal: Terminal): void {
  program
    .command("completion")
    .description("print the completion script of a shell")
    .addArgument(new Argument("<shell>").choices(Object.keys(scripts)))
    .action((shell: Shell) => void process.stdout.write(scripts[shell]));
  program
    .command("complete", { hidden: true })
    .argument("[words...]")
    .action(async (words: readonly string[]) => {
      const following = await candidates(program, words, (list, part) => namesAt(terminal, list, part));
      if (following === "files") console.log(":files");
      else for (const [word, description] of following) console.log(`${word}\t${description}`);
      process.exit(0);
    });
}

/** Reads names from the service; returns an empty list when the service does not answer in time, or without a key. */
async function namesAt(terminal: Terminal, list: keyof typeof nameLists, part: string): Promise<readonly string[]> {
  const { document, at } = nameLists[list];
  const none = new Promise<Row>((resolve) => setTimeout(() => resolve({}), patienceMs).unref());
  try {
    const variables = list === "zone" && part !== "" ? { part } : {};
    const data = await Promise.race([callGraphql<string>(terminal.endpoint, document, variables), none]);
    return ((valueAt(data, at) as readonly { readonly name: string }[] | undefined) ?? []).map(({ name }) => name);
  } catch {
    return [];
  }
}

type ReadNames = (list: keyof typeof nameLists, part: string) => Promise<readonly string[]>;

/** The candidates for the last of the words, which may be empty. */
export async function candidates(
  program: Command,
  words: readonly string[],
  readNames: ReadNames,
): Promise<Candidates> {
  const current = words.at(-1) ?? "";
  const { command, option, position } = placeAfter(program, words.slice(0, -1));
  const all = await candidatesAt({ command, option, position, current }, readNames);
  return all === "files" ? all : all.filter(([word]) => word.startsWith(current));
}

/** The place of a word: its command, and the option whose value it is or the position of the argument. */
interface Place {
  readonly command: Command;
  readonly option: Option | undefined;
  readonly position: number;
}

function placeAfter(program: Command, words: readonly string[]): Place {
  let place: Place = { command: program, option: undefined, position: 0 };
  for (const word of words) place = placeBehind(place, word);
  return place;
}

function placeBehind({ command, option, position }: Place, word: string): Place {
  if (option) return { command, option: undefined, position };
  if (word.startsWith("-")) {
    const named = optionsOf(command).find(({ long, short }) => word === long || word === short);
    return { command, option: named?.required ? named : undefined, position };
  }
  const sub = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
  return sub
    ? { command: sub, option: undefined, position: 0 }
    : { command, option: undefined, position: position + 1 };
}

/** The options of a command and of the commands above it. */
function optionsOf(command: Command): readonly Option[] {
  return [...command.options.filter(({ hidden }) => !hidden), ...(command.parent ? optionsOf(command.parent) : [])];
}

async function candidatesAt(
  { command, option, position, current }: Place & { readonly current: string },
  readNames: ReadNames,
): Promise<Candidates> {
  if (option)
    return valuesOf(/<([\w-]+)/.exec(option.flags)?.[1] ?? "", option.argChoices, current, command, readNames);
  if (current.startsWith("-"))
    return optionsOf(command).map(({ long, flags, description }) => [long ?? flags, description]);
  const named = command.createHelp().visibleCommands(command);
  if (named.length > 0) return named.map((each) => [each.name(), each.description()]);
  const argument =
    command.registeredArguments.at(position) ?? command.registeredArguments.findLast(({ variadic }) => variadic);
  return argument ? valuesOf(argument.name(), argument.argChoices, current, command, readNames) : [];
}

/** The command groups whose argument `name` is the name of one of the group's own objects, such as a secondary. */
const ownNames = { secondary: "secondary" } as const;

async function valuesOf(
  name: string,
  choices: readonly string[] | undefined,
  current: string,
  command: Command,
  readNames: ReadNames,
): Promise<Candidates> {
  if (choices) return choices.map((each) => [each, ""]);
  if (name === "file") return "files";
  if (name === "client") return clients.map((each) => [each, ""]);
  if (name === "state" && command.parent?.name() === "domain")
    return ["live", "pending", "late", "unserved"].map((each) => [each, ""]);
  const group = command.parent?.name() ?? "";
  const list = name === "name" && command.name() !== "add" ? ownNames[group as keyof typeof ownNames] : name;
  if (list === undefined || !Object.hasOwn(nameLists, list)) return [];
  return (await readNames(list as keyof typeof nameLists, current)).map((each) => [each, list]);
}
