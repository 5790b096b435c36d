/**
 * The commands of `zonesmith`. `serve`, `keys recover`, `doctor`, and `backup` and `restore` of a backup open the database; the
 * others are clients of the running service and import nothing of it. service/failure.ts has the exit codes.
 */
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { version } from "../version.ts";
import { applyTemplateCommand } from "./changes/apply-template.ts";
import { changeSetCommands } from "./changes/change-sets.ts";
import { editCommand } from "./changes/edit.ts";
import { historyCommands } from "./changes/history.ts";
import { removeRecordCommand } from "./changes/remove-record.ts";
import { resyncCommand } from "./changes/resync.ts";
import { accountRows } from "./command-rows/account-rows.ts";
import { annotationCommands } from "./command-rows/annotations.ts";
import { addCommand, noteOption, runRow } from "./command-rows/command-row.ts";
import { auditRow } from "./command-rows/history-rows.ts";
import { serverRows } from "./command-rows/server-rows.ts";
import { showCommand } from "./command-rows/show.ts";
import { templateRows } from "./command-rows/template-rows.ts";
import { webhookRows } from "./command-rows/webhook-rows.ts";
import { reviewRows, zoneRows } from "./command-rows/zone-rows.ts";
import { completionCommands } from "./completion.ts";
import { exportFile, type ImportOptions, importFile } from "./master-files.ts";
import { type AddOptions, addSecondary, type ConfigOptions, printConfig } from "./secondaries.ts";
import { readEndpoint } from "./service/endpoint.ts";
import { exitCodes, exitMeanings, fail, failUsage, failWithoutOutput } from "./service/failure.ts";
import { runAsService } from "./service/packaged-node.ts";
import { showStatus } from "./status.ts";
import { wantsColour } from "./terminal/difference.ts";
import { momentForms } from "./terminal/moment.ts";
import { wrapped } from "./terminal/table.ts";
import { clients, createTsig, type TsigOptions } from "./tsig.ts";

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

/** Puts the commands into the groups of the help, in their order. */
function groupHelp(program: Command): void {
  const placed = Object.entries(helpGroups).flatMap(([heading, names]) => names.map((name) => ({ heading, name })));
  const rankOf = (command: Command) => placed.findIndex(({ name }) => name === command.name()) >>> 0;
  (program.commands as Command[]).sort((a, b) => rankOf(a) - rankOf(b));
  for (const command of program.commands) command.helpGroup(placed[rankOf(command)]?.heading ?? "More:");
}

