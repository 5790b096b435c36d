/** `serve`, `keys recover` and `doctor`, which open the database, as do those of backup.ts. */
import cluster from "node:cluster";
import { startPrimary } from "../cluster/primary.ts";
import { startWorker } from "../cluster/worker.ts";
import { readConfig } from "../config/config.ts";
import { examine } from "../doctor/doctor.ts";
import { type Finding, type Level, levels } from "../doctor/finding.ts";
import { start } from "../main.ts";
import { recoverKey } from "../service/recover-key.ts";
import { exitCodes, fail, printFailure } from "./service/failure.ts";
import { expectNoOtherInstallation, findUrl, runningService, withDataFolder } from "./service/installation.ts";
import { print } from "./terminal/print.ts";
import { readableLog } from "./terminal/readable-log.ts";

/** How long the service may take to stop, ms. After that the process is ended, so that it always ends within 10 s. */
const stopLimitMs = 9800;

/**
 * Runs the service until SIGTERM or SIGINT, or until it fails. On a failure it prints the reason, stops, and exits with code 1. On a
 * terminal, it prints a readable log and the text of the first start; any other standard output gets only lines of JSON.
 */
export async function serve(mayCreate: boolean): Promise<void> {
  const config = readConfig(process.env);
  expectNoOtherInstallation(process.env);
  const startWithWorkers = cluster.isWorker ? startWorker : startPrimary;
  const startService = config.WORKERS === 1 ? start : startWithWorkers;
  const starting = startService(config, {
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

export async function recover(name: string, json: boolean | undefined): Promise<void> {
  const key = await recoverKey(readConfig(withDataFolder(process.env)), name);
  print(json, { key, name }, key);
}

/** Examines the installation, with the settings of its running service, and ends with the exit code of the findings. */
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

/** Prints each finding as it comes and the count of each level; returns the exit code. */
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
