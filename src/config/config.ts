/** Reads the settings from process.env, which nothing else reads. NAME_FILE is the path of a file with the value of a secret NAME. */
import { readFileSync } from "node:fs";
import type { Setting } from "./setting.ts";
import { settings } from "./settings.ts";

export type Config = { readonly [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]["parse"]> };

export interface ShownSettings {
  /** The settings except secrets, each as a text that `readConfig` reads. */
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

export const secretNames = Object.entries(settings)
  .filter(([, setting]) => "secret" in setting && setting.secret)
  .map(([name]) => name);

/** Returns the settings without secrets. A URL is without its user, password, query and fragment, which can be secrets. */
export function shownSettings(config: Config): ShownSettings {
  const isSecret = (name: string) => secretNames.includes(name);
  const textOf = (value: Config[keyof Config]) =>
    Array.isArray(value) ? value.join(" ") : withoutSecrets(String(value ?? ""));
  const entries = Object.entries(config);
  return {
    settings: Object.fromEntries(entries.flatMap(([name, value]) => (isSecret(name) ? [] : [[name, textOf(value)]]))),
    secrets: entries.flatMap(([name, value]) => (isSecret(name) && value !== "" ? [name] : [])),
  };
}

/** Returns scheme, host, port and path of an HTTP URL; another text unchanged. */
function withoutSecrets(text: string): string {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return text;
  const { origin, pathname } = new URL(text);
  return pathname === "/" ? origin : `${origin}${pathname}`;
}

/** Reads the settings from `environment`; throws one line that names every invalid setting and says what to write. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];
  const entries = Object.entries(settings).map(([name, setting]) => {
    try {
      return [name, (setting as Setting<unknown>).parse(settingText(name, setting, environment))];
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message}`);
      return [name, undefined];
    }
  });
  const config = Object.fromEntries(entries) as Config;
  if (problems.length === 0) problems.push(...problemsOf(config));
  if (problems.length > 0) throw new Error(`The configuration is not valid. ${problems.join("; ")}.`);
  return Object.freeze(config);
}

/** Returns the text of a setting: from its file, from the environment, or its default. */
function settingText(name: string, setting: Omit<Setting<unknown>, "parse">, environment: NodeJS.ProcessEnv): string {
  const hasOwnDatabase = Boolean(environment.DATABASE_URL?.trim() || environment.DATABASE_URL_FILE);
  if (name === "DATA_DIR" && hasOwnDatabase && !environment[name]?.trim()) return "";
  const file = setting.secret ? environment[`${name}_FILE`] : undefined;
  const value = environment[name];
  if (!file) return value === undefined || value.trim() === "" ? setting.default : value.trim();
  if (value) throw new Error(`set either ${name} or ${name}_FILE, not both`);
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new Error(`${name}_FILE cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function problemsOf(config: Config): string[] {
  const problems: string[] = [];
  if (config.TTL_MIN > config.TTL_MAX) problems.push("TTL_MIN: write a number that is not above TTL_MAX");
  if (config.TTL_CHOICES.length === 0) problems.push("TTL_CHOICES: write at least one TTL");
  for (const name of ["ADMIN_API_KEY", "METRICS_KEY"] as const)
    if (config[name] !== "" && !/^[\x21-\x7e]{32,256}$/.test(config[name]))
      problems.push(`${name}: write 32 to 256 printable characters without blanks`);
  if (config.SECRET_KEY !== "" && config.SECRET_KEY.length < 32)
    problems.push("SECRET_KEY: write 32 characters or more");
  if (config.DATABASE_OWNER_URL !== "" && config.DATABASE_URL === "")
    problems.push("DATABASE_OWNER_URL is set without DATABASE_URL: set both");
  if (config.DATABASE_READ_URL !== "" && config.DATABASE_URL === "")
    problems.push("DATABASE_READ_URL is set without DATABASE_URL: set both");
  return [...problems, ...tlsProblemsOf(config)];
}

function tlsProblemsOf(config: Config): string[] {
  const problems: string[] = [];
  const needs = (name: keyof Config, other: keyof Config, isThere = Boolean(config[other])) => {
    if (config[name] && !isThere) problems.push(`${name} is set without ${other}: set both`);
  };
  needs("TLS_CERT", "TLS_KEY");
  needs("TLS_KEY", "TLS_CERT");
  needs("DNS_TLS_CERT", "DNS_TLS_KEY");
  needs("DNS_TLS_KEY", "DNS_TLS_CERT");
  const { DNS_TLS_PORT: port } = config;
  for (const name of ["DNS_TLS_CERT", "DNS_TLS_CLIENT_CA"] as const) needs(name, "DNS_TLS_PORT", port !== undefined);
  if (config.DNS_TRANSFER === "tls" && port === undefined)
    problems.push("DNS_TRANSFER=tls lets no zone be transferred without DNS_TLS_PORT: set both");
  if (port !== undefined && config.TLS_CERT === "" && config.DNS_TLS_CERT === "")
    problems.push("DNS_TLS_PORT needs a certificate: set TLS_CERT and TLS_KEY, or DNS_TLS_CERT and DNS_TLS_KEY");
  return problems;
}
