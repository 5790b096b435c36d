/** The operator's policy for zones: TTL bounds, default records, limits, zones of one label. */
import type { Quota } from "./quota.ts";

/** SOA timers of a new zone, seconds (RFC 1035 §3.3.13). */
interface SoaTimers {
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly minimum: number;
}

/** The most records of an RRset and the most types of a name; 0 means no limit. */
export interface OwnerLimits {
  readonly records: number;
  readonly types: number;
}

interface ChangeSetLimits {
  /** The most zones, and the most edits, of a change set. */
  readonly zones: number;
  readonly records: number;
  /** The most open change sets of a user. */
  readonly open: number;
  /** An untouched change set ends after this many days. */
  readonly days: number;
  /** The most seconds that a scheduled change set may be late before it counts as missed. */
  readonly graceSeconds: number;
}

export interface PrimaryTls {
  readonly port: number;
  readonly isRequired: boolean;
  readonly needsClientCertificate: boolean;
  /** A name of the certificate in use, and its issuer. */
  readonly certificate: () => { readonly name: string; readonly issuer: string };
}

/** The policy; service/sessions.ts makes it from the settings. TTLs are in seconds. */
export interface Policy {
  readonly nameServers: readonly string[];
  readonly hostmaster: string;
  readonly soaTimers: SoaTimers;
  readonly ttlChoices: readonly number[];
  readonly ttlMin: number;
  readonly ttlMax: number;
  readonly topLevelZones: boolean;
  /** Days for which the name of a deleted zone is reserved for its user; 0 means never. */
  readonly deletedZoneGraceDays: number;
  readonly ownerLimits: OwnerLimits;
  readonly changeSetLimits: ChangeSetLimits;
  readonly quota: Quota;
  /** The key that encrypts TSIG secrets in the database; empty stores them unencrypted. */
  readonly secretKey: string;
  readonly catalogZone: string;
  /** The members after which a further catalog is begun; 0 means no limit. */
  readonly catalogMembersMax: number;
  /** Where the name server listens. A secondary cannot use a wildcard address. */
  readonly primary: { readonly address: string; readonly port: number; readonly tls?: PrimaryTls | undefined };
  /** After how many seconds a change counts as LATE when a required secondary does not serve it yet. */
  readonly publicationLateSeconds: number;
  readonly weakTsigAlgorithms: boolean;
  /** Private addresses and prefixes that webhooks may have. */
  readonly privateWebhookAddresses: readonly string[];
  /** The most requests of one key in a minute and in progress; 0 means no limit. */
  readonly requestLimits: { readonly perMinute: number; readonly inProgress: number };
  /** Through which name servers are found; undefined when they are not asked. */
  readonly resolver: { readonly address: string; readonly port: number } | undefined;
  readonly importMegabytes: number;
  readonly importRecords: number;
  /** The shared template of new domains; empty for the default records. */
  readonly defaultTemplate: string;
  /**
   * Secondaries may serve serials that are not proven to come from this service. `automatic`: the service publishes to them at once.
   * `confirm`: only after a confirmation.
   */
  readonly restorePolicy: "automatic" | "confirm";
}

/** The name servers of new zones while NAME_SERVERS is not set: names that nobody serves (RFC 2606). */
export const exampleNameServers = ["ns1.zonesmith.example.", "ns2.zonesmith.example."];

/** The first name under `example`, which cannot exist; undefined without one. */
export const exampleAmong = (nameServers: readonly string[]) =>
  nameServers.find((name) => /(^|\.)example\.$/.test(name));

/** The warning that new zones are lame, with the line to set, while a name server is an example; undefined otherwise. */
export function lameZonesWarning(nameServers: readonly string[]): string | undefined {
  const example = exampleAmong(nameServers);
  if (example === undefined) return undefined;
  return `New zones are lame: ${example} is an example and serves nothing. Start the service with NAME_SERVERS="ns1.your-domain.net. ns2.your-domain.net.", the names of your secondaries.`;
}

/** The mailbox of new zones while HOSTMASTER is not set; nobody reads it. */
export const exampleHostmaster = "hostmaster.zonesmith.example.";

/** The warnings about example values in the settings of new zones, with the line to set. */
export function settingWarnings({ nameServers, hostmaster }: Pick<Policy, "nameServers" | "hostmaster">): string[] {
  const isExample = hostmaster === exampleHostmaster;
  return [
    lameZonesWarning(nameServers),
    isExample
      ? "New zones name a hostmaster whom no mail reaches. Start the service with HOSTMASTER=you@your-domain.net."
      : undefined,
  ].filter((warning) => warning !== undefined);
}

export const repairCommand = "zonesmith edit --example-names";

export const exampleZonesFinding = (zones: number) =>
  `${zones === 1 ? "1 zone has" : `${zones} zones have`} the example's name servers or mailbox in NS and SOA records.`;

export function exampleZonesWarning(zones: number, policy: Pick<Policy, "nameServers" | "hostmaster">): string {
  const first = settingWarnings(policy).length === 0 ? "" : "Once NAME_SERVERS and HOSTMASTER are set, ";
  return `${exampleZonesFinding(zones)} ${first}"${repairCommand}" shows the repair and asks before it makes it.`;
}

/** The TTL, in seconds, of a record without one that is the first of its RRset. */
export function defaultTtl(policy: Policy): number {
  return Math.min(Math.max(3600, policy.ttlMin), policy.ttlMax);
}
