/** A table of rules that find risky settings, from the values of the settings and the contents of the database. */
import { isIP } from "node:net";
import type { Config } from "../config/config.ts";
import { serverConfig, serverUrls } from "../database/database-url.ts";
import { isLoopback } from "../net/listening-address.ts";
import {
  exampleAmong,
  exampleHostmaster,
  exampleZonesFinding,
  repairCommand,
  settingWarnings,
} from "../session/operator-policy.ts";
import type { Stock } from "./database-contents.ts";
import { type Finding, note, ok, warning } from "./finding.ts";

/** The data that rules check. */
export interface SettingsView {
  readonly config: Config;
  /** The contents of the database; undefined when it cannot be read. */
  readonly stock: Stock | undefined;
  /** Whether this machine is a container, whose addresses belong to a network of its own. */
  readonly isContainer: boolean;
}

/** A finding and its fix; anything that is false means that the rule finds nothing. */
type Found = readonly [finding: string, fix: string] | false | "" | 0 | undefined;

/**
 * A rule: the settings that it checks, when it finds something, the level of its finding, and its check. The check has the name of the first
 * setting, if it has no name of its own.
 */
type SettingRule = readonly [
  settings: string,
  when: string,
  level: (view: SettingsView) => typeof warning,
  find: (view: SettingsView) => Found,
  name?: string,
];

/** Above this number of zones the embedded PostgreSQL is no longer suitable: it has no standby, and a search uses only one processor. */
const manyZones = 10_000;

/** BIND's limit on the records of an RRset and on the types of an owner. */
const limitOfBind = 100;

const isOpen = ({ LISTEN }: Config) => !isLoopback(LISTEN);

const always = () => warning;
const onlyNote = () => note;
const onceInUse = ({ stock }: SettingsView) => (stock?.zones ? warning : note);

const limits = ["RATE_LIMIT_KEY", "RATE_LIMIT_ADDRESS", "RATE_LIMIT_WRONG_KEY", "IN_FLIGHT_KEY", "IN_FLIGHT_ADDRESS"];
const offLimits = (config: Config) => limits.filter((name) => config[name as keyof Config] === 0).join(", ");

