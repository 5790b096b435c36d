/**
 * The quotas of users are held here. Whatever is done to a domain whose user has one leaves what it adds to the user's figures, and right
 * before the transaction is committed the figures are raised and compared with the quota, once for each user: what one transaction does
 * counts together, and who changes other zones of the user waits for that moment alone. What does not raise a figure is never refused for it.
 * The service itself is not limited.
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

/** What something adds to the figures of a user; less than 0 is taken from them. */
export interface Charge {
  readonly userId: number;
  readonly zone: string;
  readonly domains: number;
  readonly records: number;
  readonly changes: number;
  /** How many records the zone has then. */
  readonly recordCount: number;
  /** Whether it may be refused. */
  readonly isLimited: boolean;
}

/** What is added to the figures of a user by what is done to a domain. */
export type Added = Pick<Charge, "domains" | "records" | "changes" | "recordCount">;

/** The domain that is charged for. */
type Charged = Pick<StoredDomain, "metered" | "userId" | "zone">;

/** What is added to the figures of a domain's user; undefined of the catalog, which has none. */
export function chargeFor(
  { actor }: Session,
  { userId, zone }: Pick<Charged, "userId" | "zone">,
  added: Added,
): Charge | undefined {
  return userId === null ? undefined : { userId, zone, isLimited: actor.role !== "system", ...added };
}

/** A figure of a user that would exceed its limit. */
export interface Excess {
  readonly quota: QuotaName;
  readonly zone: string;
  readonly limit: number;
  readonly usage: number;
  /** What the figure would be. */
  readonly wanted: number;
}

/** Leaves what is added to the figures of a domain's user, if they are kept, to the end of the session's transaction. */
export function charge(session: Session, domain: Charged, added: Added): void {
  const charged = domain.metered ? chargeFor(session, domain, added) : undefined;
  if (charged) settleBeforeCommit(session, settle, charged);
}

/** Raises the figures of users by what a transaction has added to them, the users in the order of their ids. */
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

/** Reasons that one refusal holds at most. */
const maxReasons = 100;

/** The changes of a day: none when the last ones were on an earlier day. The clock of another process may be on the next one already. */
const changesOn = (day: ReturnType<typeof sql>) => sql`case when ${q.day} >= ${day} then ${q.changes} else 0 end`;

/** The figures of a user, with the quotas that were set for the user. */
interface UsageOfUser extends Pick<UserUsage, "domains" | "records" | "changes"> {
  readonly userId: number;
  readonly email: string;
  readonly quota: Partial<Quota>;
}

const usageColumns = (day: ReturnType<typeof sql>) => sql`
  ${u.id} as "userId", ${u.email} as email, ${u.quota} as quota, ${q.domains} as domains, ${q.records} as records,
  ${changesOn(day)} as changes`;

/** The figures of those of these users whose figures are kept, as they are committed. */
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

/** Refuses what would exceed the quota of its user as things are, before it is stored; what is stored is refused when it is settled. */
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

/** The quota of a zone's records: the user whose it is, its limit, and how many records the zone has. */
export type ZoneQuota = Pick<Excess, "zone" | "limit" | "usage"> & { readonly email: string };

/** The quota of a zone's records, or of one that is about to be made for a user; undefined where none applies. */
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

/** The refusal of what would give a zone at least so many records. */
export function exceeded({ email, ...quota }: ZoneQuota, wanted: number): Refusal {
  const excess: Excess = { quota: "recordsPerDomain", ...quota, wanted };
  return Refusal.of([reasonOf(email, excess)], { quotas: [excess] });
}

/** What together would exceed the quota of one user. */
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

/** The figures of a user after what is added to them. */
export const withCharge = (user: UsageOfUser, charges: readonly Charge[]): UsageOfUser => {
  const { domains, records, changes } = sumOf(charges);
  return {
    ...user,
    domains: user.domains + domains,
    records: user.records + records,
    changes: user.changes + changes,
  };
};

/** Where the figure of a quota is kept. */
const figureOf = { domains: "domains", records: "records", changesPerDay: "changes" } as const;

function sumOf(charges: readonly Charge[]): Pick<Charge, "domains" | "records" | "changes"> {
  const sum = { domains: 0, records: 0, changes: 0 };
  for (const { domains, records, changes } of charges) {
    sum.domains += domains;
    sum.records += records;
    sum.changes += changes;
  }
  return sum;
}

/** The reason for refusing what exceeds a quota. */
export function reasonOf(email: string, { quota, zone, limit, usage, wanted }: Excess): Reason {
  const { counted, advice } = quotaKinds[quota];
  const figures =
    quota === "recordsPerDomain"
      ? `${zone} would have ${wanted}`
      : `${usage} ${usage === 1 ? "is" : "are"} used, and this would make it ${wanted}`;
  const message = `The quota of ${email} is ${limit} ${counted}; ${figures}. Either ${advice}, or have an administrator raise it.`;
  return { code: "QUOTA_EXCEEDED", message };
}
