/**
 * Who must do what with a change set next, as a sentence.
 */
import { neededApprovals, outdatedApprovals } from "./approvals.ts";
import type { ShownSet } from "./queries.ts";

interface NextStepProps {
  readonly set: ShownSet;
  /** The fingerprint of what it would do; undefined while that is read. */
  readonly fingerprint: string | undefined;
}

export function NextStep({ set, fingerprint }: NextStepProps) {
  const text = nextStepOf(set, fingerprint);
  return text === undefined ? null : <p>{text}</p>;
}

const persons = (count: number) => (count === 1 ? "one other person" : `${count} other persons`);

function nextStepOf(set: ShownSet, fingerprint: string | undefined): string | undefined {
  const { state, availableActions: can, user } = set;
  const needed = neededApprovals(set);
  const may = (action: NonNullable<typeof can>[number]) => can?.includes(action) === true;
  if (outdatedApprovals(set, fingerprint))
    return "What it would do now is not what was approved, so that it cannot be applied as it is. Its author takes it out of review, stages it as it is to be, and submits it again.";
  if (state === "DRAFT" && needed > 0 && may("SUBMIT"))
    return `It is a draft: submit it for review, and ${persons(needed)} must approve it before it is applied.`;
  if (state === "IN_REVIEW" && may("APPROVE"))
    return "It waits for you: look at what it does, then approve it, or request changes.";
  if (state === "IN_REVIEW") {
    const left = Math.max(1, needed - (set.approvalCount ?? 0));
    const owner = user ? `, ${user.email}, or somebody who reviews for them` : "";
    return `It waits until ${persons(left)} ${left === 1 ? "has" : "have"} approved it: an administrator${owner}, who neither created it nor staged in it. Then it can be applied.`;
  }
  if (state === "APPROVED" && may("APPLY")) return "It is approved, and waits to be applied or scheduled.";
  return undefined;
}
