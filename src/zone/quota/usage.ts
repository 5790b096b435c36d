/**
 * The usage of users. The usage of metered users is stored (quota.ts). The usage of others is counted with each read, from the record
 * counts of their domains and from the journal of the day.
 */

import { User, type UserUsage } from "../../account/user.ts";
import { type Session, today } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { Change, DeletedDomain } from "../change.ts";
import { Domain } from "../domain.ts";
import { usageOfMetered } from "./quota.ts";

const u = table(User, "u");
const d = table(Domain, "d");
const x = table(DeletedDomain, "x");
const c = table(Change, "c");

/** The usage of a user; `changes` are those of the day, UTC. */
export type Usage = Pick<UserUsage, "domains" | "records" | "changes">;

export async function usageOfUsers(session: Session, userIds: readonly number[]): Promise<Usage[]> {
  const kept: ReadonlyMap<number, Usage> = await usageOfMetered(session, userIds);
  const others = userIds.filter((id) => !kept.has(id));
  const counted = others.length > 0 ? await countUsage(session, others) : kept;
  return userIds.map((id) => {
    const { domains, records, changes } = kept.get(id) ?? (counted.get(id) as Usage);
    return { domains, records, changes };
  });
}

export async function countUsage(session: Session, userIds: readonly number[]): Promise<ReadonlyMap<number, Usage>> {
  const query = sql<Usage & { id: number }>`
    select ${u.id} as id, owned.domains, owned.records, (
      select count(*) from ${c} where ${c.createdAt} >= ${today(session)}::date and ${c.domainId} in (
        select ${d.id} from ${d} where ${d.userId} = ${u.id} union all select ${x.id} from ${x} where ${x.userId} = ${u.id})
    ) as changes
    from ${u} cross join lateral (
      select count(*) as domains, coalesce(sum(${d.recordCount}), 0)::bigint as records from ${d} where ${d.userId} = ${u.id}
    ) owned where ${u.id} = any(${userIds})`;
  return new Map((await query.run(session)).map(({ id, ...usage }) => [id, usage]));
}
