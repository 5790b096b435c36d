/**
 * `serve`, `keys recover` and `doctor`, which open the database, as those of backup.ts do. They need the Node that npm installed with the
 * service, where that of the shell is older, and flags of V8 that keep memory small (service/packaged-node.ts); the other commands run on either.
 */
import { readConfig } from "../config/config.ts";
import { examine } from "../doctor/doctor.ts";
import { start } from "../main.ts";
import { recoverKey } from "../service/recover-key.ts";
import { printFindings, type Shown } from "./doctor.ts";
import { findUrl } from "./service/endpoint.ts";
import { exitCodes, fail, printFailure } from "./service/failure.ts";
import { expectNoOtherInstallation, runningService, withDataFolder } from "./service/installation.ts";
import { readableLog } from "./terminal/readable-log.ts";

/** After how long a service that does not stop is ended, ms: it stops within 10 s whatever its state, also while it starts. */
const stopLimitMs = 9800;

/**
 * Runs the service until SIGTERM or SIGINT, or until it cannot go on: then it says why, stops and ends with 1. A person at a terminal
 * sees a readable log and the text of the first start; elsewhere standard output is lines of JSON and nothing else.
 */
export async function serve({ create }: { readonly create: boolean }): Promise<void> {
  const config = readConfig(process.env);
  expectNoOtherInstallation(process.env);
  const starting = start(config, {
    onFailure: (reason) => stop(reason),
    mayCreate: create,
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
export async function recover({ name, json }: { readonly name: string; readonly json: boolean }): Promise<void> {
  const key = await recoverKey(readConfig(withDataFolder(process.env)), name);
  console.log(json ? JSON.stringify({ key, name }, null, 2) : key);
}

/** Looks at the installation, with the settings of its running service, and ends with what was found. */
export async function doctor({ leastFree, ...shown }: Shown & { readonly leastFree: number }): Promise<never> {
  const running = runningService(process.env);
  const environment = running ? process.env : withDataFolder(process.env);
  const url = process.env.ZONESMITH_URL || running?.url || findUrl(environment)[0];
  const installation = { environment, running, url: url.replace(/\/+$/, ""), leastFree };
  process.exit(await printFindings(examine(installation), shown));
}
