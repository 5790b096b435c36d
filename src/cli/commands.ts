/**
 * The commands. `serve` and `keys recover` run on the machine that holds the database; the others speak to the service.
 * Exit codes: 0 done, 1 refused or failed, 2 called wrongly.
 */
import { Command, CommanderError, Option } from "commander";
import { type Config, readConfig } from "../config.ts";
import { recoverKey, start } from "../main.ts";
import { RefusedError, readEndpoint } from "./client.ts";
import { type AddOptions, addSecondary, type ConfigOptions, printConfig } from "./secondaries.ts";
import { clients, createTsig, type TsigOptions } from "./tsig.ts";
import { exportFile, type ImportOptions, importFile } from "./zone-files.ts";

/** Runs the command line; a failure is said on stderr, a line for each reason. */
export async function runCommand(argv: readonly string[]): Promise<void> {
  const program = new Command("zonesmith").description(
    "A DNS zone manager. Settings come from the environment; see the README.",
  );
  program.exitOverride();
  program.command("serve", { isDefault: true }).description("run the service until SIGTERM or SIGINT").action(serve);
  program
    .command("keys")
    .description("administrator keys")
    .command("recover")
    .description("issue a new administrator key when the old one is lost")
    .option("--name <name>", "what the key is for", "recovered administrator")
    .action(async ({ name }: { name: string }) => console.log(await recoverKey(readConfig(process.env), name)));
  program
    .command("import <file>")
    .description("bring a master file (- is standard input) into a zone, whole or not at all")
    .option("--zone <zone>", "the zone; otherwise the file's name without .zone")
    .option("--user <email>", "create a zone that is not there, for this user (e-mail address or id)")
    .option("--replace", "remove what the file does not hold; it needs exactly one SOA")
    .option("--dry-run", "judge the file and show the difference, change nothing")
    .option("--json", "answer in JSON, refusals too")
    .action((file: string, options: ImportOptions) =>
      importFile(readEndpoint(process.env), file, options).catch((error) => fail(error, options.json)),
    );
  program
    .command("export <zone>")
    .description("write a zone as a master file")
    .option("--output <file>", "where to; otherwise standard output")
    .action((zone: string, { output }: { output?: string }) => exportFile(readEndpoint(process.env), zone, output));
  secondaryCommands(program.command("secondary").description("name servers that transfer the zones"));
  program
    .command("tsig")
    .description("TSIG keys of dynamic updates")
    .command("create")
    .description("create a key and print the configuration of the client it is for")
    .requiredOption("--for <client>", clients.join(", "))
    .option("--zone <zone...>", "the zones it may update")
    .option("--name <name>", "the key's name; otherwise the client's and the first zone's")
    .option("--user <id>", "the user it belongs to; otherwise it is nobody's")
    .option("--algorithm <algorithm>", "hmac-sha256, hmac-sha384 or hmac-sha512", "hmac-sha256")
    .option("--server <address:port>", "where the client reaches the service's DNS", "127.0.0.1:5300")
    .option("--expires <time>", "when it stops working, such as 2030-01-31T12:00:00Z")
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
    .description("register a name server, with a TSIG key of its own")
    .option("--tsig-key <name>", "sign with this key, which is there already")
    .option("--no-tsig", "sign nothing")
    .option("--no-notify", "send it no NOTIFY")
    .option("--no-required", "do not wait for it before a change is called LIVE")
    .option("--allow-unsigned-transfer", "let it transfer zones without TSIG, told by its address")
    .action((name: string, address: string, port: string, options: AddOptions) =>
      addSecondary(readEndpoint(process.env), [name, address, port], options),
    );
  secondary
    .command("config <name>")
    .description("print what to paste into the server's configuration; it holds the secret of its key")
    .addOption(
      new Option("--server <server>", "what it runs")
        .choices(["knot", "bind", "nsd", "powerdns"])
        .makeOptionMandatory(),
    )
    .option("--primary <address>", "where it reaches this service, if not at the address that DNS listens on")
    .action((name: string, options: ConfigOptions) => printConfig(readEndpoint(process.env), name, options));
}

function fail(error: unknown, json = false): never {
  if (json && error instanceof RefusedError) console.log(JSON.stringify(error.answer));
  else {
    const lines =
      error instanceof RefusedError
        ? error.message.split("\n")
        : [error instanceof Error ? error.message : String(error)];
    for (const line of lines) console.error(`zonesmith: ${line}`);
  }
  process.exit(1);
}
async function serve(): Promise<void> {
  const config = readConfig(process.env);
  let _stopping: Promise<void> | undefined;
  const starting = start(config, (reason) => fail(new Error(reason)));
  const stop = () => {
    _stopping ??= starting
      .then((service) => service.stop())
      .then(() => process.exit(0))
      .catch(fail);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  const { url, firstKey } = await starting;
  if (firstKey !== undefined) console.log(welcome(url, firstKey, config));
  else console.log(`Zonesmith answers at ${url}`);
}

/** What the very first start prints, once. */
function welcome(url: string, key: string, config: Config): string {
  const header = `-H 'X-API-Key: ${config.ADMIN_API_KEY === "" ? key : "'\"$ADMIN_API_KEY\"'"}'`;
  const query =
    '{ domain(zone: \\"example.com\\") { serial user { email } records { nodes { owner type ttl rdata } } } }';
  return `
Zonesmith answers at ${url}. This is its administrator key, shown this once:

  ${config.ADMIN_API_KEY === "" ? key : "the one in ADMIN_API_KEY"}

Paste these into another shell: create a user, create a domain, read it back.

  USER_ID=$(curl -s ${header} ${url}/api/user/add -d email=you@example.com | tee /dev/stderr | grep -o '[0-9]\\{16\\}' | head -n 1)

  curl -s ${header} ${url}/api/domain/add -d user_id=$USER_ID -d zone=example.com

  curl -s ${header} ${url}/graphql -H 'Content-Type: application/json' -d '{"query": "${query}"}'
`;
}
