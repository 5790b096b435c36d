/**
 * Gives a domain other labels.
 */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { readAgain } from "../api/queries.ts";
import { updateZone, zoneOptions } from "../api/zone.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Dialog } from "../parts/control/dialog.tsx";
import { Field, TextInput } from "../parts/control/field.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { Reading } from "../parts/page/list.tsx";
import { type Label, labelsOf, labelText } from "./label-text.ts";

interface EditLabelsProps {
  readonly zone: { readonly zone: string; readonly zoneUnicode: string };
  readonly onClose: () => void;
}

export function EditLabels({ zone, onClose }: EditLabelsProps) {
  const { data, error } = useQuery(zoneOptions(zone.zone));
  if (data) return <LabelForm zone={zone} labels={data.labels ?? []} onClose={onClose} />;
  return (
    <Dialog title={`Labels of ${zone.zoneUnicode}`} onClose={onClose}>
      <Reading query={{ error }} />
    </Dialog>
  );
}

function LabelForm({ zone, labels, onClose }: EditLabelsProps & { readonly labels: readonly Label[] }) {
  const [text, setText] = useState(labels.map(labelText).join(" "));
  const save = useForm({
    fields: ["labels.*"],
    mutationFn: () => updateZone({ by: { zone: zone.zone }, labels: labelsOf(text) }),
    onSuccess: () => {
      announceResult(`The labels of ${zone.zoneUnicode} are saved.`);
      onClose();
      readAgain("zones", "zone");
    },
  });
  return (
    <FormDialog title={`Labels of ${zone.zoneUnicode}`} action="Save" form={save} onClose={onClose}>
      <Field
        label="Labels"
        error={save.errorOf("labels.*")}
        hint="Such as env=prod team=dns, separated by blanks. Zones are found by them; the records stay as they are."
      >
        <TextInput value={text} onChange={setText} />
      </Field>
    </FormDialog>
  );
}
