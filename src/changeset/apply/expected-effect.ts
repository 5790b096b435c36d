/** Steps that hold for a previewed effect: the set is previewed without a lock, then locked and compared. */
import { onRefusal } from "../../errors.ts";
import { mayWrite } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { transaction } from "../../session/transaction.ts";
import { type ChangeSetRow, changeSetById } from "../change-set.ts";
import { expectApplicable } from "../check/check-zone.ts";
import { type Preview, previewUnshown } from "../check/preview.ts";
import { needsOf } from "../needed-approvals.ts";
import { reviewOf } from "../review/review.ts";
import { sendBack } from "../review/send-back.ts";
import { ChangeSetState } from "../states.ts";
import {
  emptySet,
  expectAppliable,
  expectRevision,
  lockOwnSet,
  mayEdit,
  staleEffect,
  unapprovedEffect,
} from "../steps.ts";

type Use = (session: Session, set: ChangeSetRow, preview: Preview) => Promise<void>;

/**
 * Runs a step with a locked set that may be applied now and has the expected effect. Throws STALE_CHANGE_SET when the effect differs; a set
 * whose approvals no longer hold goes back to review.
 */
export async function withExpectedEffect(
  session: Session,
  id: number,
  expectedFingerprint: string,
  use: Use,
): Promise<ChangeSetRow> {
  mayWrite(session.actor);
  const previewed = await changeSetById(session, id);
  mayEdit(session.actor, previewed);
  expectAppliable(previewed, (await needsOf(session, previewed)).approvals);
  const preview = await previewUnshown(session, previewed);
  const { zones, fingerprint } = preview;
  if (zones.length === 0) throw emptySet(id);
  expectApplicable(zones, previewed.mode);
  const run = async (inner: Session) => {
    const set = await lockOwnSet(inner, id);
    const review = await reviewOf(inner, set);
    expectAppliable(set, review.needed);
    expectRevision(set, previewed.revision);
    if (!review.approvalOf(fingerprint).isEnough) throw unapprovedEffect(set, fingerprint);
    if (fingerprint !== expectedFingerprint) throw staleEffect(set, fingerprint, "expectedFingerprint");
    await use(inner, set, preview);
    return changeSetById(inner, id);
  };
  return onRefusal(
    () => transaction(session, run),
    async (refusal) => {
      const isStale = refusal.code === "STALE_CHANGE_SET" && refusal.field === "id";
      if (isStale && previewed.state === ChangeSetState.APPROVED) await sendBack(session, previewed, refusal);
      throw refusal;
    },
  );
}
