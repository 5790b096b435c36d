/**
 * Deleting a zone, which asks for its name.
 */
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import { queries } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { announceResult } from "../parts/announce.tsx";
import { counted } from "../parts/counted.ts";
import { Field, TextInput } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Refusal } from "../parts/refusal.tsx";

const recordCount = graphql(`
  query RecordCount($zone: String!) {
    domain(by: { zone: $zone }) {
      records(first: 1) {
        totalCount
      }
    }
  }
`);

const deleteZone = graphql(`
  mutation DeleteZone($input: DeleteDomainInput!) {
    deleteDomain(input: $input) {
      deletedId
    }
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
  const count = data?.domain?.records?.totalCount;
  const deletion = useMutation({
    mutationFn: () => run(deleteZone, { input: { zone } }),
    onSuccess: () => {
      announceResult(`${zoneUnicode} is deleted.`);
      onClose();
      void queries.invalidateQueries({ queryKey: ["zones"] });
      void queries.invalidateQueries({ queryKey: ["zone-counts"] });
      onDeleted?.();
    },
  });
  const isNamed = [zone, zoneUnicode].includes(typed.trim().toLowerCase().replace(/\.$/, ""));
  return (
    <FormDialog
      title={`Delete ${zoneUnicode}?`}
      action="Delete the zone"
      kind="danger"
      isReady={isNamed}
      isSending={deletion.isPending}
      onSend={() => deletion.mutate()}
      onClose={onClose}
    >
      <p>
        Its {typeof count === "number" ? counted(count, "record") : "records"} {count === 1 ? "goes" : "go"} with it,
        and every name server that follows stops serving it. Its history stays; from there, the zone can be restored.
      </p>
      <Field label="Type the name of the zone">
        <TextInput value={typed} onChange={setTyped} />
      </Field>
      {deletion.error && <Refusal error={deletion.error} />}
    </FormDialog>
  );
}
