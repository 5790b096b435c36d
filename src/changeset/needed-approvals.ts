/**
 * The approvals that a change set needs before it is applied: the highest number among the demands of its zones and the request of its
 * author. An approval counts only from a person who may review every zone of the set.
 */

import { ApiKey } from "../account/api-key.ts";
import { approvalsOf, type ReviewPolicy } from "../account/review-policy.ts";
import { User } from "../account/user.ts";
import { reviews } from "../account/user-reviewer.ts";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { DeletedDomain } from "../zone/change.ts";
import { Domain } from "../zone/domain.ts";
import { type ChangeSetRow, ChangeSetZone } from "./change-set.ts";

const z = table(ChangeSetZone, "z");
const d = table(Domain, "d");
const x = table(DeletedDomain, "x");
const u = table(User, "u");
const k = table(ApiKey, "k");

export interface Needs {
  readonly approvals: number;
  /** The present or future owners of the zones. */
  readonly ownerIds: readonly number[];
  /** The zones that demand approvals, by name; at most `maxNamed`. */
  readonly demandingZones: readonly string[];
}

const maxNamed = 100;

export async function needsOf(
  session: Session,
  { id, requestedApprovals }: Pick<ChangeSetRow, "id" | "requestedApprovals">,
): Promise<Needs> {
  const query = sql<{ ownerId: number; review: ReviewPolicy; zones: string[] }>`
    select ${u.id} as "ownerId", coalesce(${d.demands}, ${x.review}, ${u.review}) as review,
      (array_agg(${z.zone} order by ${z.zone}))[1:${sql.lit(maxNamed)}] as zones
    from ${z} left join ${d} on ${d.id} = ${z.domainId} left join ${x} on ${x.id} = ${z.domainId} join ${u} on ${u.id} = coalesce(${d.userId}, ${z.userId})
    where ${z.changeSetId} = ${id} group by 1, 2`;
  const rows = await query.run(session);
  const demanding = rows.filter(({ review }) => approvalsOf(review) > 0).flatMap(({ zones }) => zones);
  const approvals = Math.max(requestedApprovals, ...rows.map(({ review }) => approvalsOf(review)));
  const ownerIds = [...new Set(rows.map(({ ownerId }) => ownerId))];
  return { approvals, ownerIds, demandingZones: demanding.toSorted().slice(0, maxNamed) };
}

/** The keys among `keyIds` that may review for all these users: keys of an administrator, of the user, or of a reviewer. */
export async function reviewingKeys(
  session: Session,
  keyIds: readonly number[],
  ownerIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (keyIds.length === 0) return new Set();
  const owner = sql.raw("owner.id");
  const query = sql<{ id: number }>`
    select ${k.id} as id from ${k} where ${k.id} = any(${keyIds}) and (${k.userId} is null or not exists (
      select from unnest(${ownerIds}::bigint[]) as owner(id)
      where not (${k.userId} = ${owner} or ${reviews(k.userId, owner)})))`;
  const rows = await query.run(session);
  return new Set(rows.map((row) => row.id));
}
