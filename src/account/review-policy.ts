/** How changes of a zone come about. A zone has its own policy or its owner's; a change set obeys the strictest policy of its zones. */
import { registerEnumType } from "type-graphql";

/** How changes of a zone come about, from the freest policy to the strictest. */
export enum ReviewPolicy {
  NONE = "NONE",
  CHANGE_SET = "CHANGE_SET",
  ONE = "ONE",
  TWO = "TWO",
}
registerEnumType(ReviewPolicy, {
  name: "ReviewPolicy",
  description: "How changes of a zone come about.",
  valuesConfig: {
    NONE: { description: "It is changed directly, or by change sets." },
    CHANGE_SET: { description: "It is changed by change sets alone, which need no approval." },
    ONE: { description: "Changed only by change sets that one other person approves." },
    TWO: { description: "Changed only by change sets that two other persons approve." },
  },
});

const order: readonly ReviewPolicy[] = Object.values(ReviewPolicy);

export const isFreer = (policy: ReviewPolicy, than: ReviewPolicy) => order.indexOf(policy) < order.indexOf(than);

/** How many persons must approve a change set, 0 to 2; null where a zone can be changed without a change set. */
export const requiredApprovals = (policy: ReviewPolicy) => (policy === ReviewPolicy.NONE ? null : approvalsOf(policy));

export const approvalsOf = (policy: ReviewPolicy) => Math.max(0, order.indexOf(policy) - 1);
