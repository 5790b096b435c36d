/** Checks the machine: the free space on the disk of DATA_DIR, and that other accounts cannot read files with secrets. */
import { statfsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { type Finding, failure, ok, warning } from "./finding.ts";

/** The machine that the checks look at; tests replace it. */
export interface Machine {
  readonly now: () => Date;
  /** Returns the free octets on the disk of a folder; throws the system's error. */
  readonly freeSpace: (folder: string) => number;
  readonly isContainer: boolean;
}

export const thisMachine = (): Machine => ({
  now: () => new Date(),
  freeSpace: (folder) => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  },
  isContainer: ["/.dockerenv", "/run/.containerenv"].some(
    (file) => statSync(file, { throwIfNoEntry: false }) !== undefined,
  ),
});

const megabyte = 1_000_000;

/** With less free space PostgreSQL soon stops, megabytes. */
const leastFree = 200;

/** Checks the free space on the disk of DATA_DIR; less than `warnBelow` megabytes are a warning. */
export function checkDisk({ DATA_DIR }: Config, machine: Machine, warnBelow: number): Finding[] {
  if (DATA_DIR === "") return [ok("disk", "the service keeps nothing here; watch the disk of the database")];
  try {
    const free = Math.floor(machine.freeSpace(resolve(DATA_DIR)) / megabyte);
    if (free >= warnBelow) return [ok("disk", `${free} MB free at ${DATA_DIR}`)];
    const find = free < leastFree ? failure : warning;
    return [find("disk", `${free} MB are free at ${DATA_DIR}.`, "make space, or move DATA_DIR to a larger disk")];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const fix = "set DATA_DIR as the service has it, or start the service, which creates it";
    return [warning("disk", `${DATA_DIR} cannot be looked at (${code}).`, fix)];
  }
}

/** Folders whose secrets only the programs of one service see, whatever the mode of the files. */
const privateFolders = ["/run/secrets/", "/run/credentials/"];

/** Checks the modes of files with secrets: those of DATA_DIR, those that NAME_FILE names, and the keys of certificates. */
export function checkSecretFiles(
  { DATA_DIR, TLS_KEY, DNS_TLS_KEY }: Config,
  environment: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[],
): Finding[] {
  const named = secrets.map((name) => environment[`${name}_FILE`]).filter((file) => file !== undefined && file !== "");
  const own = ["administrator-key.txt", "postgres/cluster/password"].map((file) => join(DATA_DIR, file));
  const keys = [TLS_KEY, DNS_TLS_KEY].filter((file) => file !== "");
  const files = [...named, ...keys, ...(DATA_DIR === "" ? [] : own)].map((file) => resolve(file as string));
  const there = files.filter((file) => !privateFolders.some((folder) => file.startsWith(folder)) && modeOf(file));
  const open = there.filter((file) => (modeOf(file) ?? 0) & 0o007);
  if (open.length === 0) return [ok("secret files", `${there.length}, which others cannot read`)];
  return open.map((file) =>
    warning("secret files", `Every account of this machine may read or write ${file}.`, `chmod o= ${file}`),
  );
}

/** Returns the mode of a file; undefined when the file does not exist, or this account cannot see it. */
function modeOf(file: string): number | undefined {
  try {
    return statSync(file).mode;
  } catch {
    return undefined;
  }
}
