/**
 * A template applied to zones that are there: it becomes a change set, whose difference is looked at before anything is changed.
 */
import { useNavigate } from "@tanstack/react-router";
import { graphql } from "../api/generated/gql.ts";
import type { TemplateMode } from "../api/generated/graphql.ts";
import { readAgain } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { labelsOf, labelText } from "../labels/labels.tsx";
import { announceResult } from "../parts/control/announce.tsx";
import { optionsOf } from "../parts/control/field.tsx";
import { SelectField, TextField } from "../parts/page/fields.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { listedOrNone } from "../parts/text/listed-words.ts";
import type { ShownTemplate } from "./queries.ts";
import { useValues, ValueFields } from "./template-fields.tsx";

const applyTemplate = graphql(`
  mutation ApplyTemplate($input: ApplyTemplateInput!) { applyTemplate(input: $input) { changeSet { id } } }
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
  const values = useValues(variables);
  const navigate = useNavigate();
  const application = useForm({
    values: { zones: "", labels: "", mode: "ADD" as TemplateMode, title: "" },
    fields: variables.map((variable) => values.fieldOf(variable.name)),
    mutationFn: ({ zones, labels, mode, title }) =>
      run(applyTemplate, {
        input: {
          templateId: id,
          mode,
          variables: values.written,
          zones: listedOrNone(zones),
          labels: labels === "" ? undefined : labelsOf(labels).map(labelText),
          title: title || undefined,
        },
      }),
    onSuccess: async (result) => {
      const changeSet = result.applyTemplate?.changeSet;
      onClose();
      if (!changeSet) return announceResult("Nothing is to be changed: the zones are like this already.");
      announceResult("The change set is created.");
      readAgain("change-sets");
      await navigate({ to: "/changes/$change", params: { change: changeSet.id } });
    },
  });
  const { zones, labels } = application.values;
  return (
    <FormDialog
      title={`Apply ${name} to zones`}
      action="Look at the difference"
      isReady={zones.trim() !== "" || labels.trim() !== ""}
      form={application}
      onClose={onClose}
    >
      <p>A change set is made of it; until that is applied, no zone is changed.</p>
      <TextField name="zones" label="Zones" hint="Names, separated by blanks; * stands for any characters." />
      <TextField
        name="labels"
        label="Labels"
        hint="Such as env=prod team, separated by blanks; only zones that have all of them."
      />
      <SelectField name="mode" label="What it does" options={optionsOf(modes)} />
      <ValueFields variables={variables} values={values} error={application.errorOf} />
      <TextField name="title" label="Title" hint={`What it is for; without it, ${name}.`} maxLength={200} spellCheck />
    </FormDialog>
  );
}
