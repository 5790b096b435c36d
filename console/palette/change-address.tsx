/** An address that becomes another in all zones that the viewer sees: a change set that nobody has applied yet. */
import { useNavigate } from "@tanstack/react-router";
import { readAgain } from "../api/queries.ts";
import { graphql, RefusedField, run } from "../api/run.ts";
import { FormDialog, TextField, useForm } from "../parts/page/form.tsx";

const changeAddress = graphql(`
  mutation ChangeAddress($input: EditRecordsInput!) {
    editRecords(input: $input) { changeSet { id } refusals { message } }
  }
`);

export function ChangeAddress({ address, onClose }: { readonly address: string; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const change = useForm({
    values: { to: "" },
    mutationFn: async ({ to }) => {
      const input = { filter: { rdata: { address } }, set: { replace: { address: { from: address, to } } } };
      const { editRecords } = await run(changeAddress, { input });
      const refusal = editRecords?.refusals[0]?.message ?? "No record changes.";
      if (!editRecords?.changeSet) throw new RefusedField("to", refusal);
      return editRecords.changeSet.id;
    },
    onSuccess: (id) => {
      readAgain("change-sets");
      onClose();
      return navigate({ to: "/changes/$change", params: { change: id } });
    },
  });
  return (
    <FormDialog title={`Change ${address}`} action="Show the change" form={change} onClose={onClose}>
      <TextField
        name="to"
        label="To"
        hint="Nothing happens to the records before the change is applied, on the next page."
        required
      />
    </FormDialog>
  );
}
