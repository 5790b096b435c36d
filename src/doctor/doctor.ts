/**
 * The checks of `zonesmith doctor`, in their order. A process of its own checks the installation with the settings of the service: the
 * machine, the database, the ports, and the secondaries as the publisher asks them. It changes nothing. A check that cannot run because
 * an earlier one failed is left out.
 */
import { type ShownSettings, secretNames } from "../config/config.ts";
import { Sessions } from "../service/sessions.ts";
import { checkCertificates, checkDnsOverTls } from "./certificates.ts";
import { checkClock, reachDatabase } from "./database.ts";
import { readStock } from "./database-contents.ts";
import { type Finding, failure, note, textOf, warning } from "./finding.ts";
import { checkInstances } from "./instances.ts";
import { checkDisk, checkSecretFiles, type Machine, thisMachine } from "./machine.ts";
import { checkDns, checkHttp } from "./ports.ts";
import { checkHolds } from "./publication.ts";
import { checkSecondaries } from "./secondaries.ts";
import { checkSettings } from "./setting-rules.ts";
import { type SettingsInForce, settingsInForce } from "./settings-in-force.ts";
import { checkWebhooks } from "./webhooks.ts";

export interface Installation {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The settings in the discovery file of the running service; undefined without such a file. */
  readonly running?: Partial<ShownSettings> | undefined;
  /** The URL at which HTTP should answer. */
  readonly url: string;
  /** If less than this is free on the disk, the check warns, megabytes. */
  readonly leastFree: number;
  readonly machine?: Machine;
}

/** Yields each finding as soon as its check has run. */
export async function* examine(installation: Installation): AsyncGenerator<Finding> {
  const { environment, running, url } = installation;
  const http = await checkHttp(url);
  let inForce: SettingsInForce;
  try {
    inForce = settingsInForce(environment, running);
  } catch (error) {
    yield failure("settings", textOf(error), "correct it; docs/settings.md lists what each may be");
    yield http;
    return;
  }
  yield* examineWith(inForce, http, installation);
}

async function* examineWith(
  { config, hidden, findings: ofSettings }: SettingsInForce,
  http: Finding,
  { environment, leastFree, machine = thisMachine() }: Installation,
): AsyncGenerator<Finding> {
  await using resources = new AsyncDisposableStack();
  const isRunning = http.level !== "FAILURE";
  const reached = hidden.includes("DATABASE_URL") ? undefined : await reachDatabase(config, resources);
  const { orm, findings } = reached ?? { findings: [] };
  const session = orm && new Sessions(orm, config).asSystem();
  const stock = session && (await readStock(session));
  yield* checkSettings({ config, stock, isContainer: machine.isContainer });
  yield* ofSettings;
  if (!reached) yield hiddenDatabase;
  yield* findings.map((each) => (isRunning && each.level === "NOTE" ? ofOtherSettings(each) : each));
  if (orm) yield await checkClock(orm, machine.now);
  yield* checkDisk(config, machine, leastFree);
  yield* checkSecretFiles(config, environment, secretNames);
  yield* await checkCertificates(config, machine.now());
  yield http;
  if (isRunning) yield* await checkDns(config, stock);
  if (isRunning) yield* await checkDnsOverTls(config, machine.now());
  if (!session || !stock) return;
  if (isRunning) yield* checkInstances(session);
  yield* checkHolds(session);
  yield* await checkWebhooks(session);
  yield* await checkSecondaries({ session, stock, isSealed: hidden.includes("SECRET_KEY"), now: machine.now });
}

const hiddenDatabase = note(
  "database",
  "The service has a DATABASE_URL, which this shell has not; its database and the secondaries were not looked at.",
  "repeat this with DATABASE_URL as the service has it",
);

/** The finding that the running service has another database than these settings. */
const ofOtherSettings = ({ check, finding }: Finding): Finding =>
  warning(
    check,
    `${finding} But the service answers, so it has other settings than this shell.`,
    "repeat this with the settings of the service: DATA_DIR or DATABASE_URL",
  );
