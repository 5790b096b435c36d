/** `backup`, and `restore` of a backup. They open the database, also while the service does not run. */
import { statSync } from "node:fs";
import type { Manifest } from "../backup/manifest.ts";
import { checkBackup } from "../backup/read-backup.ts";
import { readConfig } from "../config/config.ts";
import { restoreBackup } from "../service/restore-backup.ts";
import { takeBackup } from "../service/take-backup.ts";
import { withDataFolder } from "./service/installation.ts";
import { megabytes, Progress } from "./terminal/progress.ts";

/** Writes a backup to a file, or to standard output for `-`. */
export async function backup(file: string, environment: NodeJS.ProcessEnv, json = false): Promise<void> {
  if (file === "-" && process.stdout.isTTY)
    throw new Error("A backup is no text for a terminal; write the name of a file, or send standard output somewhere.");
  const config = readConfig(withDataFolder(environment));
  const { manifest, isCompared } = await withProgress((show) => takeBackup(config, file, show));
  if (!isCompared)
    console.error(
      "warning: The tables were not compared with those that a restore makes: the database is that of an earlier version, and the role may create no schema in it.",
    );
  if (json && file !== "-") return printJson(file, manifest);
  const size = file === "-" ? "" : `, ${megabytes(statSync(file).size)}`;
  const print = file === "-" ? console.error : console.log;
  print(`${file === "-" ? "The backup" : file} has ${contentOf(manifest)}${size}.`);
  print(
    manifest.sealedSecrets > 0
      ? `Keep the SECRET_KEY of the service with it, elsewhere: without it the secrets of its TSIG keys and webhooks cannot be read.`
      : "Whoever reads it can read the secrets of TSIG keys and webhooks: none is sealed with a SECRET_KEY.",
  );
}

interface RestoreOptions {
  readonly json?: boolean;
  readonly dryRun?: boolean;
  readonly anySecretKey?: boolean;
}

/** Restores a backup into an empty database, or only checks the file. */
export async function restore(
  file: string,
  environment: NodeJS.ProcessEnv,
  { json = false, dryRun = false, anySecretKey = false }: RestoreOptions,
): Promise<void> {
  const { manifest, webhooksOff } = await withProgress(async (onProgress) =>
    dryRun
      ? { manifest: await checkBackup(file, onProgress), webhooksOff: 0 }
      : restoreBackup(readConfig(environment), file, { anySecretKey, onProgress }),
  );
  if (json) return printJson(file, manifest);
  const { version, takenAt } = manifest;
  console.log(`${file} is of ${takenAt}, by version ${version}; it has ${contentOf(manifest)}.`);
  console.log(
    dryRun
      ? "It is complete and unaltered; nothing was restored."
      : 'All of it is restored, and was compared table by table. Start the service; "zonesmith resync --all --dry-run" then shows which secondaries are ahead.',
  );
  if (webhooksOff > 0)
    console.log(
      `Webhooks are switched off, ${webhooksOff} of them: switch them on in the console, or by updateWebhook, when this is the installation in use.`,
    );
}

async function withProgress<Result>(run: (show: Progress["show"]) => Promise<Result>): Promise<Result> {
  const progress = new Progress();
  try {
    return await run(progress.show);
  } finally {
    progress.end();
  }
}

function contentOf({ tables }: Manifest): string {
  const rows = (...names: string[]) => tables.find(({ name }) => names.includes(name))?.rows ?? 0;
  const total = tables.reduce((sum, table) => sum + table.rows, 0);
  // Records were in a table of another name in version 0.1.
  const shown = `domains: ${rows("domain")}, records: ${rows("zone_record", "record")}, changes: ${rows("change")}`;
  return `${total} rows in ${tables.length} tables (${shown})`;
}

function printJson(file: string, { tables, ...about }: Manifest): void {
  const shown = tables.map(({ name, rows, bytes, sha256 }) => ({ name, rows, bytes, sha256 }));
  console.log(JSON.stringify({ file, ...about, tables: shown }, null, 2));
}
