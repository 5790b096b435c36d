/**
 * The commands: `serve` runs the service, `keys recover` issues a new administrator key on the machine that holds the database.
 */
import { Command } from "commander";
import { type Config, readConfig } from "../config.ts";
import { recoverKey, start } from "../main.ts";

/** Runs the command line; a failure is one line on stderr and exit code 1. */
export async function run(argv: readonly string[]): Promise<void> {
  const program = new Command("zonesmith").description(
    "A DNS zone manager. Settings come from the environment; see the README.",
  );
  program.command("serve", { isDefault: true }).description("run the service until SIGTERM or SIGINT").action(serve);
  program
    .command("keys")
    .description("administrator keys")
    .command("recover")
    .description("issue a new administrator key when the old one is lost")
    .option("--name <name>", "what the key is for", "recovered administrator")
    .action(async ({ name }: { name: string }) => console.log(await recoverKey(readConfig(process.env), name)));
  try {
    await program.parseAsync(argv);
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): never {
  console.error(`zonesmith: ${error instanceof Error ? error.message : String(error)}`);
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
