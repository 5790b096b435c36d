/**
 * Metering: the usage of a user is stored while a quota limits the user. When a first quota begins to apply, the usage is counted while
 * the user and all domains of the user are locked; then each change updates it (quota.ts). When no quota applies any more, the usage is
 * deleted. A change that was read before finds its domain changed (`metered`), and is made again.
 */

import { LockMode } from "@mikro-orm/core";
import { User, type UserRow, UserUsage, userById } from "../../account/user.ts";
import { noSuch, Refusal } from "../../errors.ts";
import { mayAdminister } from "../../session/authorization.ts";
import {
  isLimited,
  isLimitedIn,
  maxQuota,
  type Quota,
  type QuotaName,
  quotaInForce,
  quotaNames,
} from "../../session/quota.ts";
import { type Session, today } from "../../session/session.ts";
import { transaction } from "../../session/transaction.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { Domain } from "../domain.ts";
import { countUsage } from "./usage.ts";

const u = table(User, "u");
const d = table(Domain, "d");
const q = table(UserUsage);

/** Locks all domains of users, in the order of their names, until the transaction ends. */
export async function lockDomainsOf(session: Session, userIds: readonly number[]): Promise<void> {
  const query = sql`select from ${d} where ${d.userId} = any(${userIds}) order by ${d.zone} for update`;
  await query.run(session);
}

export async function setMetered(session: Session, userIds: readonly number[], metered: boolean): Promise<void> {
  await lockDomainsOf(session, userIds);
  await sql`update ${d} set ${d.names("metered")} = ${metered} where ${d.userId} = any(${userIds})`.run(session);
  await sql`update ${u} set ${u.names("metered")} = ${metered} where ${u.id} = any(${userIds})`.run(session);
  await sql`delete from ${q} where ${q.userId} = any(${userIds})`.run(session);
  if (!metered) return;
  const figures = [...(await countUsage(session, userIds))].map(([id, usage]) => ({ id, ...usage }));
  await sql`
    insert into ${q} (${q.names("userId", "domains", "records", "changes", "day")})
    select id, domains, records, changes, ${today(session)}::date
    from json_to_recordset(${JSON.stringify(figures)}::json) as (id bigint, domains int, records bigint, changes int)`.run(
    session,
  );
}

const atOnce = 100;

const lockTimeout = "30s";

/** Starts or ends metering of all users for whom the default quota requires it; called when the service starts. */
export async function meterUsers(session: Session): Promise<void> {
  for (const metered of [true, false]) while (await meterSome(session, metered));
}

async function meterSome(session: Session, metered: boolean): Promise<boolean> {
  return transaction(session, async (inner) => {
    await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.run(inner);
    const defaults = JSON.stringify(inner.policy.quota);
    const query = sql<{ id: number }>`
      select ${u.id} as id from ${u} where ${u.metered} = ${!metered}
        and ${isLimitedIn(sql`${defaults}::jsonb || ${u.quota}`)} = ${metered}
      order by ${u.id} limit ${atOnce} for update`;
    const ids = (await query.run(inner)).map(({ id }) => id);
    if (ids.length > 0) await setMetered(inner, ids, metered);
    return ids.length === atOnce;
  });
}

/** New quotas: a number is the limit, null is no limit, `default` is the quota of the settings; an undefined quota keeps its value. */
export type QuotaEdits = { readonly [Name in QuotaName]?: number | null | "default" | undefined };

/** Sets quotas of a user; domains and records above a new quota stay. */
export async function setUserQuota(session: Session, id: number, edits: QuotaEdits): Promise<UserRow> {
  mayAdminister(session.actor);
  const names = quotaNames.filter((name) => edits[name] !== undefined);
  if (names.length === 0)
    throw new Refusal("MISSING_FIELD", `domains is missing; send one of ${quotaNames.join(", ")}.`, {
      field: "domains",
    });
  for (const name of names) expectLimit(name, edits[name]);
  return transaction(session, async (inner) => {
    const user = await inner.em.findOne(User, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user) throw noSuch("user", id);
    user.quota = withEdits(user.quota, edits);
    await inner.em.flush();
    const metered = isLimited(quotaInForce(user.quota, inner.policy.quota));
    if (metered !== user.metered) await setMetered(inner, [id], metered);
    return userById(inner, id);
  });
}

function expectLimit(name: QuotaName, limit: QuotaEdits[QuotaName]): void {
  if (typeof limit !== "number" || (Number.isInteger(limit) && limit >= 0 && limit <= maxQuota)) return;
  const message = `${name}.limit is ${limit}; write a limit from 0 to ${maxQuota}, or null for none.`;
  throw new Refusal("INVALID_VALUE", message, { field: `${name}.limit` });
}

function withEdits(set: Partial<Quota>, edits: QuotaEdits): Partial<Quota> {
  const all = quotaNames.flatMap((name): [QuotaName, number | null][] => {
    const limit = edits[name] === undefined ? set[name] : edits[name];
    return limit === undefined || limit === "default" ? [] : [[name, limit]];
  });
  return Object.fromEntries(all);
}
