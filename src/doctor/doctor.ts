/**
 * The checks of `zonesmith doctor` in their order. It looks at the installation from beside the service, with the settings of the service:
 * at the machine, the database, the ports and, as the publisher asks them, the secondaries; it changes nothing. What cannot be looked at
 * because something else fails is left out.
 */
import { type Config, readConfig } from "../config.ts";
import { Sessions } from "../service/session-factory.ts";
import { settings } from "../settings.ts";
import { checkCertificates, checkDnsOverTls } from "./certificates.ts";
import { checkClock, reachDatabase } from "./database.ts";
import { type Finding, failure, textOf, warning } from "./finding.ts";
import { checkInstances } from "./instances.ts";
import { checkDisk, checkSecretFiles, type Machine, thisMachine } from "./machine.ts";
import { checkDns, checkHttp } from "./ports.ts";
import { checkHolds } from "./publication.ts";
import { checkSecondaries } from "./secondaries.ts";
import { checkSettings } from "./setting-rules.ts";
import { readStock } from "./stock.ts";
import { checkWebhooks } from "./webhooks.ts";

/** What is examined. */
export interface Installation {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where HTTP should answer. */
  readonly url: string;
  /** Free space below which the disk is a warning, megabytes. */
  readonly leastFree: number;
  readonly machine?: Machine;
}

const secrets = Object.entries(settings)
  .filter(([, setting]) => "secret" in setting && setting.secret)
  .map(([name]) => name);

/** The findings, each when it is known. */
export async function* examine(installation: Installation): AsyncGenerator<Finding> {
  const { environment, url } = installation;
  const http = await checkHttp(url);
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    yield failure("settings", textOf(error), "correct it; docs/settings.md lists what each may be");
    yield http;
    return;
  }
  yield* examineWith(config, http, installation);
}

async function* examineWith(
  config: Config,
  http: Finding,
  { environment, leastFree, machine = thisMachine() }: Installation,
): AsyncGenerator<Finding> {
  await using resources = new AsyncDisposableStack();
  const isRunning = http.level !== "FAILURE";
  const { orm, findings } = await reachDatabase(config, resources);
  const session = orm && new Sessions(orm, config).asSystem();
  const stock = session && (await readStock(session));
  yield* checkSettings({ config, stock, isContainer: machine.isContainer });
  yield* findings.map((each) => (isRunning && each.level === "NOTE" ? ofOtherSettings(each) : each));
  if (orm) yield await checkClock(orm, machine.now);
  yield* checkDisk(config, machine, leastFree);
  yield* checkSecretFiles(config, environment, secrets);
  yield* await checkCertificates(config, machine.now());
  yield http;
  if (isRunning) yield* await checkDns(config, stock);
  if (isRunning) yield* await checkDnsOverTls(config, machine.now());
  if (!session || !stock) return;
  if (isRunning) yield* await checkInstances(session);
  yield* await checkHolds(session);
  yield* await checkWebhooks(session);
  yield* await checkSecondaries({ session, stock, now: machine.now });
}

/** That the service runs, and its database is not where these settings say. */
const ofOtherSettings = ({ check, finding }: Finding): Finding =>
  warning(
    check,
    `${finding} But the service answers, so it has other settings than this shell.`,
    "repeat this with the settings of the service: DATA_DIR or DATABASE_URL",
  );
