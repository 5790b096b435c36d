/** How changes of a zone come about: the policy as text, and the field in which it is set. */
import { useQuery } from "@tanstack/react-query";
import type { ReviewPolicy } from "../../api/generated/graphql.ts";
import { zoneOptions } from "../../api/zone.ts";
import { optionsOf } from "../control/field.tsx";
import { SelectField } from "../page/form.tsx";

/** The policies from the freest on. */
const words: Readonly<Record<ReviewPolicy, string>> = {
  NONE: "directly, or by change sets",
  CHANGE_SET: "by change sets alone, without approval",
  ONE: "by change sets alone, approved by one other person",
  TWO: "by change sets alone, approved by two other persons",
};
const policies = Object.keys(words) as ReviewPolicy[];

/** The policy by the approvals that a zone requires. */
export const policyOf = (requiredApprovals: number | null | undefined): ReviewPolicy =>
  requiredApprovals == null ? "NONE" : (policies[requiredApprovals + 1] as ReviewPolicy);

/** Whether a zone is changed by change sets alone. */
export const demandsReview = (policy: ReviewPolicy | null | undefined) => policy != null && policy !== "NONE";

/** The review that a zone demands at present, and whether the zone is changed by change sets alone. */
export function useDemandedReview(zone: string) {
  const demanded = policyOf(useQuery(zoneOptions(zone)).data?.requiredApprovals);
  return { demanded, isReviewed: demandsReview(demanded) };
}

/** Why a zone is not changed directly. */
export const demandText = (zone: string, policy: ReviewPolicy) => `${zone} is changed ${words[policy]}.`;

/** The field of a form; empty is as the owner's. */
export type ReviewChoice = ReviewPolicy | "";

interface ReviewFieldProps {
  /** What is in force: only an administrator makes it freer. */
  readonly least: ReviewPolicy;
  readonly isFree: boolean;
  /** Whether it can be left to the owner of the zone. */
  readonly inherits: boolean;
}

export function ReviewField({ least, isFree, inherits }: ReviewFieldProps) {
  const offered = optionsOf(words).filter((_, at) => isFree || at >= policies.indexOf(least));
  return (
    <SelectField
      name="review"
      label="Changes are made"
      hint={isFree ? undefined : "It can be made stricter here; only an administrator makes it freer."}
      options={[...(inherits ? [["", "as its user says"] as const] : []), ...offered]}
    />
  );
}
