/**
 * Settings that invite trouble, as a table of rules: what is found by a value, together with what the database holds, and what to set.
 */

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

/** What a rule looks at. */
export interface SettingsView {
  readonly config: Config;
  /** What the database holds; undefined when it cannot be read. */
  readonly stock: Stock | undefined;
  /** Whether this is a container, whose addresses are those of a network of its own. */
  readonly isContainer: boolean;
}

/** The settings that a rule is about, when it has something to say, and what it says; undefined otherwise. */
export type SettingRule = readonly [settings: string, when: string, find: (view: SettingsView) => Finding | undefined];

/** Zones above which the embedded PostgreSQL, without a standby and with one processor for a search, is the wrong place. */
const manyZones = 10_000;

/** The limit of BIND on the records of an RRset and on the types of an owner. */
const limitOfBind = 100;

const isOpen = ({ LISTEN }: Config) => !isLoopback(LISTEN);
const isBehindProxy = ({ TRUST_PROXY }: Config) => TRUST_PROXY > 0;

/** A finding that does no harm before there are zones, or on a network of containers. */
const unless = (isHarmless: boolean) => (isHarmless ? note : warning);

const limits = ["RATE_LIMIT_KEY", "RATE_LIMIT_ADDRESS", "RATE_LIMIT_WRONG_KEY", "IN_FLIGHT_KEY", "IN_FLIGHT_ADDRESS"];

