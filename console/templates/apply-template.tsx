/**
 * A template applied to zones that are there: it becomes a change set, whose difference is looked at before anything is changed.
 */
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import type { TemplateMode } from "../api/generated/graphql.ts";
import { readAgain } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { labelsOf, labelText } from "../labels/label-text.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Field, optionsOf, Select, TextInput } from "../parts/control/field.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import type { ShownTemplate } from "./queries.ts";
import { useValues, ValueFields } from "./template-fields.tsx";

const applyTemplate = graphql(`
  mutation ApplyTemplate($input: ApplyTemplateInput!) {
    applyTemplate(input: $input) { changeSet { id } }
  }
`);

const modes: Readonly<Record<TemplateMode, string>> = {
  ADD: "add what a zone does not have",
  REPLACE_RRSETS: "make the RRsets that it names its own",
};

interface ApplyTemplateProps {
  readonly template: ShownTemplate;
  readonly onClose: () => void;
}

export function ApplyTemplate({ template: { id, name, variables }, onClose }: ApplyTemplateProps) {
  const [zones, setZones] = useState("");
  const [labels, setLabels] = useState("");
  const [mode, setMode] = useState<TemplateMode>("ADD");
  const [title, setTitle] = useState("");
  const values = useValues(variables);
  const navigate = useNavigate();
  const application = useForm({
    fields: ["zones.*", "labels.*", "title", "mode", ...variables.map((variable) => values.fieldOf(variable.name))],
    mutationFn: () => {
      const named = zones.split(/[\s,;]+/).filter((word) => word !== "");
      const labelled = labelsOf(labels).map(labelText);
      return run(applyTemplate, {
        input: {
          templateId: id,
          mode,
          variables: values.written,
          ...(named.length > 0 && { zones: named }),
          ...(labelled.length > 0 && { labels: labelled }),
          ...(title.trim() !== "" && { title: title.trim() }),
        },
      });
    },
    onSuccess: async (result) => {
      const changeSet = result.applyTemplate?.changeSet;
      onClose();
      if (!changeSet) return announceResult("Nothing is to be changed: the zones are like this already.");
      announceResult("The change set is created.");
      readAgain("change-sets");
      await navigate({ to: "/changes/$change", params: { change: changeSet.id } });
    },
  });
  return (
    <FormDialog
      title={`Apply ${name} to zones`}
      action="Look at the difference"
      isReady={zones.trim() !== "" || labels.trim() !== ""}
      form={application}
      onClose={onClose}
    >
      <p>A change set is made of it; until that is applied, no zone is changed.</p>
      <Field
        label="Zones"
        error={application.errorOf("zones.*")}
        hint="Names, separated by blanks; * stands for any characters."
      >
        <TextInput value={zones} onChange={setZones} />
      </Field>
      <Field
        label="Labels"
        error={application.errorOf("labels.*")}
        hint="Such as env=prod team, separated by blanks; only zones that have all of them."
      >
        <TextInput value={labels} onChange={setLabels} />
      </Field>
      <Field label="What it does" error={application.errorOf("mode")}>
        <Select value={mode} options={optionsOf(modes)} onChange={setMode} />
      </Field>
      <ValueFields variables={variables} values={values} error={application.errorOf} />
      <Field label="Title" error={application.errorOf("title")} hint={`What it is for; without it, ${name}.`}>
        <TextInput maxLength={200} spellCheck value={title} onChange={setTitle} />
      </Field>
    </FormDialog>
  );
}
