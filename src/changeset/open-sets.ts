/**
 * How many change sets the keys of a user may have that are not over (CHANGE_SETS_OPEN). They are counted when one is begun, and again right
 * before it is committed, where those who begin others wait for each other: a set of many edits keeps nobody waiting while it is made.
 */

import { ApiKey } from "../account/api-key.ts";
import { countAlone } from "../account/user.ts";
import { Refusal } from "../errors.ts";
import type { Session } from "../session/session.ts";
import { settleBeforeCommit } from "../session/transaction.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { ChangeSet } from "./change-set.ts";
import { unendedStates } from "./states.ts";

const s = table(ChangeSet, "s");
const k = table(ApiKey, "k");

/** Refuses another set of the actor's user, now or when the session's transaction is about to be committed; administrators have no limit. */
export async function expectRoom(session: Session): Promise<void> {
  const { userId } = session.actor;
  if (userId === null) return;
  await expectAtMost(session, userId, session.policy.changeSetLimits.open - 1);
  settleBeforeCommit(session, countAtEnd, userId);
}

async function countAtEnd(session: Session, userIds: readonly number[]): Promise<void> {
  for (const userId of new Set(userIds)) {
    await countAlone(session, userId);
    await expectAtMost(session, userId, session.policy.changeSetLimits.open);
  }
}

async function expectAtMost(session: Session, userId: number, most: number): Promise<void> {
  const query = sql<{ count: number }>`
    select count(*) from ${s} join ${k} on ${k.id} = ${s.authorKeyId}
    where ${s.userId} = ${userId} and ${k.userId} = ${userId} and ${s.state} = any(${unendedStates})`;
  const count = (await query.run(session))[0]?.count ?? 0;
  if (count <= most) return;
  const message = `The user has ${session.policy.changeSetLimits.open} change sets that are not over; apply or cancel some (CHANGE_SETS_OPEN).`;
  throw new Refusal("QUOTA_EXCEEDED", message);
}
