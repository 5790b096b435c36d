/**
 * Schedules a change set: it is applied at a time, if its effect is still the previewed one, with the rights of the key that scheduled it.
 * The clock is that of the database, which all instances share; due-sets.ts applies due sets.
 */

import { Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { sql } from "../../sql/sql.ts";
import type { ChangeSetRow } from "../change-set.ts";
import { needsOf } from "../needed-approvals.ts";
import type { Step } from "../review/review.ts";
import { ChangeSetEventKind, ChangeSetState, OnMissed } from "../states.ts";
import { addEvent, takeStep, updateSet, withoutSchedule } from "../steps.ts";
import { withExpectedEffect } from "./expected-effect.ts";

export interface Schedule {
  readonly applyAt: Date;
  /** What happens when no service runs at that time. */
  readonly onMissed?: OnMissed;
  readonly expectedFingerprint: string;
}

/** The minimum and maximum time until the application, seconds. */
const [leastAhead, mostAhead] = [10, 366 * 86_400];

/** Schedules a set that may be applied now. Throws INVALID_VALUE for a time that is too near or too far, and as `withExpectedEffect` does. */
export async function scheduleChangeSet(
  session: Session,
  id: number,
  { applyAt, onMissed = OnMissed.APPLY, expectedFingerprint }: Schedule,
): Promise<ChangeSetRow> {
  return withExpectedEffect(session, id, expectedFingerprint, async (inner, set, { fingerprint }) => {
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

export function unscheduleChangeSet(session: Session, id: number, step: Step = {}): Promise<ChangeSetRow> {
  return takeStep(session, id, { ...step, allowed: [ChangeSetState.SCHEDULED] }, async (inner, set) => {
    const { approvals } = await needsOf(inner, set);
    const state = approvals > 0 ? ChangeSetState.APPROVED : ChangeSetState.DRAFT;
    await updateSet(inner, set, { state, ...withoutSchedule });
    await addEvent(inner, set, ChangeSetEventKind.UNSCHEDULED, step);
  });
}

/** Throws INVALID_VALUE unless the time is within the limits, by the clock of the database. */
async function expectAhead(session: Session, at: Date): Promise<void> {
  const query = sql<{ ahead: number; now: Date }>`
    select extract(epoch from ${at}::timestamptz - clock_timestamp())::float8 as ahead, clock_timestamp() as now`;
  const { ahead, now } = (await query.run(session))[0] ?? { ahead: 0, now: at };
  if (ahead >= leastAhead && ahead <= mostAhead) return;
  const message = `applyAt is not between ${leastAhead} seconds and a year ahead; it is ${now.toISOString()} now.`;
  throw new Refusal("INVALID_VALUE", message, { field: "applyAt" });
}
