/**
 * Enforces the quotas of users. Each operation on a domain of a metered user records a charge. Right before the transaction is committed,
 * the user's usage is raised once by all its charges and compared with the quota. So other operations on the user's zones wait only for
 * that moment. An operation that does not raise a figure is never refused for it. The service itself is not limited.
 */

import { User, UserUsage } from "../../account/user.ts";
import { type Reason, Refusal } from "../../errors.ts";
import { seesZone } from "../../session/authorization.ts";
import { type Quota, type QuotaName, quotaInForce, quotaKinds, quotaNames } from "../../session/quota.ts";
import { type Session, today } from "../../session/session.ts";
import { settleBeforeCommit } from "../../session/transaction.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { Domain, type StoredDomain } from "../domain.ts";

const u = table(User, "u");
const q = table(UserUsage, "q");
const d = table(Domain, "d");

/** What an operation on a domain adds to the usage of its user; negative amounts are subtracted. */
export interface Charge {
  readonly userId: number;
  readonly zone: string;
  readonly domains: number;
  readonly records: number;
  readonly changes: number;
  readonly recordCount: number;
  readonly isLimited: boolean;
}

export type Added = Pick<Charge, "domains" | "records" | "changes" | "recordCount">;

type Charged = Pick<StoredDomain, "metered" | "userId" | "zone">;

/** The charge for a domain's user; undefined for the catalog, which has no user. */
export function chargeFor(
  { actor }: Session,
  { userId, zone }: Pick<Charged, "userId" | "zone">,
  added: Added,
): Charge | undefined {
  return userId === null ? undefined : { userId, zone, isLimited: actor.role !== "system", ...added };
}

interface Excess {
  readonly quota: QuotaName;
  readonly zone: string;
  readonly limit: number;
  readonly usage: number;
  readonly wanted: number;
}

/** Records a charge for the end of the session's transaction, if the domain is metered. */
export function charge(session: Session, domain: Charged, added: Added): void {
  const charged = domain.metered ? chargeFor(session, domain, added) : undefined;
  if (charged) settleBeforeCommit(session, settle, charged);
}

/** Raises the usage of users by the charges of a transaction, in the order of user ids; throws QUOTA_EXCEEDED. */
async function settle(session: Session, charges: readonly Charge[]): Promise<void> {
  const byUser = Map.groupBy(charges, ({ userId }) => userId);
  const sums = [...byUser].map(([id, each]) => ({ id, ...sumOf(each) }));
  const day = sql`${today(session)}::date`;
  const query = sql<UsageOfUser>`
    with added as materialized (
      select * from json_to_recordset(${JSON.stringify(sums)}::json) as (id bigint, domains int, records bigint, changes int)
    ), locked as materialized (
      select ${q.userId} as id from ${q} where ${q.userId} in (select id from added) order by ${q.userId} for update
    )
    update ${q} set ${q.names("domains")} = ${q.domains} + added.domains, ${q.names("records")} = ${q.records} + added.records,
      ${q.names("changes")} = ${changesOn(day)} + added.changes, ${q.names("day")} = greatest(${q.day}, ${day})
    from added, locked, ${u} where ${q.userId} = added.id and ${q.userId} = locked.id and ${u.id} = added.id
    returning ${usageColumns(day)}`;
  const after = await query.run(session);
  const reasons: Reason[] = [];
  const excesses: Excess[] = [];
  for (const user of after) {
    const each = byUser.get(user.userId) ?? [];
    const sum = sumOf(each);
    const { domains, records, changes } = user;
    const before = { domains: domains - sum.domains, records: records - sum.records, changes: changes - sum.changes };
    for (const excess of excessesOf(session, { ...user, ...before }, each)) {
      excesses.push(excess);
      reasons.push(reasonOf(user.email, excess));
    }
  }
  if (reasons.length > 0) throw Refusal.of(reasons.slice(0, maxReasons), { quotas: excesses.slice(0, maxReasons) });
}

const maxReasons = 100;

/**
 * The SQL of the changes of a day: 0 when the stored count is of an earlier day. The clock of another process may already have counted
 * the next day.
 */
const changesOn = (day: ReturnType<typeof sql>) => sql`case when ${q.day} >= ${day} then ${q.changes} else 0 end`;

interface UsageOfUser extends Pick<UserUsage, "domains" | "records" | "changes"> {
  readonly userId: number;
  readonly email: string;
  readonly quota: Partial<Quota>;
}

const usageColumns = (day: ReturnType<typeof sql>) => sql`
  ${u.id} as "userId", ${u.email} as email, ${u.quota} as quota, ${q.domains} as domains, ${q.records} as records,
  ${changesOn(day)} as changes`;

