/**
 * The settings that the checks use. If the service runs, they are the settings in its service.json, with the secrets from the environment
 * of the shell, since service.json has no secrets. Otherwise they are the settings in the environment of the shell.
 */
import { type Config, readConfig, type ShownSettings, secretNames, shownSettings } from "../config/config.ts";
import { type Finding, note, textOf } from "./finding.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface SettingsInForce {
  readonly config: Config;
  /** The secrets that only the service has. In `config` such a secret is a placeholder; DATABASE_URL is empty. */
  readonly hidden: readonly string[];
  /** Reports settings of the shell that differ from those of the service. */
  readonly findings: readonly Finding[];
}

/** The placeholder of a secret, of a valid length. */
const unknown = "a secret that the service alone has";

/** Returns the settings to use; throws a sentence when no service runs and the settings of the shell are not valid. */
export function settingsInForce(environment: Environment, running?: Partial<ShownSettings>): SettingsInForce {
  const { settings, secrets = [] } = running ?? {};
  if (!settings) return { config: readConfig(environment), hidden: [], findings: [] };
  const inForce = withSecretsOf(environment, settings);
  const secretsOfShell = shownSettings(inForce).secrets;
  const hidden = secrets.filter((name) => !secretsOfShell.includes(name));
  const standIns = hidden.filter((name) => name !== "DATABASE_URL").map((name) => [name, unknown]);
  const config = { ...inForce, ...Object.fromEntries(standIns) };
  return { config, hidden, findings: findingsOf(environment, settings) };
}

/** Returns the settings of the service with the secrets of the shell; without the secrets when they are not valid. */
function withSecretsOf(environment: Environment, settings: ShownSettings["settings"]): Config {
  const ofShell = Object.entries(environment).filter(([name]) => secretNames.includes(name.replace(/_FILE$/, "")));
  try {
    return readConfig({ ...Object.fromEntries(ofShell), ...settings });
  } catch {
    return readConfig(settings);
  }
}

/** Compares the settings of the shell with those of the service. */
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