/** Runs the command line; a failure is written to stderr, one line for each reason, and ends the process. */
export async function runCommand(argv: readonly string[]): Promise<void> {
  failWithoutOutput();
  // Of a terminal it is known; elsewhere lists are as wide as COLUMNS says.
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
  serviceCommands(program, json);
  program
    .command("status")
    .description("show the service, its instances, domains and secondaries, what is late, and what failed last")
    .addOption(new Option("--watch [seconds]", "draw it again and again").preset("5").argParser(seconds))
    .action(({ watch }: { watch?: number }) =>
      showStatus(readEndpoint(process.env), { json, watch, isColoured: wantsColour(process.stdout, process.env) }),
    );
  const groups = {
    user: group(program, "user", "users, who own domains"),
    domain: group(program, "domain", "domains"),
    record: group(program, "record", "records of a domain"),
    key: group(program, "key", "API keys"),
    secondary: group(program, "secondary", "name servers that transfer the zones", "secondaries"),
    template: group(program, "template", "templates, from which domains are made"),
    tsig: program.command("tsig").description("TSIG keys of dynamic updates and of secondaries"),
    webhook: group(program, "webhook", "webhooks, which receive events"),
  };
  for (const row of [...accountRows, ...zoneRows, ...reviewRows, ...templateRows, ...serverRows, ...webhookRows])
    addCommand(groups[row.words.split(" ")[0] as keyof typeof groups], row, (given) =>
      runRow(row, given, readEndpoint(process.env)),
    );
  removeRecordCommand(groups.record, () => readEndpoint(process.env));
  groups.key
    .command("recover")
    .description("issue a new administrator key when the old one is lost, on the machine that holds the database")
    .option("--name <name>", "what the key is for", "recovered administrator")
    .action((options: { name: string }) => onService(serving, ({ recover }) => recover({ ...options, json })));
  addCommand(program, auditRow, (given) => runRow(auditRow, given, readEndpoint(process.env)), auditRow.words);
  secondaryCommands(groups.secondary);
  tsigCommand(groups.tsig);
  fileCommands(program, json);
  const terminal = { endpoint: () => readEndpoint(process.env), isColoured: wantsColour(process.stdout, process.env) };
  historyCommands(program, terminal, (file, options) =>
    onService(backups, ({ restore }) => restore(file, { ...options, json, environment: process.env })),
  );
  changeSetCommands(program, terminal);
  showCommand(program, terminal.endpoint);
  editCommand(program, terminal);
  applyTemplateCommand(groups.template, terminal);
  resyncCommand(program, terminal.endpoint);
  annotationCommands(program, () => readEndpoint(process.env));
  completionCommands(program, terminal.endpoint);
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

/** Whether `--json` is among the words, which errors of the words themselves follow too. */
const asksForJson = (words: readonly string[]) =>
  words.slice(0, words.includes("--") ? words.indexOf("--") : undefined).includes("--json");

/** Makes each command name its own help after an error. */
function nameOwnHelp(command: Command, path = command.name()): void {
  const what = command.commands.length > 0 ? "the commands" : "how it is written";
  command.showHelpAfterError(`("${path} --help" shows ${what})`);
  for (const each of command.commands) nameOwnHelp(each, `${path} ${each.name()}`);
}

const group = (program: Command, name: string, description: string, plural = `${name}s`) =>
  program.command(name).alias(plural).description(description);

/** The modules that open the database. */
const serving = () => import("./serve.ts");
const backups = () => import("./backup.ts");

/** Runs what opens the database, in a process that is right for it. */
async function onService<Commands>(
  load: () => Promise<Commands>,
  run: (commands: Commands) => Promise<void>,
): Promise<void> {
  await runAsService(process.env);
  // Stack traces name the files of the source, not those of the build.
  process.setSourceMapsEnabled(true);
  await run(await load());
}

function serviceCommands(program: Command, json: boolean): void {
  program
    .command("serve")
    .description("run the service until SIGTERM or SIGINT")
    .option("--no-create", "stop when the database is not there or is empty, instead of creating it")
    .action((options: { create: boolean }) => onService(serving, ({ serve }) => serve(options)));
  program
    .command("backup <file>")
    .description(
      "write a backup of everything, such as zonesmith.tar.gz, also while the service runs (- is standard output)",
    )
    .action((file: string) => onService(backups, ({ backup }) => backup(file, { json, environment: process.env })));
  program
    .command("doctor")
    .description("look at settings, database, clock, disk, ports and secondaries, and say what to do")
    .addOption(
      new Option("--least-free <megabytes>", "free space below which the disk is a warning")
        .default(1000)
        .argParser(megabytes),
    )
    .action((options: { leastFree: number }) =>
      onService(serving, ({ doctor }) =>
        doctor({ ...options, json, isColoured: wantsColour(process.stdout, process.env) }),
      ),
    );
}

function seconds(text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError("Write a whole number of seconds from 1.");
}

function megabytes(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Write a whole number of megabytes.");
}

function fileCommands(program: Command, json: boolean): void {
  program
    .command("import <file>")
    .description(
      "import a master file (- is standard input), or those of a folder or a named.conf, each all or nothing",
    )
    .option("--zone <zone>", "the zone (default: the file's name without .zone)")
    .option("--user <email>", "create the zone if it does not exist, for this user (e-mail address or id)")
    .option("--replace", "remove records that the file does not hold; it needs exactly one SOA")
    .option("--dry-run", "check the file and show the difference, change nothing")
    .option("--skip-unsupported", "leave out lines that no zone can hold, such as an ALIAS, and name them")
    .option(...noteOption)
    .action((file: string, options: ImportOptions) =>
      importFile(readEndpoint(process.env), file, { ...options, json }),
    );
  program
    .command("export <zone>")
    .description("write a zone as a master file")
    .option("--at <moment>", `as it was: ${momentForms}`)
    .option("--output <file>", "the file to write (default: standard output)")
    .action((zone: string, options: { at?: string; output?: string }) =>
      exportFile(readEndpoint(process.env), zone, options),
    );
}

function secondaryCommands(secondary: Command): void {
  secondary
    .command("add <name> <address> <port>")
    .description("register a name server, with a TSIG key of its own")
    .option("--tsig-key <name>", "sign with this existing key")
    .option("--no-tsig", "sign nothing")
    .option("--no-notify", "send it no NOTIFY")
    .option("--no-required", "a change can be LIVE without it")
    .option("--allow-unsigned-transfer", "let it transfer zones without TSIG, by its address")
    .option("--indirect", "it transfers from another name server, and its copies are compared record by record")
    .action((name: string, address: string, port: string, _options: unknown, command: Command) =>
      addSecondary(readEndpoint(process.env), [name, address, port], command.optsWithGlobals<AddOptions>()),
    );
  secondary
    .command("config <name>")
    .description("print the stanza to paste into the server's configuration, with the secret of its key")
    .addOption(
      new Option("--server <server>", "what it runs")
        .choices(["knot", "bind", "nsd", "powerdns"])
        .makeOptionMandatory(),
    )
    .option(
      "--primary <address[:port]>",
      "where it reaches an instance of this service; repeat it for each (default: where those that run listen)",
      (value, before: readonly string[]) => [...before, value],
      [],
    )
    .action((name: string, options: ConfigOptions) => printConfig(readEndpoint(process.env), name, options));
}

function tsigCommand(tsig: Command): void {
  tsig
    .command("add")
    .alias("create")
    .description("create a key of dynamic updates and print the configuration of the client it is for")
    .requiredOption("--for <client>", clients.join(", "))
    .option("--zone <zone...>", "the zones it may update")
    .option("--name <name>", "the key's name (default: <client>.<first zone>)")
    .option("--user <user>", "the user it belongs to, by e-mail address or id (default: no user)")
    .option("--algorithm <algorithm>", "hmac-sha256, hmac-sha384 or hmac-sha512", "hmac-sha256")
    .option("--server <address:port>", "where the client reaches the service's DNS (default: where it listens)")
    .option("--expires <time>", "when it expires, such as 2030-01-31T12:00:00Z (default: never)")
    .option("--exempt-from-review", "it updates zones that demand review without one; administrators only")
    .action((_options: unknown, command: Command) =>
      createTsig(readEndpoint(process.env), command.optsWithGlobals<TsigOptions>()),
    );
}