export async function usageOfMetered(
  session: Session,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, UsageOfUser>> {
  if (userIds.length === 0) return new Map();
  const query = sql<UsageOfUser>`
    select ${usageColumns(sql`${today(session)}::date`)} from ${q} join ${u} on ${u.id} = ${q.userId}
    where ${q.userId} = any(${[...new Set(userIds)]})`;
  return new Map((await query.run(session)).map((row) => [row.userId, row]));
}

/**
 * Throws QUOTA_EXCEEDED for an operation that is not stored yet and that would exceed a quota by the committed usage. A stored operation
 * is checked by `settle`.
 */
export async function expectWithinQuota(session: Session, domain: Charged, added: Added): Promise<void> {
  const charged = domain.metered ? chargeFor(session, domain, added) : undefined;
  const usage = charged && (await usageOfMetered(session, [charged.userId])).get(charged.userId);
  if (!usage) return;
  const excesses = excessesOf(session, usage, [charged]);
  if (excesses.length === 0) return;
  throw Refusal.of(
    excesses.map((excess) => reasonOf(usage.email, excess)),
    { quotas: excesses },
  );
}

type ZoneQuota = Pick<Excess, "zone" | "limit" | "usage"> & { readonly email: string };

/** The quota of records per domain for a zone, or for a zone that is created for `userId`; undefined without a limit. */
export async function zoneQuota(
  session: Session,
  zone: string,
  userId: number | undefined,
): Promise<ZoneQuota | undefined> {
  const { actor, policy } = session;
  if (actor.role === "system") return undefined;
  const query = sql<{ email: string; quota: Partial<Quota>; usage: number }>`
    select ${u.columns("email", "quota")}, coalesce(${d.recordCount}, 0) as usage
    from (values (${zone})) named(zone) left join ${d} on ${d.zone} = named.zone and ${seesZone(actor, d.userId, d.zone)}
    join ${u} on ${u.id} = coalesce(${d.userId}, ${userId ?? null}::bigint)`;
  const [row] = await query.run(session);
  if (!row) return undefined;
  const limit = quotaInForce(row.quota, policy.quota).recordsPerDomain;
  return limit === null ? undefined : { zone, limit, usage: row.usage, email: row.email };
}

export function exceeded({ email, ...quota }: ZoneQuota, wanted: number): Refusal {
  const excess: Excess = { quota: "recordsPerDomain", ...quota, wanted };
  return Refusal.of([reasonOf(email, excess)], { quotas: [excess] });
}

export function excessesOf(session: Session, user: UsageOfUser, charges: readonly Charge[]): Excess[] {
  if (!charges.some(({ isLimited }) => isLimited)) return [];
  const quota = quotaInForce(user.quota, session.policy.quota);
  const sum = sumOf(charges);
  const figures: Omit<Excess, "limit">[] = quotaNames.flatMap((name): Omit<Excess, "limit">[] => {
    if (name === "recordsPerDomain")
      return charges.map(({ zone, records, recordCount }) => ({
        quota: name,
        zone,
        usage: recordCount - records,
        wanted: recordCount,
      }));
    const figure = figureOf[name];
    const zone = (charges.find((each) => each[figure] > 0) ?? charges[0])?.zone ?? "";
    return [{ quota: name, zone, usage: user[figure], wanted: user[figure] + sum[figure] }];
  });
  return figures.flatMap((figure) => {
    const limit = quota[figure.quota];
    return limit !== null && figure.wanted > limit && figure.wanted > figure.usage ? [{ ...figure, limit }] : [];
  });
}

export const withCharge = (user: UsageOfUser, charges: readonly Charge[]): UsageOfUser => ({
  ...user,
  ...sumOf([user, ...charges]),
});

const figureOf = { domains: "domains", records: "records", changesPerDay: "changes" } as const;

type Figures = Pick<Charge, "domains" | "records" | "changes">;

function sumOf(charges: readonly Figures[]): Figures {
  const sum = { domains: 0, records: 0, changes: 0 };
  for (const { domains, records, changes } of charges) {
    sum.domains += domains;
    sum.records += records;
    sum.changes += changes;
  }
  return sum;
}

export function reasonOf(email: string, { quota, zone, limit, usage, wanted }: Excess): Reason {
  const { counted, advice } = quotaKinds[quota];
  const figures =
    quota === "recordsPerDomain"
      ? `${zone} would have ${wanted}`
      : `${usage} ${usage === 1 ? "is" : "are"} used, and this would make it ${wanted}`;
  const message = `The quota of ${email} is ${limit} ${counted}; ${figures}. Either ${advice}, or have an administrator raise it.`;
  return { code: "QUOTA_EXCEEDED", message };
}
