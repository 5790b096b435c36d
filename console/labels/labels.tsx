/**
 * The labels of a zone: as text, `env=prod`, or `env` where the value is empty; as links; and the form that gives it others.
 */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { act } from "../api/run.ts";
import { zoneOptions } from "../api/zone.ts";
import { FormDialog, saved, TextField, useForm } from "../parts/page/form.tsx";
import { Read } from "../parts/page/list.tsx";
import page from "../parts/page/page.module.css";
import { listedWords } from "../parts/text/listed-words.ts";

export interface Label {
  readonly name: string;
  readonly value: string;
}

export const labelText = ({ name, value }: Label) => (value === "" ? name : `${name}=${value}`);

/** Labels as they are written into a field, separated by blanks or commas. */
export const labelsOf = (text: string): Label[] =>
  listedWords(text).map((word) => {
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
  const query = useQuery(zoneOptions(zone.zone));
  return (
    <Read query={query} title={`Labels of ${zone.zoneUnicode}`} onClose={onClose}>
      {({ labels }) => <LabelForm zone={zone} labels={labels ?? []} onClose={onClose} />}
    </Read>
  );
}

function LabelForm({ zone, labels, onClose }: EditLabelsProps & { readonly labels: readonly Label[] }) {
  const save = useForm({
    values: { labels: labels.map(labelText).join(" ") },
    mutationFn: (written) => act("updateDomain", { by: { zone: zone.zone }, labels: labelsOf(written.labels) }),
    onSuccess: () => saved(`The labels of ${zone.zoneUnicode} are saved.`, onClose, "zones", "zone", "findings"),
  });
  return (
    <FormDialog title={`Labels of ${zone.zoneUnicode}`} action="Save" form={save} onClose={onClose}>
      <TextField
        name="labels"
        label="Labels"
        hint="Such as env=prod team=dns, separated by blanks. Zones are found by them; the records stay as they are."
      />
    </FormDialog>
  );
}
