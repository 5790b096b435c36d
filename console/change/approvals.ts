/**
 * How far a change set is approved, as text.
 */

import type { ShownSet } from "../changesets/queries.ts";
import { keyName } from "../parts/text/author.ts";

type ApprovedSet = Pick<ShownSet, "requestedApprovals" | "requiredApprovals" | "reviews" | "state">;

/** How many approvals a set needs: what its zones demand, and what its author wants. */
export const neededApprovals = ({ requiredApprovals, requestedApprovals }: Omit<ApprovedSet, "reviews" | "state">) =>
  requiredApprovals ?? requestedApprovals;

/** Whether a set was approved, and would do something else by now. */
export function outdatedApprovals(
  { requestedApprovals, requiredApprovals, reviews, state }: ApprovedSet,
  fingerprint: string | undefined,
): boolean {
  if (fingerprint === undefined || (state !== "APPROVED" && state !== "SCHEDULED")) return false;
  const approved = (reviews ?? []).filter(({ valid, verdict }) => valid && verdict === "APPROVE");
  const counts = approved.filter((review) => review.fingerprint === fingerprint).length;
  return counts < approved.length && counts < neededApprovals({ requiredApprovals, requestedApprovals });
}

/** Who approved the shown effect and who asks for changes; undefined when no approval is wanted and there is no review. */
export function approvalText(
  { requestedApprovals, requiredApprovals, reviews, state }: ApprovedSet,
  fingerprint: string | undefined,
): string | undefined {
  const valid = (reviews ?? []).filter((review) => review.valid);
  const approved = valid.filter(({ verdict }) => verdict === "APPROVE");
  // What was applied is what was approved.
  const counts = approved.filter((review) => state === "APPLIED" || !fingerprint || review.fingerprint === fingerprint);
  const asking = valid.filter(({ verdict }) => verdict === "REQUEST_CHANGES");
  const needed = neededApprovals({ requiredApprovals, requestedApprovals });
  if (needed === 0 && valid.length === 0) return undefined;
  const names = (list: readonly { readonly actor: string }[]) => list.map(({ actor }) => keyName(actor)).join(", ");
  const parts = [`${counts.length} of ${needed}${counts.length > 0 ? ` by ${names(counts)}` : ""}`];
  if (counts.length < approved.length) parts.push("what was approved before was another effect");
  if (asking.length > 0) parts.push(`${names(asking)} asked for changes`);
  return parts.join("; ");
}
