/**
 * The commands of `zonesmith`. `serve`, `keys recover`, `doctor`, and `backup` and `restore` of a backup open the database; the
 * others are clients of the running service, and import of it only what reads DNS data and archives. service/failure.ts has the exit codes.
 */
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { version } from "../version.ts";
import { applyTemplateRow } from "./changes/apply-template.ts";
import { changeSetActionRows } from "./changes/change-sets.ts";
import { editRow } from "./changes/edit.ts";
import { diffRow, restoreRow, revertRow } from "./changes/history.ts";
import { removeRow } from "./changes/remove-record.ts";
import { resyncRow } from "./changes/resync.ts";
import { checkRow } from "./check.ts";
import { accountRows } from "./command-rows/account-rows.ts";
import { annotationRows } from "./command-rows/annotations.ts";
import { changeSetRows } from "./command-rows/change-set-rows.ts";
import { addCommand, type CommandRow, command } from "./command-rows/command-row.ts";
import { historyRows } from "./command-rows/history-rows.ts";
import { serverRows } from "./command-rows/server-rows.ts";
import { templateRows } from "./command-rows/template-rows.ts";
import { webhookRows } from "./command-rows/webhook-rows.ts";
import { zoneRows } from "./command-rows/zone-rows.ts";
import { completionCommands } from "./completion.ts";
import { compareRow, importRow } from "./import.ts";
import { exportRow } from "./master-files.ts";
import { addSecondaryRow, secondaryConfigRow } from "./secondaries.ts";
import { exitCodes, exitMeanings, fail, failUsage, failWithoutOutput } from "./service/failure.ts";
import { readEndpoint } from "./service/installation.ts";
import { runAsService } from "./service/packaged-node.ts";
import { statusRow } from "./status.ts";
import { wantsColour } from "./terminal/difference.ts";
import { wrapped } from "./terminal/table.ts";
import { tsigRow } from "./tsig.ts";

const where = `
Environment of the commands that speak to the running service:
  ZONESMITH_API_KEY    the API key (required)
  ZONESMITH_URL        where the service answers. When unset: LISTEN and
                       HTTP_PORT, if these settings of the service are set
                       here; otherwise what the running service wrote to
                       service.json in DATA_DIR (./data, or data of this
                       checkout); otherwise http://127.0.0.1:4000
  NODE_EXTRA_CA_CERTS  the file of an authority that is not public, for a
                       service with HTTPS
  COLUMNS              how wide lists may be away from a terminal (80)

"serve", "doctor", "keys recover", "backup" and "restore" of a backup take the
settings of the service instead; see docs/settings.md. Without DATA_DIR, the
data of "doctor", "keys recover" and "backup" are in ./data, or in data of this
checkout.

Exit codes:
${Object.entries(exitCodes)
  .map(([name, code]) => `  ${code}  ${wrapped(exitMeanings[name as keyof typeof exitCodes], 75).join("\n     ")}`)
  .join("\n")}`;

/** The groups of the help, with their commands in this order; all others follow as the last group. */
const helpGroups = {
  "Every day:": ["status", "user", "domain", "record", "show", "edit", "import", "export", "changeset"],
  "History:": ["history", "blame", "diff", "revert", "deleted", "restore", "audit"],
  "Service:": ["serve", "doctor", "backup", "resync", "key", "secondary", "tsig", "webhook"],
} as const;

const groups: readonly (readonly [name: string, description: string, alias?: string])[] = [
  ["user", "users, who own domains", "users"],
  ["domain", "domains", "domains"],
  ["record", "records of a domain", "records"],
  ["key", "API keys", "keys"],
  ["secondary", "name servers that transfer the zones", "secondaries"],
  ["template", "templates, from which domains are made", "templates"],
  ["tsig", "TSIG keys of dynamic updates and of secondaries"],
  ["webhook", "webhooks, which receive events", "webhooks"],
  ["changeset", "edits of several zones, applied as one", "changesets"],
];

const serving = () => import("./serve.ts");
const backups = () => import("./backup.ts");

/** Loads and runs a command that opens the database. */
async function onService<Commands>(
  load: () => Promise<Commands>,
  run: (commands: Commands) => Promise<void>,
): Promise<void> {
  await runAsService(process.env);
  // Stack traces name the files of the source, not those of the build.
  process.setSourceMapsEnabled(true);
  await run(await load());
}

