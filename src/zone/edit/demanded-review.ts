/**
 * The review that zones demand: a zone that demands any is changed by change sets alone, whichever way a change comes, and
 * finish-change.ts asks here before it stores one. What a change set needs is for the change set to see to.
 */
import { ReviewPolicy } from "../../account/review-policy.ts";
import { Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import type { StoredDomain } from "../domain.ts";

/** How one stages what is refused: in the zone's part of a change set, by the command line, and by a shorter way if there is one. */
export interface StagedCall {
  readonly part: string;
  readonly option: string;
  readonly shorter?: string;
}

/** Refuses a change that is not by a change set where the zone demands these. */
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
