/**
 * Deleting a zone, which asks for its name.
 */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { graphql } from "../api/generated/gql.ts";
import { run } from "../api/run.ts";
import { createSet } from "../changesets/steps.ts";
import { saved, TextField } from "../parts/page/fields.tsx";
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
  mutation DeleteZone($input: DeleteDomainInput!) { deleteDomain(input: $input) { deletedId } }
`);

interface DeleteZoneProps {
  readonly zone: { readonly zone: string; readonly zoneUnicode: string };
  readonly onClose: () => void;
  readonly onDeleted?: (() => void) | undefined;
}

export function DeleteZone({ zone: { zone, zoneUnicode }, onClose, onDeleted }: DeleteZoneProps) {
  const navigate = useNavigate();
  const { data } = useQuery({
    queryKey: ["record-count", zone],
    queryFn: ({ signal }) => run(recordCount, { zone }, signal),
  });
  const demanded = policyOf(data?.domain?.requiredApprovals);
  const isReviewed = demandsReview(demanded);
  const count = data?.domain?.records?.totalCount;
  const form = useForm({
    values: { typed: "" },
    mutationFn: async () => {
      if (!isReviewed) return void (await run(deleteZone, { input: { by: { zone } } }));
      const words = { title: `deletion of ${zone}`, description: "", requestedApprovals: 0 };
      return createSet(words, [{ delete: { zone } }]);
    },
    onSuccess: async (set) => {
      if (set) {
        saved("The change set is created; nothing is deleted yet.", onClose, "change-sets");
        return navigate({ to: "/changes/$change", params: { change: set.id } });
      }
      saved(`${zoneUnicode} is deleted.`, onClose, "zones", "zone-counts");
      return onDeleted?.();
    },
  });
  const name = form.values.typed.trim().toLowerCase().replace(/\.$/, "");
  return (
    <FormDialog
      title={`Delete ${zoneUnicode}?`}
      action={isReviewed ? "Propose the deletion" : "Delete the zone"}
      kind="danger"
      isReady={[zone, zoneUnicode].includes(name)}
      form={form}
      onClose={onClose}
    >
      <p>
        Its {typeof count === "number" ? counted(count, "record") : "records"} {count === 1 ? "goes" : "go"} with it,
        and every name server that follows stops serving it. Its history stays; from there, the zone can be restored.
      </p>
      {isReviewed && <p>{demandText(zoneUnicode, demanded)} A change set is made of the deletion.</p>}
      <TextField name="typed" label="Type the name of the zone" />
    </FormDialog>
  );
}
