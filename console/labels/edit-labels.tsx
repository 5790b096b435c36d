/**
 * Gives a domain other labels.
 */
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import { queries } from "../api/queries.ts";
import { Refused } from "../api/refused.ts";
import { run } from "../api/run.ts";
import { zoneOptions } from "../api/zone.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Dialog } from "../parts/control/dialog.tsx";
import { Field, TextInput } from "../parts/control/field.tsx";
import { FormDialog } from "../parts/page/form-dialog.tsx";
import { Loading } from "../parts/page/page.tsx";
import { Refusal } from "../parts/page/refusal.tsx";
import { type Label, labelsOf, labelText } from "./label-text.ts";

const updateLabels = graphql(`
  mutation UpdateLabels($input: UpdateDomainInput!) {
    updateDomain(input: $input) {
      domain { id }
    }
  }
`);

interface EditLabelsProps {
  readonly zone: { readonly zone: string; readonly zoneUnicode: string };
  readonly onClose: () => void;
}

export function EditLabels({ zone, onClose }: EditLabelsProps) {
  const { data, error } = useQuery(zoneOptions(zone.zone));
  if (data) return <LabelForm zone={zone} labels={data.labels ?? []} onClose={onClose} />;
  return (
    <Dialog title={`Labels of ${zone.zoneUnicode}`} onClose={onClose}>
      {error ? <Refusal error={error} /> : <Loading />}
    </Dialog>
  );
}

function LabelForm({ zone, labels, onClose }: EditLabelsProps & { readonly labels: readonly Label[] }) {
  const [text, setText] = useState(labels.map(labelText).join(" "));
  const save = useMutation({
    mutationFn: () => run(updateLabels, { input: { by: { zone: zone.zone }, labels: labelsOf(text) } }),
    onSuccess: () => {
      announceResult(`The labels of ${zone.zoneUnicode} are saved.`);
      onClose();
      void queries.invalidateQueries({ queryKey: ["zones"] });
      void queries.invalidateQueries({ queryKey: ["zone", zone.zone] });
    },
  });
  const { error } = save;
  const isOfField = error instanceof Refused && error.reasons.some(({ field }) => field?.startsWith("labels"));
  return (
    <FormDialog
      title={`Labels of ${zone.zoneUnicode}`}
      action="Save"
      isSending={save.isPending}
      onSend={() => save.mutate()}
      onClose={onClose}
    >
      <Field
        label="Labels"
        error={isOfField ? error.reasons.map(({ message }) => message).join(" ") : undefined}
        hint="Such as env=prod team=dns, separated by blanks. Zones are found by them; the records stay as they are."
      >
        <TextInput value={text} onChange={setText} />
      </Field>
      {error && !isOfField && <Refusal error={error} />}
    </FormDialog>
  );
}
