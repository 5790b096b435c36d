/**
 * The file by which the command line finds the running service: DATA_DIR/service.json says where it answers and by which settings it runs, and
 * is removed when the service stops. It holds no secret. Without a DATA_DIR nothing is written.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { type Config, type ShownSettings, shownSettings } from "../config.ts";
import { makeFolder } from "../make-folder.ts";

/** What the file says. */
export interface Discovery extends Partial<ShownSettings> {
  readonly url: string;
  readonly pid: number;
}

/** Writes the file; a folder that cannot be written is only logged, since the service works without it. */
export function announce(config: Config, url: string, log: Logger): void {
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

/** Removes the file, unless another service has written it since. */
export function withdraw(dataDir: string): void {
  if (dataDir === "") return;
  const file = join(dataDir, "service.json");
  try {
    const { pid } = JSON.parse(readFileSync(file, "utf8")) as Discovery;
    if (pid === process.pid) rmSync(file);
  } catch {
    // It is not there, or not ours.
  }
}
