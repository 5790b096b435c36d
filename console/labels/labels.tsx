/**
 * The labels of a zone: as text, `env=prod`, or `env` where the value is empty; as links; and the form that gives it others.
 */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment, useState } from "react";
import { readAgain } from "../api/queries.ts";
import { updateZone, zoneOptions } from "../api/zone.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Dialog } from "../parts/control/dialog.tsx";
import { Field, TextInput } from "../parts/control/field.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { Reading } from "../parts/page/list.tsx";
import page from "../parts/page/page.module.css";

export interface Label {
  readonly name: string;
  readonly value: string;
}

export const labelText = ({ name, value }: Label) => (value === "" ? name : `${name}=${value}`);

/** Labels as they are written into a field, separated by blanks or commas. */
export const labelsOf = (text: string): Label[] =>
  text
    .split(/[\s,]+/)
    .filter((word) => word !== "")
    .map((word) => {
      const [name = "", ...value] = word.split("=");
      return { name, value: value.join("=") };
    });

/** Each is a link to all zones that have it. */
export function LabelChips({ labels }: { readonly labels: readonly Label[] | null | undefined }) {
  return (labels ?? []).map((label) => {
    const text = labelText(label);
    return (
      <Fragment key={text}>
        <Link to="/zones" search={{ label: text }} className={page.label} title={`All zones with ${text}`}>
          {text}
        </Link>{" "}
      </Fragment>
    );
  });
}

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
