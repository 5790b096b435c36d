/**
 * Sends back a change set whose approved or scheduled application failed: to review when its effect has changed, otherwise to its author.
 * Its schedule is removed, and `failure` says why.
 */
import type { Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { transaction } from "../../session/transaction.ts";
import { type ChangeSetRow, lockChangeSet } from "../change-set.ts";
import { needsOf } from "../needed-approvals.ts";
import { ChangeSetEventKind, ChangeSetState } from "../states.ts";
import { addEvent, updateSet, withoutSchedule } from "../steps.ts";

const maxReasons = 20;

/** Sends back a set after a refused step. Does nothing when the state, revision or schedule has changed since `tried` was read. */
export function sendBack(session: Session, tried: ChangeSetRow, refusal: Refusal): Promise<void> {
  return transaction(session, async (inner) => {
    const set = await lockChangeSet(inner, tried.id);
    if (set.state !== tried.state || set.revision !== tried.revision || +(set.applyAt ?? 0) !== +(tried.applyAt ?? 0))
      return;
    const isOtherEffect = refusal.code === "STALE_CHANGE_SET";
    const needsReview = isOtherEffect && (await needsOf(inner, set)).approvals > 0;
    const { code, message } = refusal;
    const reasons = refusal.reasons.slice(0, maxReasons).map((reason) => ({
      code: reason.code,
      owner: reason.owner,
      type: reason.type,
      message: reason.message,
    }));
    await updateSet(inner, set, {
      state: needsReview ? ChangeSetState.IN_REVIEW : ChangeSetState.DRAFT,
      ...withoutSchedule,
      failure: { at: session.now().toISOString(), code, message, reasons },
    });
    await addEvent(inner, set, ChangeSetEventKind.FAILED, { text: message });
  });
}
