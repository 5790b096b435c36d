/**
 * The commands of `zonesmith`. `serve` and `keys recover` open the database; the others are HTTP clients of the running
 * service. Exit codes: 0 success, 1 refused or failed, 2 wrong usage.
 */
import { Command, CommanderError, Option } from "commander";
import { readEndpoint } from "./client.ts";
import { clients } from "./client-config.ts";
import { fail } from "./failure.ts";
import { exportFile, type ImportOptions, importFile } from "./master-files.ts";
import { type AddOptions, addSecondary, type ConfigOptions, printConfig } from "./secondaries.ts";
import { createTsig, type TsigOptions } from "./tsig.ts";
import { version } from "./version.ts";

/** Runs the command line; a failure is written to stderr, one line for each reason, and ends the process. */
export async function runCommand(argv: readonly string[]): Promise<void> {
  const program = new Command("zonesmith").description(
    "A DNS zone manager. Settings come from the environment; see the README.",
  );
  program.exitOverride();
  program.option("-V, --version", "print the version and the commit it was built from").on("option:version", () => {
    console.log(version());
    process.exit(0);
  });
  program
    .command("serve")
    .description("run the service until SIGTERM or SIGINT")
    .option("--no-create", "stop when the database is not there or is empty, instead of creating it")
    .action(async (options: { create: boolean }) => (await import("./serve.ts")).serve(options));
  program
    .command("keys")
    .description("administrator keys")
    .command("recover")
    .description("issue a new administrator key when the old one is lost")
    .option("--name <name>", "what the key is for", "recovered administrator")
    .action(async (options: { name: string }) => (await import("./serve.ts")).recover(options));
  program
    .command("import <file>")
    .description("import a master file (- is standard input) into a zone, all of it or nothing")
    .option("--zone <zone>", "the zone (default: the file's name without .zone)")
    .option("--user <email>", "create the zone if it does not exist, for this user (e-mail address or id)")
    .option("--replace", "remove records that the file does not hold; it needs exactly one SOA")
    .option("--dry-run", "check the file and show the difference, change nothing")
    .option("--json", "print JSON, refusals too")
    .action((file: string, options: ImportOptions) =>
      importFile(readEndpoint(process.env), file, options).catch((error) => fail(error, options.json)),
    );
  program
    .command("export <zone>")
    .description("write a zone as a master file")
    .option("--output <file>", "the file to write (default: standard output)")
    .action((zone: string, { output }: { output?: string }) => exportFile(readEndpoint(process.env), zone, output));
  secondaryCommands(program.command("secondary").description("name servers that transfer the zones"));
  program
    .command("tsig")
    .description("TSIG keys of dynamic updates")
    .command("create")
    .description("create a key and print the configuration of the client it is for")
    .requiredOption("--for <client>", clients.join(", "))
    .option("--zone <zone...>", "the zones it may update")
    .option("--name <name>", "the key's name (default: <client>.<first zone>)")
    .option("--user <id>", "the user it belongs to (default: no user)")
    .option("--algorithm <algorithm>", "hmac-sha256, hmac-sha384 or hmac-sha512", "hmac-sha256")
    .option(
      "--server <address:port>",
      "address and port at which the client reaches the service's DNS",
      "127.0.0.1:5300",
    )
    .option("--expires <time>", "when it expires, such as 2030-01-31T12:00:00Z (default: never)")
    .action((options: TsigOptions) => createTsig(readEndpoint(process.env), options));
  try {
    await program.parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
    fail(error);
  }
}

function secondaryCommands(secondary: Command): void {
  secondary
    .command("add <name> <address> <port>")
    .description("register a name server, with a new TSIG key of its own")
    .option("--tsig-key <name>", "sign with this existing key")
    .option("--no-tsig", "sign nothing")
    .option("--no-notify", "send it no NOTIFY")
    .option("--no-required", "a change can be LIVE without it")
    .option("--allow-unsigned-transfer", "let it transfer zones without TSIG, by its address")
    .option("--indirect", "it transfers from another name server, and its copies are compared record by record")
    .action((name: string, address: string, port: string, options: AddOptions) =>
      addSecondary(readEndpoint(process.env), [name, address, port], options),
    );
  secondary
    .command("config <name>")
    .description("print the stanza to paste into the server's configuration, with the secret of its key")
    .addOption(
      new Option("--server <server>", "what it runs")
        .choices(["knot", "bind", "nsd", "powerdns"])
        .makeOptionMandatory(),
    )
    .option("--primary <address>", "address at which it reaches this service (default: DNS_LISTEN)")
    .action((name: string, options: ConfigOptions) => printConfig(readEndpoint(process.env), name, options));
}
