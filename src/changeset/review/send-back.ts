/**
 * Sends a change set back that was approved or scheduled and cannot be applied so: to review when it would do something else than was
 * approved, otherwise to its author. It says why, and its schedule is gone.
 */
import { Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { transaction } from "../../session/transaction.ts";
import { type ChangeSetRow, lockChangeSet } from "../change-set.ts";
import { addEvent, updateSet, withoutSchedule } from "../events.ts";
import { needsOf } from "../needed-approvals.ts";
import { ChangeSetEventKind, ChangeSetState } from "../states.ts";

/** Reasons that are kept of a refusal. */
const maxReasons = 20;

/** Does what needs the approvals of a set as it was read; one that would do something else than was approved goes back to review. */
export async function whileApproved<Result>(
  session: Session,
  set: ChangeSetRow,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const isStale = error instanceof Refusal && error.code === "STALE_CHANGE_SET" && error.field === "id";
    if (isStale && set.state === ChangeSetState.APPROVED) await sendBack(session, set, error);
    throw error;
  }
}

/** Sends a set back, unless it is another by now than `tried`, which was refused. */
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
