/**
 * Edits a user: the address, how the user's zones are changed, and who reviews that. The user may make the review stricter; everything
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

/** New content of a user; what is left out stays as it is. */
export interface UserEdits {
  readonly email?: string;
  readonly review?: ReviewPolicy;
  readonly reviewerIds?: readonly number[];
}

/** Edits a user; DUPLICATE_EMAIL when the address is taken. */
export async function updateUser(
  session: Session,
  id: number,
  { email, review, reviewerIds }: UserEdits,
): Promise<UserRow> {
  const { actor } = session;
  if (email !== undefined || reviewerIds !== undefined || review === undefined) mayAdminister(actor);
  mayActFor(actor, id, "id");
  if (actor.zones)
    throw new Refusal("FORBIDDEN", "This key is for some zones alone; set the review of each, by updateDomain.");
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
 * Has the domains of a user whom the session's transaction has locked demand the user's review, where they have none of their own. A change
 * that was read before finds that its domain is another, and is made again.
 */
async function demand(session: Session, userId: number, review: ReviewPolicy): Promise<void> {
  await lockDomainsOf(session, [userId]);
  await sql`update ${d} set ${d.names("demands")} = ${review} where ${d.userId} = ${userId} and ${d.review} is null`.run(
    session,
  );
}
