/**
 * What is offered in place of creating or restoring a zone where that takes a change set: the same as a change set, in one step.
 */
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { graphql } from "../../api/generated/gql.ts";
import type { ReviewPolicy, StageZoneInput } from "../../api/generated/graphql.ts";
import { readAgain } from "../../api/queries.ts";
import { Refused } from "../../api/refused.ts";
import { run } from "../../api/run.ts";
import { announceResult } from "../control/announce.tsx";
import { Button } from "../control/button.tsx";
import { Refusal } from "../page/refusal.tsx";
import { demandText } from "./review-policy.tsx";

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
