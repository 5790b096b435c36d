/** How far a change set is approved, and who must do what with it next. */
import { actionsOf, type ShownSet } from "../changesets/queries.ts";
import { authorName } from "../parts/text/author.ts";

/** How many approvals a set needs: what its zones demand, or else what its author wants. */
export const neededApprovals = (set: Pick<ShownSet, "requiredApprovals" | "requestedApprovals">) =>
  set.requiredApprovals ?? set.requestedApprovals;

const namesOf = (list: NonNullable<ShownSet["reviews"]>) => list.map(authorName).join(", ");
const persons = (count: number) => (count === 1 ? "one other person" : `${count} other persons`);

/** The fingerprint is of what the set would do, as far as that is read. */
export function approvalsOf(set: ShownSet, fingerprint: string | undefined) {
  const { state, user } = set;
  const needed = neededApprovals(set);
  const valid = (set.reviews ?? []).filter((review) => review.valid);
  const approved = valid.filter(({ verdict }) => verdict === "APPROVE");
  // What was applied is what was approved.
  const counting = approved.filter((each) => state === "APPLIED" || !fingerprint || each.fingerprint === fingerprint);
  const asking = valid.filter(({ verdict }) => verdict === "REQUEST_CHANGES");
  const parts = [`${counting.length} of ${needed}${counting.length > 0 ? ` by ${namesOf(counting)}` : ""}`];
  if (counting.length < approved.length) parts.push("what was approved before was another effect");
  if (asking.length > 0) parts.push(`${namesOf(asking)} asked for changes`);
  const isSettled = state === "APPROVED" || state === "SCHEDULED";
  const isOutdated = isSettled && counting.length < Math.min(approved.length, needed);
  return {
    /** Whether it was approved, and would do something else by now. */
    isOutdated,
    text: needed === 0 && valid.length === 0 ? undefined : parts.join("; "),
    nextStep: nextStep(),
  };

  function nextStep(): string | undefined {
    const may = actionsOf(set);
    if (isOutdated)
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
}
