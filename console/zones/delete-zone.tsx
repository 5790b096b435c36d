/**
 * Deleting a zone, which asks for its name.
 */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import { readAgain } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { createSet } from "../changesets/steps.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Field, TextInput } from "../parts/control/field.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { counted } from "../parts/text/counted.ts";
import { demandsReview, demandText, policyOf } from "../parts/zone/review-policy.tsx";

const recordCount = graphql(`
  query RecordCount($zone: String!) {
    domain(by: { zone: $zone }) {
      requiredApprovals
      records(first: 1) { totalCount }
    }
  }
`);

const deleteZone = graphql(`
  mutation DeleteZone($input: DeleteDomainInput!) {
    deleteDomain(input: $input) { deletedId }
  }
`);

interface DeleteZoneProps {
  readonly zone: { readonly zone: string; readonly zoneUnicode: string };
  readonly onClose: () => void;
  readonly onDeleted?: (() => void) | undefined;
}

export function DeleteZone({ zone: { zone, zoneUnicode }, onClose, onDeleted }: DeleteZoneProps) {
  const [typed, setTyped] = useState("");
  const { data } = useQuery({
    queryKey: ["record-count", zone],
    queryFn: ({ signal }) => run(recordCount, { zone }, signal),
  });
  const navigate = useNavigate();
  const demanded = policyOf(data?.domain?.requiredApprovals);
  const isReviewed = demandsReview(demanded);
  const proposal = useForm({
    mutationFn: () => {
      const words = { title: `deletion of ${zone}`, description: "", requestedApprovals: 0 };
      return createSet(words, [{ delete: { zone } }]);
    },
    onSuccess: async ({ id }) => {
      announceResult("The change set is created; nothing is deleted yet.");
      onClose();
      readAgain("change-sets");
      await navigate({ to: "/changes/$change", params: { change: id } });
    },
  });
  const count = data?.domain?.records?.totalCount;
  const deletion = useForm({
    mutationFn: () => run(deleteZone, { input: { by: { zone } } }),
    onSuccess: () => {
      announceResult(`${zoneUnicode} is deleted.`);
      onClose();
      readAgain("zones", "zone-counts");
      onDeleted?.();
    },
  });
  const sending = isReviewed ? proposal : deletion;
  const isNamed = [zone, zoneUnicode].includes(typed.trim().toLowerCase().replace(/\.$/, ""));
  return (
    <FormDialog
      title={`Delete ${zoneUnicode}?`}
      action={isReviewed ? "Propose the deletion" : "Delete the zone"}
      kind="danger"
      isReady={isNamed}
      form={{ ...sending, rest: sending.rest ?? deletion.rest }}
      onClose={onClose}
    >
      <p>
        Its {typeof count === "number" ? counted(count, "record") : "records"} {count === 1 ? "goes" : "go"} with it,
        and every name server that follows stops serving it. Its history stays; from there, the zone can be restored.
      </p>
      {isReviewed && <p>{demandText(zoneUnicode, demanded)} A change set is made of the deletion.</p>}
      <Field label="Type the name of the zone">
        <TextInput value={typed} onChange={setTyped} />
      </Field>
    </FormDialog>
  );
}
