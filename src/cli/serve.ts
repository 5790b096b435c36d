/**
 * `serve`, `keys recover` and `doctor`, which open the database, as those of backup.ts do. They need the Node that npm installed with the
 * service, where that of the shell is older, and flags of V8 that keep memory small (service/packaged-node.ts); the other commands run on either.
 */
import { readConfig } from "../config/config.ts";
import { examine } from "../doctor/doctor.ts";
import { type Finding, type Level, levels } from "../doctor/finding.ts";
import { start } from "../main.ts";
import { recoverKey } from "../service/recover-key.ts";
import { exitCodes, fail, printFailure } from "./service/failure.ts";
import { expectNoOtherInstallation, findUrl, runningService, withDataFolder } from "./service/installation.ts";
import { print } from "./terminal/print.ts";
import { readableLog } from "./terminal/readable-log.ts";

/** After how long a service that does not stop is ended, ms: it stops within 10 s whatever its state, also while it starts. */
const stopLimitMs = 9800;

/**
 * Runs the service until SIGTERM or SIGINT, or until it cannot go on: then it says why, stops and ends with 1. A person at a terminal
 * sees a readable log and the text of the first start; elsewhere standard output is lines of JSON and nothing else.
 */
export async function serve(mayCreate: boolean): Promise<void> {
  const config = readConfig(process.env);
  expectNoOtherInstallation(process.env);
  const starting = start(config, {
    onFailure: (reason) => stop(reason),
    mayCreate,
    ...(process.stdout.isTTY && { logTo: readableLog(), terminal: (text: string) => console.log(text) }),
  });
  let isStopping = false;
  const stop = (failure?: string) => {
    if (isStopping) return;
    isStopping = true;
    if (failure !== undefined) printFailure(failure);
    const end = () => process.exit(failure === undefined ? exitCodes.done : exitCodes.failed);
    setTimeout(() => fail(new Error("The service did not stop within 10 s; it was ended.")), stopLimitMs).unref();
    starting.then((service) => service.stop()).then(end, failure === undefined ? fail : end);
  };
  process.on("SIGTERM", () => stop());
  process.on("SIGINT", () => stop());
  await starting;
}

/** Prints a new administrator key. */
export async function recover(name: string, json: boolean | undefined): Promise<void> {
  const key = await recoverKey(readConfig(withDataFolder(process.env)), name);
  print(json, { key, name }, key);
}

/** Looks at the installation, with the settings of its running service, and ends with what was found. */
export async function doctor(leastFree: number, shown: Shown): Promise<never> {
  const running = runningService(process.env);
  const environment = running ? process.env : withDataFolder(process.env);
  const url = process.env.ZONESMITH_URL || running?.url || findUrl(environment)[0];
  const installation = { environment, running, url: url.replace(/\/+$/, ""), leastFree };
  process.exit(await printFindings(examine(installation), shown));
}

const colours: Readonly<Record<Level, string>> = { OK: "32", NOTE: "36", WARNING: "33", FAILURE: "1;31" };

interface Shown {
  readonly json?: boolean | undefined;
  readonly isColoured: boolean;
}

/** Prints each finding as it comes, at the end how many there are of each level, and returns the exit code. */
async function printFindings(findings: AsyncIterable<Finding>, { json, isColoured }: Shown): Promise<number> {
  const all: Finding[] = [];
  for await (const each of findings) {
    all.push(each);
    if (!json) console.log(textOf(each, isColoured));
  }
  const counts = Object.fromEntries(
    Object.keys(levels).map((level) => [level, all.filter((each) => each.level === level).length]),
  ) as Record<Level, number>;
  if (json) console.log(JSON.stringify({ findings: all, counts }, null, 2));
  else console.log(`\n${summaryOf(counts)}`);
  if (counts.FAILURE > 0) return exitCodes.failed;
  return counts.WARNING > 0 ? exitCodes.warnings : exitCodes.done;
}

const levelWidth = Math.max(...Object.keys(levels).map(({ length }) => length));

function textOf({ check, level, finding, fix }: Finding, isColoured: boolean): string {
  const padded = level.padEnd(levelWidth);
  const shown = isColoured ? `\x1b[${colours[level]}m${padded}\x1b[0m` : padded;
  const line = `${shown}  ${check}: ${finding}`;
  return fix === undefined ? line : `${line}\n${" ".repeat(levelWidth)}  To do: ${fix}`;
}

function summaryOf({ OK, NOTE, WARNING, FAILURE }: Record<Level, number>): string {
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  return `${OK} OK, ${count(NOTE, "note")}, ${count(WARNING, "warning")}, ${count(FAILURE, "failure")}.`;
}
