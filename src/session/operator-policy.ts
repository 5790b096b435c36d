/**
 * The operator's policy for zones: TTL bounds, the default records of a new zone, limits, zones of one label.
 */
import type { Quota } from "./quota.ts";

/** SOA timers of a new zone, seconds (RFC 1035 §3.3.13). */
export interface SoaTimers {
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly minimum: number;
}

/** How many records an RRset, and how many types a name may have; 0 means no limit. */
export interface OwnerLimits {
  readonly records: number;
  readonly types: number;
}

/** Limits of change sets. */
export interface ChangeSetLimits {
  /** The most zones and edits of one. */
  readonly zones: number;
  readonly records: number;
  /** The most of one user that are not over. */
  readonly open: number;
  /** Days after which one ends that nobody touches. */
  readonly days: number;
  /** How late a scheduled one may be before it counts as missed, seconds. */
  readonly graceSeconds: number;
}

/** DNS over TLS, as a secondary has to know it. */
export interface PrimaryTls {
  readonly port: number;
  /** Whether zones are transferred over TLS alone. */
  readonly isRequired: boolean;
  readonly needsClientCertificate: boolean;
  /** The certificate that is in use: a name that it is for, and who issued it. */
  readonly certificate: () => { readonly name: string; readonly issuer: string };
}

/** The policy; service/session-factory.ts fills it from the configuration. TTLs are seconds. */
export interface Policy {
  readonly nameServers: readonly string[];
  readonly hostmaster: string;
  readonly soaTimers: SoaTimers;
  readonly ttlChoices: readonly number[];
  readonly ttlMin: number;
  readonly ttlMax: number;
  readonly topLevelZones: boolean;
  /** Days for which the name of a deleted zone is kept for its user; 0 is not at all. */
  readonly deletedZoneGraceDays: number;
  readonly ownerLimits: OwnerLimits;
  readonly changeSetLimits: ChangeSetLimits;
  /** The quota of users for whom an administrator has not set another. */
  readonly quota: Quota;
  /** The key that encrypts TSIG secrets in the database; when empty, they are stored in the clear. */
  readonly secretKey: string;
  /** The canonical name of the catalog zone. */
  readonly catalogZone: string;
  /** Where the name server listens; the address may be a wildcard, which a secondary cannot use. */
  readonly primary: { readonly address: string; readonly port: number; readonly tls?: PrimaryTls | undefined };
  /** Seconds after which a change that a required secondary does not serve is LATE. */
  readonly publicationLateSeconds: number;
  readonly weakTsigAlgorithms: boolean;
  /** Addresses and prefixes outside of the public internet that webhooks may have. */
  readonly privateWebhookAddresses: readonly string[];
  /** Requests of one key, in a minute and in progress; 0 means no limit. */
  readonly requestLimits: { readonly perMinute: number; readonly inProgress: number };
  /** The largest master file that may be imported. */
  readonly importMegabytes: number;
  readonly importRecords: number;
  /** The name of the shared template of new domains; empty for the default records. */
  readonly defaultTemplate: string;
  /** Whether secondaries that serve what is not proven to be ours are published to at once, or after a confirmation. */
  readonly restorePolicy: "automatic" | "confirm";
}

/** The name servers of a service whose operator has not set NAME_SERVERS: names that nobody serves (RFC 2606). */
export const exampleNameServers = ["ns1.zonesmith.example.", "ns2.zonesmith.example."];

/** The first of these names that is an example, which cannot exist; undefined when none is. */
export const exampleAmong = (nameServers: readonly string[]) =>
  nameServers.find((name) => /(^|\.)example\.$/.test(name));

/**
 * Says that new zones will be lame, and the line to set, while a name server is an example; undefined when none is.
 */
export function lameZonesWarning(nameServers: readonly string[]): string | undefined {
  const example = exampleAmong(nameServers);
  if (example === undefined) return undefined;
  return `New zones are lame: ${example} is an example and serves nothing. Start the service with NAME_SERVERS="ns1.your-domain.net. ns2.your-domain.net.", the names of your secondaries.`;
}

/** The mailbox of a service whose operator has not set HOSTMASTER, which nobody reads. */
export const exampleHostmaster = "hostmaster.zonesmith.example.";

/** What cannot stay of the settings of new zones, each with the line to set. */
export function settingWarnings({ nameServers, hostmaster }: Pick<Policy, "nameServers" | "hostmaster">): string[] {
  const isExample = hostmaster === exampleHostmaster;
  return [
    lameZonesWarning(nameServers),
    isExample
      ? "New zones name a hostmaster whom no mail reaches. Start the service with HOSTMASTER=you@your-domain.net."
      : undefined,
  ].filter((warning) => warning !== undefined);
}

/** What repairs zones that have the names of the example. */
export const repairCommand = "zonesmith edit --example-names";

/** Says how many zones have the names of the example. */
export const exampleZonesFinding = (zones: number) =>
  `${zones === 1 ? "1 zone has" : `${zones} zones have`} the example's name servers or mailbox in NS and SOA records.`;

/** The same, with what replaces them. */
export function exampleZonesWarning(zones: number, policy: Pick<Policy, "nameServers" | "hostmaster">): string {
  const first = settingWarnings(policy).length === 0 ? "" : "Once NAME_SERVERS and HOSTMASTER are set, ";
  return `${exampleZonesFinding(zones)} ${first}"${repairCommand}" shows the repair and asks before it makes it.`;
}

/** The TTL of a record that is written without one and is the first of its RRset, seconds. */
export function defaultTtl(policy: Policy): number {
  return Math.min(Math.max(3600, policy.ttlMin), policy.ttlMax);
}
