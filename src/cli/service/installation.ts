/**
 * Finds the service and the installation that a command refers to. The URL of the service is the first of: ZONESMITH_URL; LISTEN and
 * HTTP_PORT, as the service itself reads them; the URL in service.json in the data folder; http://127.0.0.1:4000. The data folder is
 * DATA_DIR; without it, ./data, or the data folder of the checkout that the command belongs to.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { reachableAddress, urlHost } from "../../net/listening-address.ts";
import type { Endpoint } from "./client.ts";

type Environment = NodeJS.ProcessEnv;

/** The discovery file of a service (src/service/announcement.ts); that of an earlier version has no settings. */
interface Announced {
  readonly url: string;
  readonly pid: number;
  readonly settings?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
}

const checkout = resolve(dirname(fileURLToPath(import.meta.url)), "../../../..");
const dataOfCheckout = join(checkout, "data");

const namesDatabase = ({ DATABASE_URL, DATABASE_URL_FILE }: Environment) => Boolean(DATABASE_URL || DATABASE_URL_FILE);

const dataFolders = ({ DATA_DIR }: Environment) => (DATA_DIR ? [DATA_DIR] : ["data", dataOfCheckout]);

/** The discovery file of the first folder whose service runs, otherwise of the first that has one; undefined without one. */
export function announcedIn(
  folders: readonly string[],
): { readonly file: string; readonly service: Announced } | undefined {
  const announced = folders.flatMap((folder) => {
    const file = join(folder, "service.json");
    try {
      return [{ file, service: JSON.parse(readFileSync(file, "utf8")) as Announced }];
    } catch {
      return [];
    }
  });
  return announced.find(({ service }) => isRunning(service)) ?? announced[0];
}

export const announcedService = (environment: Environment) => announcedIn(dataFolders(environment));

/** The running service of the installation; undefined when it does not run, or when the environment names another database. */
export function runningService(environment: Environment): Announced | undefined {
  const service = announcedService(environment)?.service;
  if (!service || !isRunning(service)) return undefined;
  return namesDatabase(environment) && !hasOwnDatabase(service) ? undefined : service;
}

const hasOwnDatabase = ({ secrets }: Announced) => secrets?.includes("DATABASE_URL") ?? false;

/**
 * Whether the announced service runs. If the file has this command's own process id, an earlier process wrote it, such as that of an
 * earlier container.
 */
function isRunning({ pid }: Announced): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The environment with the DATA_DIR of the installation; throws a sentence where only the running service has a DATABASE_URL. */
export function withDataFolder(environment: Environment): Environment {
  if (namesDatabase(environment)) return environment;
  const announced = announcedService(environment);
  const running = announced && isRunning(announced.service) ? announced : undefined;
  if (running && hasOwnDatabase(running.service))
    throw new Error(
      `The service at ${running.service.url} has its data at a DATABASE_URL; set DATABASE_URL here as it has it.`,
    );
  const folder = running ? dirname(running.file) : dataFolders(environment).find(hasData);
  return folder === undefined ? environment : { ...environment, DATA_DIR: folder };
}

const hasData = (folder: string) => existsSync(join(folder, "postgres"));

/** Throws a sentence where `serve` without DATA_DIR would make a second installation beside the running one of the checkout. */
export function expectNoOtherInstallation(environment: Environment): void {
  const here = resolve("data");
  if (namesDatabase(environment) || environment.DATA_DIR || here === dataOfCheckout || hasData(here)) return;
  const service = runningService({ DATA_DIR: dataOfCheckout });
  if (service)
    throw new Error(
      `The service of ${checkout} runs already, at ${service.url} with its data in ${dataOfCheckout}; ${here} holds none. ` +
        `For a second one here set DATA_DIR=${here}, and HTTP_PORT and DNS_PORT to other ports.`,
    );
}

const defaultUrl = "http://127.0.0.1:4000";

/** Reads the endpoint from the environment; throws a sentence when the key is missing, or it or the URL is not valid. */
export function readEndpoint(environment: Environment): Endpoint {
  const [url, from] = findUrl(environment);
  const { ZONESMITH_API_KEY: key } = environment;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Error(`${from} is not a URL; write one such as "${defaultUrl}".`);
  if (!key) throw new Error("ZONESMITH_API_KEY is not set; set it to your API key.");
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Error("ZONESMITH_API_KEY is not an API key; set it to one such as zs_….");
  return { url: url.replace(/\/+$/, ""), key, from };
}

/** The URL, and where it comes from. */
export function findUrl(environment: Environment): readonly [url: string, from: string] {
  const { ZONESMITH_URL, HTTP_PORT = "", LISTEN = "", TLS_CERT } = environment;
  if (ZONESMITH_URL) return [ZONESMITH_URL, "ZONESMITH_URL"];
  if (Number(HTTP_PORT) > 0 || (LISTEN && HTTP_PORT === ""))
    return [
      `${TLS_CERT ? "https" : "http"}://${urlHost(reachableAddress(LISTEN))}:${Number(HTTP_PORT) || 4000}`,
      "HTTP_PORT and LISTEN",
    ];
  const announced = announcedService(environment);
  return announced ? [String(announced.service.url), announced.file] : [defaultUrl, "the default"];
}
