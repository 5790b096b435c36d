/**
 * Scheduling: a change set is applied at a time, as what it was looked at, by the right of the key that scheduled it. The clock is that of the
 * database, which all instances share; due.ts applies what is due.
 */

import { Refusal } from "../../errors.ts";
import { mayWrite } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { transaction } from "../../session/transaction.ts";
import { sql } from "../../sql/sql.ts";
import { type ChangeSetRow, changeSetById } from "../change-set.ts";
import { addEvent, expectRevision, expectState, lockOwnSet, updateSet, withoutSchedule } from "../events.ts";
import { needsOf } from "../needed-approvals.ts";
import type { Step } from "../review/review.ts";
import { ChangeSetEventKind, ChangeSetState, OnMissed } from "../states.ts";
import { asLookedAt } from "./as-previewed.ts";

/** When a set is applied, and as what. */
export interface Schedule {
  readonly applyAt: Date;
  /** What happens to it when no service runs then. */
  readonly onMissed?: OnMissed;
  readonly expectedFingerprint: string;
}

/** How far ahead a set may be scheduled, seconds: at least and at most. */
const [leastAhead, mostAhead] = [10, 366 * 86_400];

/** Schedules a set that could be applied now. */
export async function scheduleChangeSet(
  session: Session,
  id: number,
  { applyAt, onMissed = OnMissed.APPLY, expectedFingerprint }: Schedule,
): Promise<ChangeSetRow> {
  return asLookedAt(session, id, expectedFingerprint, async (inner, set, { fingerprint }) => {
    await expectAhead(inner, applyAt);
    await updateSet(inner, set, {
      state: ChangeSetState.SCHEDULED,
      applyAt,
      onMissed,
      scheduledByKeyId: session.actor.keyId ?? null,
      scheduledFingerprint: fingerprint,
      failure: null,
    });
    await addEvent(inner, set, ChangeSetEventKind.SCHEDULED, { text: applyAt.toISOString(), fingerprint });
  });
}

/** Takes the schedule of a set away; it may be applied as before. */
export async function unscheduleChangeSet(session: Session, id: number, step: Step = {}): Promise<ChangeSetRow> {
  mayWrite(session.actor);
  return transaction(session, async (inner) => {
    const set = await lockOwnSet(inner, id);
    expectState(set, [ChangeSetState.SCHEDULED]);
    expectRevision(set, step.expectedRevision);
    const { approvals } = await needsOf(inner, set);
    const state = approvals > 0 ? ChangeSetState.APPROVED : ChangeSetState.DRAFT;
    await updateSet(inner, set, { state, ...withoutSchedule });
    await addEvent(inner, set, ChangeSetEventKind.UNSCHEDULED, step);
    return changeSetById(inner, id);
  });
}

/** Refuses a time that is too near, too far or past, by the clock of the database. */
async function expectAhead(session: Session, at: Date): Promise<void> {
  const query = sql<{ ahead: number; now: Date }>`
    select extract(epoch from ${at}::timestamptz - clock_timestamp())::float8 as ahead, clock_timestamp() as now`;
  const { ahead, now } = (await query.run(session))[0] ?? { ahead: 0, now: at };
  if (ahead >= leastAhead && ahead <= mostAhead) return;
  const message = `applyAt is not between ${leastAhead} seconds and a year ahead; it is ${now.toISOString()} now.`;
  throw new Refusal("INVALID_VALUE", message, { field: "applyAt" });
}