const serviceRows: readonly CommandRow[] = [
  command({
    words: "serve",
    description: "run the service until SIGTERM or SIGINT",
    options: [["--no-create", "stop when the database is not there or is empty, instead of creating it"]],
    run: ({ options: { create } }) => onService(serving, ({ serve }) => serve(create !== false)),
  }),
  {
    words: "backup <file>",
    description:
      "write a backup of everything, such as zonesmith.tar.gz, also while the service runs (- is standard output)",
    run: ({ args: [file = ""], options: { json } }) =>
      onService(backups, ({ backup }) => backup(file, process.env, json)),
  },
  command({
    words: "doctor",
    description: "look at settings, database, clock, disk, ports and secondaries, and say what to do",
    options: [
      [
        "--least-free <megabytes>",
        "free space below which the disk is a warning",
        (option) => option.default(1000).argParser(megabytes),
      ],
    ],
    run: ({ options: { leastFree, json } }, { isColoured }) =>
      onService(serving, ({ doctor }) => doctor(Number(leastFree), { json, isColoured })),
  }),
  command({
    words: "key recover",
    description: "issue a new administrator key when the old one is lost, on the machine that holds the database",
    options: [["--name <name>", "what the key is for", (option) => option.default("recovered administrator")]],
    run: ({ options: { name = "", json } }) => onService(serving, ({ recover }) => recover(name, json)),
  }),
  restoreRow((file, options) => onService(backups, ({ restore }) => restore(file, process.env, options))),
];

function megabytes(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Write a whole number of megabytes.");
}

const rows: readonly CommandRow[] = [
  statusRow,
  ...accountRows,
  ...zoneRows,
  removeRow,
  ...templateRows,
  applyTemplateRow,
  ...serverRows,
  addSecondaryRow,
  secondaryConfigRow,
  tsigRow,
  ...webhookRows,
  importRow,
  compareRow,
  checkRow,
  exportRow,
  ...historyRows,
  diffRow,
  revertRow,
  ...changeSetRows,
  ...changeSetActionRows,
  editRow,
  resyncRow,
  ...annotationRows,
  ...serviceRows,
];

/** Runs the command line; a failure ends the process. */
export async function runCommand(argv: readonly string[]): Promise<void> {
  failWithoutOutput();
  // The width of lists away from a terminal.
  process.stdout.columns ||= Number(process.env.COLUMNS) || 80;
  const program = new Command("zonesmith").description("A DNS zone manager.").commandsGroup("More:").helpCommand(true);
  const usageOf = (command: Command) =>
    command.parent === program ? "" : command.usage().replace(/^\[options\] ?/, "");
  const termOf = (command: Command) => `${command.name()} ${usageOf(command)}`.trimEnd();
  program.exitOverride().configureHelp({ showGlobalOptions: true, subcommandTerm: termOf }).addHelpText("after", where);
  const json = asksForJson(argv);
  let usage = "";
  program.configureOutput({
    writeErr: (text) => {
      usage += text;
      if (!json) process.stderr.write(text);
    },
    outputError: (text, write) => write(/unknown option '-[^-]/.test(text) ? `${text}${quotes}` : text),
  });
  program.option("--json", "print JSON, errors too");
  program.version(version(), "-V, --version", "print the version and the commit it was built from");
  for (const [name, description, alias] of groups) {
    const group = program.command(name).description(description);
    if (alias !== undefined) group.alias(alias);
  }
  const terminal = {
    get endpoint() {
      return readEndpoint(process.env);
    },
    isColoured: wantsColour(process.stdout, process.env),
  };
  for (const row of rows) addCommand(program, row, terminal);
  completionCommands(program, terminal);
  groupHelp(program);
  nameOwnHelp(program);
  if (argv.length <= 2) return program.outputHelp();
  try {
    await program.parseAsync(argv);
  } catch (error) {
    if (!(error instanceof CommanderError)) fail(error, json);
    if (error.exitCode === 0) return;
    failUsage(error.code === "commander.help" ? noCommand : usage.trim().replaceAll("\n", " "), json);
  }
}

const quotes = "Put record data in quotes: 'v=spf1 mx -all'\n";
const noCommand = "The command is incomplete; its help lists what may follow.";

/** Whether `--json` is among the words; errors in the words are JSON then too. */
const asksForJson = (words: readonly string[]) =>
  words.slice(0, words.includes("--") ? words.indexOf("--") : undefined).includes("--json");

function groupHelp(program: Command): void {
  const placed = Object.entries(helpGroups).flatMap(([heading, names]) => names.map((name) => ({ heading, name })));
  const rankOf = (command: Command) => placed.findIndex(({ name }) => name === command.name()) >>> 0;
  (program.commands as Command[]).sort((a, b) => rankOf(a) - rankOf(b));
  for (const command of program.commands) command.helpGroup(placed[rankOf(command)]?.heading ?? "More:");
}

/** Makes each command refer to its own help after an error. */
function nameOwnHelp(command: Command, path = command.name()): void {
  const what = command.commands.length > 0 ? "the commands" : "how it is written";
  command.showHelpAfterError(`("${path} --help" shows ${what})`);
  for (const each of command.commands) nameOwnHelp(each, `${path} ${each.name()}`);
}
