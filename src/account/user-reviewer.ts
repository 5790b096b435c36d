/** The users whom an administrator names as reviewers of another user's zones, besides administrators and the user's own keys. */
import { Entity, Index, ManyToOne } from "@mikro-orm/decorators/legacy";
import { noSuch, Refusal } from "../errors.ts";
import type { Actor } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { User, usersByIds } from "./user.ts";

@Entity({ tableName: "user_reviewer" })
export class UserReviewer {
  @ManyToOne(() => User, { fieldName: "user_id", primary: true, deleteRule: "cascade", index: false })
  user!: User;

  @ManyToOne(() => User, { fieldName: "reviewer_id", primary: true, deleteRule: "cascade", index: false })
  @Index({ name: "user_reviewer_reviewer_id_index" })
  reviewer!: User;
}

const w = table(UserReviewer, "w");

export const maxReviewers = 100;

/** The SQL condition that `reviewer` reviews the zones of the user in the column `owner`. */
export function reviews(reviewer: unknown, owner: Sql): Sql<boolean> {
  return sql<boolean>`exists (select from ${w} where ${w.userId} = ${owner} and ${w.reviewerId} = ${reviewer})`;
}

/** The SQL condition that the actor owns or reviews the zones of the user in the column `owner`; always true for an administrator. */
export function ownsOrReviews({ role, userId }: Actor, owner: Sql): Sql<boolean> {
  if (role !== "user") return sql<boolean>`true`;
  return sql<boolean>`(${owner} = ${userId} or ${reviews(userId, owner)})`;
}

export async function reviewerIdsOf(
  session: Session,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const query = sql<{ userId: number; reviewerId: number }>`
    select ${w.columns("userId", "reviewerId")} from ${w} where ${w.userId} = any(${userIds}) order by ${w.reviewerId}`;
  const rows = await query.run(session);
  const grouped = Map.groupBy(rows, ({ userId }) => userId);
  return new Map([...grouped].map(([id, list]) => [id, list.map(({ reviewerId }) => reviewerId)]));
}

/** Replaces the reviewers of a user, in the session's transaction. */
export async function setReviewers(session: Session, userId: number, reviewerIds: readonly number[]): Promise<void> {
  const wanted = [...new Set(reviewerIds)];
  const refuse = (why: string) => new Refusal("INVALID_VALUE", `reviewerIds ${why}`, { field: "reviewerIds" });
  if (wanted.length > maxReviewers) throw refuse(`are ${wanted.length}; send ${maxReviewers} at most.`);
  if (wanted.includes(userId)) throw refuse("has the user, whose own keys review anyway; leave the id out.");
  const existing = new Set((await usersByIds(session, wanted)).map(({ id }) => id));
  const missing = wanted.find((id) => !existing.has(id));
  if (missing !== undefined) throw noSuch("user", missing, "reviewerIds");
  await sql`delete from ${w} where ${w.userId} = ${userId}`.run(session);
  await sql`insert into ${w} (${w.names("userId", "reviewerId")})
    select ${userId}::bigint, id from unnest(${wanted}::bigint[]) as wanted(id)`.run(session);
}
