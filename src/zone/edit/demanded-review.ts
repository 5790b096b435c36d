/**
 * The review that zones demand. A zone that demands any is changed by change sets alone, through every interface; finish-change.ts checks
 * this before it stores a change. Whether a change set has its approvals is checked in `changeset`.
 */
import { ReviewPolicy } from "../../account/review-policy.ts";
import { Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import type { StoredDomain } from "../domain.ts";

/**
 * How a client stages the refused change: the zone's part of a change set, the option of the command line, and a shorter mutation if
 * there is one.
 */
export interface StagedCall {
  readonly part: string;
  readonly option: string;
  readonly shorter?: string;
}

/** Throws REVIEW_REQUIRED when the zone demands change sets and the change is not part of one. */
export function refuseUnreviewed(
  { actor, changeSet }: Session,
  { zone, demands }: StoredDomain,
  { part, option, shorter }: StagedCall,
): void {
  if (demands === ReviewPolicy.NONE || changeSet || actor.role === "system" || actor.exemptFromReview) return;
  const call = `createChangeSet(input: { title: "…", zones: [{ ${part} }] })`;
  const then =
    demands === ReviewPolicy.CHANGE_SET ? "apply it" : "submit it, and apply it once others have approved it";
  const calls = [shorter, call].filter((each) => each !== undefined).join(", or ");
  const command = `zonesmith changeset create "TITLE" and, with the ID that it prints, zonesmith changeset stage ID ${zone} ${option}`;
  const message = `${zone} is changed by change sets alone (its review is ${demands}): call ${calls}, or write ${command}; then ${then}.`;
  throw new Refusal("REVIEW_REQUIRED", message, { details: { zone, review: demands } });
}
