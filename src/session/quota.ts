/**
 * The quotas of users: what each counts, and its default setting. The settings, the refusals, the schema and docs/operation.md take their
 * texts from this table.
 */

import { type Sql, sql } from "../sql/sql.ts";

interface QuotaKind {
  readonly setting: `QUOTA_${string}`;
  /** The counted noun, as in "10 domains". */
  readonly counted: string;
  readonly meaning: string;
  readonly advice: string;
}

export const quotaKinds = {
  domains: {
    setting: "QUOTA_DOMAINS",
    counted: "domains",
    meaning: "domains that the user owns; deleted ones do not count",
    advice: "delete a domain that is not needed",
  },
  recordsPerDomain: {
    setting: "QUOTA_DOMAIN_RECORDS",
    counted: "records in a domain",
    meaning: "records of each domain of the user, with SOA and NS",
    advice: "remove records of it that are not needed",
  },
  records: {
    setting: "QUOTA_RECORDS",
    counted: "records in all",
    meaning: "records of all domains of the user, with SOA and NS",
    advice: "remove records that are not needed",
  },
  changesPerDay: {
    setting: "QUOTA_CHANGES",
    counted: "changes a day",
    meaning:
      "changes of the user's zones in a day (UTC), by any key and of any size; a change set counts one for each zone",
    advice: "go on after midnight UTC",
  },
} as const satisfies Readonly<Record<string, QuotaKind>>;

export type QuotaName = keyof typeof quotaKinds;

export const quotaNames = Object.keys(quotaKinds) as readonly QuotaName[];

export type Quota = Readonly<Record<QuotaName, number | null>>;

/** The greatest limit: counts are integers of four bytes. */
export const maxQuota = 2_147_483_647;

export const isLimited = (quota: Quota): boolean => quotaNames.some((name) => quota[name] !== null);

/** `isLimited` in SQL; `quota` is JSON. */
export const isLimitedIn = (quota: Sql): Sql<boolean> => sql<boolean>`(jsonb_strip_nulls(${quota}) <> '{}')`;

export const quotaInForce = (set: Partial<Quota>, defaults: Quota): Quota => ({ ...defaults, ...set });
