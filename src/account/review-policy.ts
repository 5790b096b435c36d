/**
 * Review policies: whether a zone may be changed directly or only by change sets, and how many approvals those need. A zone has its own
 * policy or its owner's. A change set must satisfy the strictest policy of its zones.
 */
import { enumType } from "../graphql/scalars/enum-type.ts";

/** The review policies of zones, from the least strict to the strictest. */
export const ReviewPolicy = enumType("ReviewPolicy", "How changes of a zone come about.", {
  NONE: "It is changed directly, or by change sets.",
  CHANGE_SET: "It is changed by change sets alone, which need no approval.",
  ONE: "Changed only by change sets that one other person approves.",
  TWO: "Changed only by change sets that two other persons approve.",
});
export type ReviewPolicy = keyof typeof ReviewPolicy;

const order: readonly ReviewPolicy[] = Object.values(ReviewPolicy);

export const isFreer = (policy: ReviewPolicy, than: ReviewPolicy) => order.indexOf(policy) < order.indexOf(than);

/** How many persons must approve a change set, 0 to 2; null where a zone can be changed without a change set. */
export const requiredApprovals = (policy: ReviewPolicy) => (policy === ReviewPolicy.NONE ? null : approvalsOf(policy));

export const approvalsOf = (policy: ReviewPolicy) => Math.max(0, order.indexOf(policy) - 1);
