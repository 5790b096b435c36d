/**
 * What the operator decides about zones: TTL bounds, the records a zone is born with, zones of one label.
 */

/** SOA timers of a new zone, seconds (RFC 1035 §3.3.13). */
export interface SoaTimers {
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly minimum: number;
}

/** The most records of an RRset and the most types at a name; 0 is no limit. */
export interface OwnerLimits {
  readonly records: number;
  readonly types: number;
}

/** The operator's decisions; `main` fills them from the configuration. */
export interface Policy {
  readonly nameServers: readonly string[];
  readonly hostmaster: string;
  readonly soaTimers: SoaTimers;
  readonly ttlChoices: readonly number[];
  readonly ttlMin: number;
  readonly ttlMax: number;
  readonly topLevelZones: boolean;
  readonly ownerLimits: OwnerLimits;
  /** What TSIG secrets are sealed with; empty: they are stored as they are. */
  readonly secretKey: string;
  /** The catalog zone's name, canonical. */
  readonly catalogZone: string;
  /** Where secondaries reach the DNS front; the address may be a wildcard, which none of them can be told. */
  readonly primary: { readonly address: string; readonly port: number };
  /** After how many seconds a change that a required secondary does not serve is LATE. */
  readonly publicationLateSeconds: number;
  readonly weakTsigAlgorithms: boolean;
}

/** The TTL of a record that comes without one and founds its RRset, seconds. */
export function defaultTtl(policy: Policy): number {
  return Math.min(Math.max(3600, policy.ttlMin), policy.ttlMax);
}
