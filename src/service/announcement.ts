/**
 * What the service prints and logs when it has started: its addresses, the administrator key of the first start with commands to paste, and
 * warnings. It also writes the discovery file DATA_DIR/service.json, by which the command line finds the service: its URL, and its settings
 * without secrets. The file is removed when the service stops.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { type Config, type ShownSettings, shownSettings } from "../config/config.ts";
import { makeFolder } from "../make-folder.ts";
import { zoneWarnings } from "../zone/example-names.ts";
import { createFirstKey, type FirstKey } from "./administrator-key.ts";
import type { Common, Started } from "./common.ts";
import type { Sessions } from "./sessions.ts";

export interface Addresses {
  readonly url: string;
  readonly dns: { readonly address: string; readonly port: number };
  readonly consoleUrl?: string | undefined;
}

/** The welcome text. `key` is undefined when the key is the operator's own, from ADMIN_API_KEY. */
export function welcome({ url, dns, consoleUrl }: Addresses, key: string | undefined): string {
  const query = '{ domain(by: { zone: \\"first.example\\" }) { serial records { nodes { owner type ttl rdata } } } }';
  const shown =
    key === undefined
      ? "\nIts administrator key is the one in ADMIN_API_KEY.\n"
      : `\nIts administrator key, shown this once:\n\n  ${key}\n`;
  const header = `-H "X-API-Key: $ZONESMITH_API_KEY"`;
  return `
Zonesmith answers at ${url}, DNS at ${dns.address} port ${dns.port}.
${consoleUrl ? `\nIts console, for a browser; sign in there with the key below:\n\n  ${consoleUrl}\n` : ""}${shown}
Paste these into another shell: create a user, find it, create a domain, read it back. A second time, the user and the domain
are refused, since they are there (DUPLICATE_EMAIL, DUPLICATE_ZONE), and the rest does the same again.

  export ZONESMITH_API_KEY=${key ?? "$ADMIN_API_KEY"}

  curl -s ${header} ${url}/api/user/add -d email=first@example.org

  USER_ID=$(curl -s ${header} "${url}/api/user/list?email=first@example.org" | grep -o '[0-9]\\{16\\}' | head -n 1)

  curl -s ${header} ${url}/api/domain/add -d user_id=$USER_ID -d zone=first.example

  curl -s ${header} ${url}/graphql -H 'Content-Type: application/json' -d '{"query": "${query}"}'

Or with the zonesmith command; in a checkout, first: export PATH="$PWD/bin:$PATH"

  export ZONESMITH_URL=${url}

  zonesmith record add first.example app A 192.0.2.1

  zonesmith record list first.example

  zonesmith status
`;
}

export interface Discovery extends Partial<ShownSettings> {
  readonly url: string;
  readonly pid: number;
}

/** Writes the discovery file. When it cannot be written, this is only logged, since the service works without it. */
function announce(config: Config, url: string, log: Logger): void {
  const { DATA_DIR: dataDir } = config;
  if (dataDir === "") return;
  const file = join(dataDir, "service.json");
  const discovery: Discovery = { url, pid: process.pid, ...shownSettings(config) };
  try {
    makeFolder(dataDir);
    writeFileSync(`${file}.new`, `${JSON.stringify(discovery)}\n`, { mode: 0o644 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    log.warn({ code: (error as NodeJS.ErrnoException).code, file }, "could not write where the service answers");
  }
}

/** Removes the discovery file, unless another service has written it since. */
function withdraw(dataDir: string): void {
  if (dataDir === "") return;
  const file = join(dataDir, "service.json");
  try {
    const { pid } = JSON.parse(readFileSync(file, "utf8")) as Discovery;
    if (pid === process.pid) rmSync(file);
  } catch {
    // The file does not exist, or is not ours.
  }
}

/** Writes where the service answers to the terminal, the log and the discovery file, and shows the key of a first start. */
export async function announceStart(
  { config, log, resources, shutdown }: Common,
  sessions: Sessions,
  { url, dns, hasConsole }: Started,
  terminal: ((text: string) => void) | undefined,
): Promise<void> {
  const consoleUrl = hasConsole ? `${url}/console/` : undefined;
  const text = (key: string | undefined) => welcome({ url, dns, consoleUrl }, key);
  const firstKey = await createFirstKey(sessions.asSystem(), config, { text, terminal });
  log.info(
    { url, ...(consoleUrl && { console: consoleUrl }), dns: `${dns.address} port ${dns.port}` },
    "Zonesmith answers",
  );
  logFirstKey(log, firstKey);
  resources.defer(() => withdraw(config.DATA_DIR));
  announce(config, url, log);
  // Not awaited: it checks all zones, and the service already answers.
  void logZoneWarnings(sessions, log, shutdown.signal);
}

/**
 * Logs a warning for each setting that the stored zones contradict. If the check fails, the error is logged, unless the service is
 * stopping.
 */
async function logZoneWarnings(sessions: Sessions, log: Logger, stopping: AbortSignal): Promise<void> {
  try {
    for (const warning of await zoneWarnings(sessions.asSystem())) log.warn(warning);
  } catch (error) {
    if (!stopping.aborted) log.warn({ err: error }, "could not look for zones with the example's names");
  }
}

function logFirstKey(log: Logger, firstKey: FirstKey): void {
  const recover = "zonesmith keys recover, with the settings of the service, issues a new one";
  if (firstKey.kind === "created" && firstKey.file !== undefined)
    log.info(
      { file: firstKey.file },
      "the administrator key of this first start is in a file, with commands to paste; keep it: the first start after its use removes the file",
    );
  if (firstKey.kind === "unused")
    log.warn(
      firstKey.file === undefined ? {} : { file: firstKey.file },
      firstKey.file === undefined
        ? `no administrator key was used yet; if it is lost: ${recover}`
        : `no administrator key was used yet; it is in a file; if it is lost: ${recover}`,
    );
  if (firstKey.kind === "none")
    log.warn(
      `there is no administrator key, as there is no place to show it: ${recover}; or set ADMIN_API_KEY or DATA_DIR`,
    );
}
