/**
 * The settings that the checks go by: those that the running service keeps in service.json, with the secrets of the shell, which alone may
 * have them; without a running service those of the shell.
 */
import { type Config, readConfig, type ShownSettings, secretNames, shownSettings } from "../config/config.ts";
import { type Finding, note, textOf } from "./finding.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface SettingsInForce {
  readonly config: Config;
  /** Secrets that the service has and the shell has not; in the configuration another text stands for such a one, but for DATABASE_URL. */
  readonly hidden: readonly string[];
  /** What is to be said of settings that the shell has otherwise. */
  readonly findings: readonly Finding[];
}

/** What stands for a secret that is not known here, of a length that a secret may have. */
const unknown = "a secret that the service alone has";

/** The settings to go by; throws a sentence when those of the shell are not valid, and a running service does not say its own. */
export function settingsInForce(environment: Environment, running?: Partial<ShownSettings>): SettingsInForce {
  const { settings, secrets = [] } = running ?? {};
  if (!settings) return { config: readConfig(environment), hidden: [], findings: [] };
  const inForce = withSecretsOf(environment, settings);
  const secretsOfShell = shownSettings(inForce).secrets;
  const hidden = secrets.filter((name) => !secretsOfShell.includes(name));
  const standIns = hidden.filter((name) => name !== "DATABASE_URL").map((name) => [name, unknown]);
  return {
    config: { ...inForce, ...Object.fromEntries(standIns) },
    hidden,
    findings: findingsOf(environment, settings),
  };
}

/** The settings of the service with the secrets of the shell, or without them when these are not valid. */
function withSecretsOf(environment: Environment, settings: ShownSettings["settings"]): Config {
  const ofShell = Object.entries(environment).filter(([name]) => secretNames.includes(name.replace(/_FILE$/, "")));
  try {
    return readConfig({ ...Object.fromEntries(ofShell), ...settings });
  } catch {
    return readConfig(settings);
  }
}

/** What is to be said of a shell beside a service with these settings. */
function findingsOf(environment: Environment, settings: ShownSettings["settings"]): Finding[] {
  try {
    const own = shownSettings(readConfig(environment)).settings;
    const others = Object.keys(settings).filter((name) => environment[name]?.trim() && own[name] !== settings[name]);
    return others.length > 0 ? [otherSettings(others, settings)] : [];
  } catch (error) {
    return [invalidSettings(error)];
  }
}

const invalidSettings = (error: unknown) =>
  note(
    "settings",
    `${textOf(error)} It is that of this shell; the settings of the running service were looked at.`,
    "correct it, or unset it; docs/settings.md lists what each may be",
  );

const otherSettings = (names: readonly string[], settings: ShownSettings["settings"]) =>
  note(
    "settings",
    `The service runs with ${names.map((name) => `${name}=${word(settings[name])}`).join(" ")}, and this shell has others; those of the service were looked at.`,
    `restart the service with those of this shell, or: unset ${names.join(" ")}`,
  );

const word = (text = "") => (/^[\w.:/@-]+$/.test(text) ? text : `"${text}"`);
