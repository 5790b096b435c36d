/**
 * Decides which zones of a batch are refused: those with a conflict or a broken rule, with another effect than the previewed one, without the
 * approvals that they demand, or beyond a quota. In mode ALL that is thrown, as a refusal of the set.
 */

import { approvalsOf } from "../../account/review-policy.ts";
import { type Reason, Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import type { StoredDomain } from "../../zone/domain.ts";
import type { ChangeSetRow } from "../change-set.ts";
import {
  type CheckedZone,
  expectApplicable,
  fingerprintOf,
  isApplicable,
  reasonsAgainst,
} from "../check/check-zone.ts";
import { lineOf } from "../check/conflict.ts";
import { withinQuotas } from "../check/quotas-of-set.ts";
import { reviewOf } from "../review/review.ts";
import { ChangeSetMode, ChangeSetState, makesZone } from "../states.ts";
import { staleEffect, unapprovedEffect } from "../steps.ts";

/** Adds to each zone, which was checked under its lock, the reasons to refuse it. */
export async function withRefusals(
  session: Session,
  set: ChangeSetRow,
  checked: readonly CheckedZone[],
  domains: ReadonlyMap<string, StoredDomain>,
): Promise<readonly CheckedZone[]> {
  if (set.mode === ChangeSetMode.ALL) return allOrNone(session, set, checked);
  const decided = checked.map((zone) => {
    const reasons = isApplicable(zone) ? reasonsToRefuse(zone, set, domains.get(zone.staged.zone)) : [];
    return { ...zone, refusals: [...zone.refusals, ...reasons] };
  });
  const zones = await withinQuotas(session, decided, set.mode);
  const [first] = zones;
  // The rollback removes the domain that was inserted for it.
  if (first && makesZone(first.staged.action) && !isApplicable(first)) throw Refusal.of(reasonsAgainst(first));
  return zones;
}

async function allOrNone(
  session: Session,
  set: ChangeSetRow,
  checked: readonly CheckedZone[],
): Promise<readonly CheckedZone[]> {
  const zones = await withinQuotas(session, checked, set.mode);
  expectApplicable(zones);
  const fingerprint = fingerprintOf(zones);
  // The zones are locked, so the approvals that they demand cannot change until the set is applied.
  if (!(await reviewOf(session, set)).approvalOf(fingerprint).isEnough) throw unapprovedEffect(set, fingerprint);
  if (zones.some((zone) => zone.fingerprint !== zone.staged.fingerprint))
    throw staleEffect(set, fingerprint, set.state === ChangeSetState.SCHEDULED ? "id" : "expectedFingerprint");
  return zones;
}

function reasonsToRefuse(
  zone: CheckedZone,
  { applying }: ChangeSetRow,
  domain: StoredDomain | undefined,
): readonly Reason[] {
  const { staged, checked } = zone;
  // Somebody else has already made the change.
  const isSo = checked !== undefined && !checked.change;
  if (!isSo && zone.fingerprint !== staged.fingerprint) return otherEffect(zone);
  if (domain === undefined || approvalsOf(domain.demands) <= (applying?.approvals ?? 0)) return [];
  return [{ code: "REVIEW_REQUIRED", message: `${staged.zone} now demands more approvals than the change set has.` }];
}

/** The reasons to refuse a zone whose effect is not the previewed one: the effect now, by RRset. */
function otherEffect({ staged, rrsets }: CheckedZone): Reason[] {
  if (rrsets.length === 0)
    return [{ code: "STALE_CHANGE_SET", message: `${staged.zone} was changed after the preview of the change set.` }];
  return rrsets.map(({ owner, type, lines }) => {
    const difference = lines.map(
      ({ removed, ttl, rdata }) => `${removed ? "-" : "+"}${lineOf({ owner, type, ttl, rdata })}`,
    );
    const message = `${owner} ${type} was changed after the preview of the change set, which would now do: ${difference.join("; ")}.`;
    return { code: "STALE_CHANGE_SET", owner, type, message };
  });
}