export const settingRules: readonly SettingRule[] = [
  [
    "LISTEN",
    "an address of a network, without `TLS_CERT` and without `TRUST_PROXY`: HTTP is not encrypted",
    ({ isContainer }) => (isContainer ? note : warning),
    ({ config }) =>
      isOpen(config) &&
      config.TRUST_PROXY === 0 &&
      config.TLS_CERT === "" && [
        `HTTP answers at ${config.LISTEN} without encryption: API keys${config.CONSOLE === "on" ? ", and sign-ins of the console" : ""} can be read on the way.`,
        "TLS_CERT and TLS_KEY, the files of a certificate; or LISTEN=127.0.0.1, behind a proxy on this machine that speaks TLS, with TRUST_PROXY=1",
      ],
  ],
  [
    "NAME_SERVERS",
    "the example names, or one name alone",
    onceInUse,
    ({ config }) => {
      const example = exampleAmong(config.NAME_SERVERS);
      const fix = 'NAME_SERVERS="ns1.your-domain.net. ns2.your-domain.net.", the names of your secondaries';
      if (example !== undefined) return [`New zones are lame: ${example} is an example and serves nothing.`, fix];
      return config.NAME_SERVERS.length < 2 && ["New zones have one name server; RFC 2182 asks for two or more.", fix];
    },
  ],
  [
    "HOSTMASTER",
    "the example mailbox",
    onceInUse,
    ({ config }) =>
      config.HOSTMASTER === exampleHostmaster && [
        "New zones name a hostmaster whom no mail reaches.",
        "HOSTMASTER=you@your-domain.net",
      ],
  ],
  [
    "NAME_SERVERS HOSTMASTER",
    "zones have the example's names, since they were made before these were set",
    always,
    ({ config: { NAME_SERVERS: nameServers, HOSTMASTER: hostmaster }, stock }) => {
      const isSet = settingWarnings({ nameServers, hostmaster }).length === 0;
      const first = isSet ? "" : "NAME_SERVERS and HOSTMASTER, as above; then ";
      const fix = `${first}${repairCommand}, which shows the repair and asks`;
      return stock?.exampleZones && [exampleZonesFinding(stock.exampleZones), fix];
    },
    "example names",
  ],
  [
    "SECRET_KEY",
    "unset: TSIG secrets are stored in the clear",
    ({ config, stock }) => (config.DATABASE_URL !== "" && stock?.tsigKeys ? warning : note),
    ({ config }) =>
      config.SECRET_KEY === "" && [
        "Secrets of TSIG keys are stored in the clear; whoever reads the database, or a backup of it, has them.",
        'SECRET_KEY="$(openssl rand -hex 32)", kept with the other settings; it is for keys that are created from then on',
      ],
  ],
  [
    "TSIG_WEAK_ALGORITHMS",
    "`yes`",
    always,
    ({ config, stock }) => {
      const used = stock?.weakKeys.length ? `; ${stock.weakKeys.join(", ")} has such a one` : "";
      const fix = "TSIG_WEAK_ALGORITHMS=no, once each client has a key of hmac-sha256: zonesmith tsig add";
      return config.TSIG_WEAK_ALGORITHMS === "yes" && [`Keys of hmac-sha1 and hmac-md5 are accepted${used}.`, fix];
    },
  ],
  [
    "TSIG_WEAK_ALGORITHMS",
    "`no`, and there are TSIG keys of hmac-sha1 or hmac-md5",
    always,
    ({ config, stock }) =>
      config.TSIG_WEAK_ALGORITHMS === "no" &&
      stock?.weakKeys.length && [
        `TSIG keys with a weak algorithm, which is not accepted: ${stock.weakKeys.join(", ")}.`,
        stock.weakKeys.map((name) => `zonesmith tsig revoke ${name}`).join("; "),
      ],
  ],
  [
    limits.join(" "),
    "0, which is no limit",
    ({ config }) => (isOpen(config) ? warning : note),
    ({ config }) =>
      offLimits(config) && [
        `Requests are not limited: ${offLimits(config)} is 0.`,
        `leave ${offLimits(config)} unset, for the defaults`,
      ],
    "limits",
  ],
  [
    "RRSET_RECORDS OWNER_TYPES",
    "above 100, or 0: BIND rejects such zones",
    always,
    ({ config }) =>
      [config.RRSET_RECORDS, config.OWNER_TYPES].some((limit) => limit === 0 || limit > limitOfBind) && [
        `More than ${limitOfBind} records of an owner and type, or types of an owner, are allowed; BIND rejects such a zone as a whole.`,
        `RRSET_RECORDS=${limitOfBind} OWNER_TYPES=${limitOfBind}, unless no secondary is BIND`,
      ],
  ],
  [
    "RESTORE_POLICY",
    "`automatic`, once there are secondaries",
    onlyNote,
    ({ config, stock }) =>
      config.RESTORE_POLICY === "automatic" &&
      stock?.secondaries.length && [
        "After a restored backup, zones are published at once as the backup has them.",
        "RESTORE_POLICY=confirm, to look first at what was lost (zones are held until confirmRestore)",
      ],
  ],
  [
    "DNS_LISTEN",
    "an address of this machine alone, and a secondary is on another",
    always,
    ({ config, stock }) => {
      const remote = stock?.secondaries.filter(({ address }) => !isLoopback(address)).map(({ name }) => name) ?? [];
      const finding = `DNS listens on ${config.DNS_LISTEN}, where secondaries on other machines cannot transfer from: ${remote.join(", ")}.`;
      const fix = "DNS_LISTEN=0.0.0.0, or the address that they reach";
      return isLoopback(config.DNS_LISTEN) && remote.length > 0 && [finding, fix];
    },
  ],
  [
    "NAME_SERVERS",
    "there are zones, and no secondary or a single one",
    always,
    ({ config, stock }) => {
      if (!stock?.zones) return undefined;
      const count = stock.secondaries.length;
      const fix = "zonesmith secondary add ns2 192.0.2.2 53; zonesmith secondary config ns2 --server knot";
      if (count === 0) return ["No name server serves the zones: there is no secondary.", fix];
      const one = "There is one secondary; when it is down, all zones are (RFC 2182).";
      return count === 1 && config.NAME_SERVERS.length > 0 && [one, fix];
    },
    "secondaries",
  ],
  [
    "DATABASE_URL",
    "unset, for more than 10,000 zones",
    always,
    ({ config, stock }) =>
      config.DATABASE_URL === "" &&
      (stock?.zones ?? 0) > manyZones && [
        `The embedded PostgreSQL holds ${stock?.zones} zones; it has no standby, and ends with the service.`,
        "DATABASE_URL=postgresql://user:password@host/database, of a PostgreSQL with a standby (docs/high-availability.md)",
      ],
  ],
  [
    "DATABASE_URL",
    "another machine without TLS",
    ({ config }) => (isPrivate(unencryptedHost(config) ?? "") ? note : warning),
    ({ config }) => {
      const host = unencryptedHost(config);
      const fix = "sslmode=verify-full in DATABASE_URL (docs/high-availability.md)";
      return host !== undefined && [`The connection to ${host} is not encrypted.`, fix];
    },
  ],
  [
    "CORS_ORIGINS",
    "an origin without TLS",
    always,
    ({ config }) => {
      const isClear = (text: string) => text.startsWith("http:") && !isLoopback(new URL(text).hostname);
      const clear = config.CORS_ORIGINS.filter(isClear);
      const fix = clear.map((origin) => origin.replace("http:", "https:")).join(" ");
      return clear.length > 0 && [`Pages that anybody on the way can change may call: ${clear.join(", ")}.`, fix];
    },
  ],
  [
    "LOG_LEVEL",
    "`silent` or `fatal`",
    onlyNote,
    ({ config }) =>
      ["silent", "fatal"].includes(config.LOG_LEVEL) && ["What fails is not in the log.", "LOG_LEVEL=info"],
  ],
];

/** Returns the host of a database on another machine to which connections are not encrypted. */
function unencryptedHost({ DATABASE_URL: url }: Config): string | undefined {
  if (url === "") return undefined;
  const hosts = serverUrls(url)
    .map(serverConfig)
    .filter(({ ssl }) => ssl === undefined || ssl === false)
    .map(({ host = "" }) => host);
  const elsewhere = hosts.filter((host) => host !== "" && !host.startsWith("/") && !isLoopback(host));
  return elsewhere.find((host) => !isPrivate(host)) ?? elsewhere[0];
}

export function checkSettings(view: SettingsView): Finding[] {
  const findings = settingRules.flatMap(([settings, , level, find, name = settings.replace(/ .*/, "")]) => {
    const result = find(view);
    return result ? [level(view)(name, ...result)] : [];
  });
  return findings.some(({ level }) => level !== "NOTE") ? findings : [ok("settings", "valid"), ...findings];
}

/** Whether a host is in a private network (RFC 1918, RFC 4193), or a name without a dot, as in networks of containers. */
function isPrivate(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, "");
  if (isIP(address) === 0) return !host.includes(".");
  return /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|f[cd]|fe80:)/i.test(address);
}
