/**
 * Edits a user: the e-mail address, the review of the user's zones, and the reviewers. The user may make the review stricter; everything
 * else is for administrators.
 */
import { LockMode } from "@mikro-orm/core";
import { isFreer, type ReviewPolicy } from "../../account/review-policy.ts";
import { flushEmail, readEmail, User, type UserRow, userById } from "../../account/user.ts";
import { setReviewers } from "../../account/user-reviewer.ts";
import { noSuch, Refusal } from "../../errors.ts";
import { mayActFor, mayAdminister } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { transaction } from "../../session/transaction.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { Domain } from "../domain.ts";
import { lockDomainsOf } from "../quota/metering.ts";

const d = table(Domain, "d");

interface UserEdits {
  readonly email?: string;
  readonly review?: ReviewPolicy;
  readonly reviewerIds?: readonly number[];
}

export async function updateUser(
  session: Session,
  id: number,
  { email, review, reviewerIds }: UserEdits,
): Promise<UserRow> {
  const { actor } = session;
  if (email !== undefined || reviewerIds !== undefined || review === undefined) mayAdminister(actor);
  mayActFor(actor, id, "id");
  if (actor.zones)
    throw new Refusal("FORBIDDEN", "This key is limited to some zones; set the review of each zone with updateDomain.");
  const address = email === undefined ? undefined : readEmail(email);
  return transaction(session, async (inner) => {
    const user = await inner.em.findOne(User, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user) throw noSuch("user", id);
    if (review !== undefined && isFreer(review, user.review)) mayAdminister(actor);
    const isOther = review !== undefined && review !== user.review;
    user.review = review ?? user.review;
    user.email = address ?? user.email;
    await flushEmail(inner, user.email);
    if (isOther) await demand(inner, id, review);
    if (reviewerIds) await setReviewers(inner, id, reviewerIds);
    return userById(inner, id);
  });
}

/**
 * Sets the review in force of the user's domains that have no review of their own; the session's transaction has locked the user. A
 * change that was read before then finds its domain changed, and is made again.
 */
async function demand(session: Session, userId: number, review: ReviewPolicy): Promise<void> {
  await lockDomainsOf(session, [userId]);
  await sql`update ${d} set ${d.names("demands")} = ${review} where ${d.userId} = ${userId} and ${d.review} is null`.run(
    session,
  );
}
