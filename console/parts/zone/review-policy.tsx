/**
 * How changes of a zone come about: the policy as text, the field in which it is set, and what is offered where a zone is created or
 * restored by a change set alone.
 */
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ReviewPolicy, StageZoneInput } from "../../api/generated/graphql.ts";
import { readAgain } from "../../api/queries.ts";
import { graphql, Refused, run } from "../../api/run.ts";
import { zoneOptions } from "../../api/zone.ts";
import { announceResult } from "../control/announce.tsx";
import { Button } from "../control/button.tsx";
import { optionsOf } from "../control/field.tsx";
import { SelectField } from "../page/form.tsx";
import { Refusal } from "../page/page.tsx";

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

/** The field `review` of a form. */
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

const proposeZone = graphql(`
  mutation ProposeZone($input: CreateChangeSetInput!) {
    createChangeSet(input: $input) { changeSet { id } }
  }
`);

interface ProposeZoneProps {
  /** Why the zone was not created or restored. */
  readonly error: unknown;
  readonly zone: string;
  readonly title: string;
  /** What the change set would hold. */
  readonly staged: () => Promise<StageZoneInput>;
  /** What it would not hold. */
  readonly children?: ReactNode;
}

/** Whether a zone is created, or comes back, by a change set alone. */
export const wantsChangeSet = (error: unknown): error is Refused =>
  error instanceof Refused && error.code === "REVIEW_REQUIRED";

export function ProposeZone({ error, zone, title, staged, children }: ProposeZoneProps) {
  const navigate = useNavigate();
  const proposal = useMutation({
    mutationFn: async () => (await run(proposeZone, { input: { title, zones: [await staged()] } })).createChangeSet,
    onSuccess: async (created) => {
      if (!created) return;
      announceResult(`The change set is created: ${title}.`);
      readAgain("change-sets");
      await navigate({ to: "/changes/$change", params: { change: created.changeSet.id } });
    },
  });
  if (!wantsChangeSet(error)) return null;
  const { review = "CHANGE_SET" } = error.body.details ?? {};
  return (
    <>
      <p role="alert">{demandText(zone, review as ReviewPolicy)} Nothing was changed.</p>
      {children}
      {proposal.error && <Refusal error={proposal.error} />}
      <p>
        <Button busy={proposal.isPending} onClick={() => proposal.mutate()}>
          Propose it as a change set
        </Button>
      </p>
    </>
  );
}