export const settingRules: readonly SettingRule[] = [
  [
    "LISTEN",
    "an address of a network, without `TLS_CERT` and without `TRUST_PROXY`: HTTP is not encrypted",
    ({ config, isContainer }) => {
      if (!isOpen(config) || isBehindProxy(config) || config.TLS_CERT !== "") return undefined;
      const pages = config.CONSOLE === "on" ? ", and sign-ins of the console" : "";
      return unless(isContainer)(
        "LISTEN",
        `HTTP answers at ${config.LISTEN} without encryption: API keys${pages} can be read on the way.`,
        "TLS_CERT and TLS_KEY, the files of a certificate; or LISTEN=127.0.0.1, behind a proxy on this machine that speaks TLS, with TRUST_PROXY=1",
      );
    },
  ],
  [
    "NAME_SERVERS",
    "the example names, or one name alone",
    ({ config, stock }) => {
      const example = exampleAmong(config.NAME_SERVERS);
      const fix = 'NAME_SERVERS="ns1.your-domain.net. ns2.your-domain.net.", the names of your secondaries';
      if (example !== undefined)
        return unless(!stock?.zones)(
          "NAME_SERVERS",
          `New zones are lame: ${example} is an example and serves nothing.`,
          fix,
        );
      if (config.NAME_SERVERS.length > 1) return undefined;
      return unless(!stock?.zones)(
        "NAME_SERVERS",
        "New zones have one name server; RFC 2182 asks for two or more.",
        fix,
      );
    },
  ],
  [
    "HOSTMASTER",
    "the example mailbox",
    ({ config, stock }) =>
      config.HOSTMASTER === exampleHostmaster
        ? unless(!stock?.zones)(
            "HOSTMASTER",
            "New zones name a hostmaster whom no mail reaches.",
            "HOSTMASTER=you@your-domain.net",
          )
        : undefined,
  ],
  [
    "NAME_SERVERS HOSTMASTER",
    "zones have the example's names, since they were made before these were set",
    ({ config, stock }) => {
      if (!stock?.exampleZones) return undefined;
      const { NAME_SERVERS: nameServers, HOSTMASTER: hostmaster } = config;
      const isSet = settingWarnings({ nameServers, hostmaster }).length === 0;
      const first = isSet ? "" : "NAME_SERVERS and HOSTMASTER, as above; then ";
      const fix = `${first}${repairCommand}, which shows the repair and asks`;
      return warning("example names", exampleZonesFinding(stock.exampleZones), fix);
    },
  ],
  [
    "SECRET_KEY",
    "unset: TSIG secrets are stored in the clear",
    ({ config, stock }) =>
      config.SECRET_KEY === ""
        ? unless(config.DATABASE_URL === "" || !stock?.tsigKeys)(
            "SECRET_KEY",
            "Secrets of TSIG keys are stored in the clear; whoever reads the database, or a backup of it, has them.",
            'SECRET_KEY="$(openssl rand -hex 32)", kept with the other settings; it is for keys that are created from then on',
          )
        : undefined,
  ],
  [
    "TSIG_WEAK_ALGORITHMS",
    "`yes`",
    ({ config, stock }) => {
      if (config.TSIG_WEAK_ALGORITHMS === "no") return undefined;
      const used = stock?.weakKeys.length ? `; ${stock.weakKeys.join(", ")} has such a one` : "";
      return warning(
        "TSIG_WEAK_ALGORITHMS",
        `Keys of hmac-sha1 and hmac-md5 are accepted${used}.`,
        "TSIG_WEAK_ALGORITHMS=no, once each client has a key of hmac-sha256: zonesmith tsig add",
      );
    },
  ],
  [
    "TSIG_WEAK_ALGORITHMS",
    "`no`, and there are TSIG keys of hmac-sha1 or hmac-md5",
    ({ config, stock }) =>
      config.TSIG_WEAK_ALGORITHMS === "no" && stock?.weakKeys.length
        ? warning(
            "TSIG_WEAK_ALGORITHMS",
            `TSIG keys with a weak algorithm, which is not accepted: ${stock.weakKeys.join(", ")}.`,
            stock.weakKeys.map((name) => `zonesmith tsig revoke ${name}`).join("; "),
          )
        : undefined,
  ],
  [
    limits.join(" "),
    "0, which is no limit",
    ({ config }) => {
      const off = limits.filter((name) => config[name as keyof Config] === 0);
      if (off.length === 0) return undefined;
      const fix = `leave ${off.join(", ")} unset, for the defaults`;
      return unless(!isOpen(config))("limits", `Requests are not limited: ${off.join(", ")} is 0.`, fix);
    },
  ],
  [
    "RRSET_RECORDS OWNER_TYPES",
    "above 100, or 0: BIND rejects such zones",
    ({ config: { RRSET_RECORDS: records, OWNER_TYPES: types } }) =>
      [records, types].some((limit) => limit === 0 || limit > limitOfBind)
        ? warning(
            "RRSET_RECORDS",
            `More than ${limitOfBind} records of an owner and type, or types of an owner, are allowed; BIND rejects such a zone as a whole.`,
            `RRSET_RECORDS=${limitOfBind} OWNER_TYPES=${limitOfBind}, unless no secondary is BIND`,
          )
        : undefined,
  ],
  [
    "RESTORE_POLICY",
    "`automatic`, once there are secondaries",
    ({ config, stock }) =>
      config.RESTORE_POLICY === "automatic" && stock?.secondaries.length
        ? note(
            "RESTORE_POLICY",
            "After a restored backup, zones are published at once as the backup has them.",
            "RESTORE_POLICY=confirm, to look first at what was lost (zones are held until confirmRestore)",
          )
        : undefined,
  ],
  [
    "DNS_LISTEN",
    "an address of this machine alone, and a secondary is on another",
    ({ config, stock }) => {
      const remote = stock?.secondaries.filter(({ address }) => !isLoopback(address)) ?? [];
      if (!isLoopback(config.DNS_LISTEN) || remote.length === 0) return undefined;
      return warning(
        "DNS_LISTEN",
        `DNS listens on ${config.DNS_LISTEN}, where secondaries on other machines cannot transfer from: ${remote.map(({ name }) => name).join(", ")}.`,
        "DNS_LISTEN=0.0.0.0, or the address that they reach",
      );
    },
  ],
  [
    "NAME_SERVERS",
    "there are zones, and no secondary or a single one",
    ({ config, stock }) => {
      if (!stock?.zones) return undefined;
      const count = stock.secondaries.length;
      const fix = "zonesmith secondary add ns2 192.0.2.2 53; zonesmith secondary config ns2 --server knot";
      if (count === 0) return warning("secondaries", "No name server serves the zones: there is no secondary.", fix);
      if (count === 1 && config.NAME_SERVERS.length > 0)
        return warning("secondaries", "There is one secondary; when it is down, all zones are (RFC 2182).", fix);
      return undefined;
    },
  ],
  [
    "DATABASE_URL",
    "unset, for more than 10,000 zones",
    ({ config, stock }) =>
      config.DATABASE_URL === "" && (stock?.zones ?? 0) > manyZones
        ? warning(
            "DATABASE_URL",
            `The embedded PostgreSQL holds ${stock?.zones} zones; it has no standby, and ends with the service.`,
            "DATABASE_URL=postgresql://user:password@host/database, of a PostgreSQL with a standby (docs/high-availability.md)",
          )
        : undefined,
  ],
  [
    "DATABASE_URL",
    "another machine without TLS",
    ({ config }) => {
      const clear = config.DATABASE_URL === "" ? undefined : unencryptedHost(config.DATABASE_URL);
      if (clear === undefined) return undefined;
      const fix = "sslmode=verify-full in DATABASE_URL (docs/high-availability.md)";
      return unless(isPrivate(clear))("DATABASE_URL", `The connection to ${clear} is not encrypted.`, fix);
    },
  ],
  [
    "CORS_ORIGINS",
    "an origin without TLS",
    ({ config }) => {
      const clear = config.CORS_ORIGINS.filter(
        (origin) => origin.startsWith("http:") && !isLoopback(new URL(origin).hostname),
      );
      return clear.length > 0
        ? warning(
            "CORS_ORIGINS",
            `Pages that anybody on the way can change may call: ${clear.join(", ")}.`,
            clear.map((origin) => origin.replace("http:", "https:")).join(" "),
          )
        : undefined;
    },
  ],
  [
    "LOG_LEVEL",
    "`silent` or `fatal`",
    ({ config }) =>
      ["silent", "fatal"].includes(config.LOG_LEVEL)
        ? note("LOG_LEVEL", "What fails is not in the log.", "LOG_LEVEL=info")
        : undefined,
  ],
];

/** The host of a database on another machine to which connections are not encrypted. */
function unencryptedHost(url: string): string | undefined {
  const hosts = serverUrls(url)
    .map(serverConfig)
    .filter(({ ssl }) => ssl === undefined || ssl === false)
    .map(({ host = "" }) => host);
  const elsewhere = hosts.filter((host) => host !== "" && !host.startsWith("/") && !isLoopback(host));
  return elsewhere.find((host) => !isPrivate(host)) ?? elsewhere[0];
}

/** What the rules find; one line when that is nothing. */
export function checkSettings(view: SettingsView): Finding[] {
  const findings = settingRules.map(([, , find]) => find(view)).filter((each) => each !== undefined);
  return findings.some(({ level }) => level !== "NOTE") ? findings : [ok("settings", "valid"), ...findings];
}

/** Whether a host is of a private network (RFC 1918, RFC 4193), or a name without a dot, as networks of containers have them. */
function isPrivate(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, "");
  if (isIP(address) === 0) return !host.includes(".");
  return /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|f[cd]|fe80:)/i.test(address);
}
