/**
 * The templates, from which zones are made; and one of them: its variables and records, and what can be done with it, such as applying it
 * to zones that are there.
 */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { TemplateMode } from "../api/generated/graphql.ts";
import { readAgain } from "../api/queries.ts";
import { act, graphql, run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { labelsOf, labelText } from "../labels/labels.tsx";
import { announceResult } from "../parts/control/announce.tsx";
import { buttonClass } from "../parts/control/button.tsx";
import { optionsOf } from "../parts/control/field.tsx";
import look from "../parts/look.module.css";
import { DialogButton, FormDialog, Question, SelectField, TextField, useForm } from "../parts/page/form.tsx";
import { Read, RowTable } from "../parts/page/list.tsx";
import page from "../parts/page/page.module.css";
import { Page } from "../parts/page/page.tsx";
import { SettingsList } from "../parts/page/settings-list.tsx";
import { listedOrNone } from "../parts/text/listed-words.ts";
import {
  kindWords,
  noDefault,
  placeholder,
  type ShownTemplate,
  templateOptions,
  templatesOptions,
  useValues,
  ValueFields,
} from "./template-fields.tsx";

export function Templates() {
  const navigate = useNavigate();
  return (
    <SettingsList
      title="Templates"
      noun="template"
      none="There are no templates yet"
      about="A template holds the records that new zones begin with. Where zones differ, such as in an address, it has variables, whose values are asked for when a zone is made from it."
      onAdd={() => void navigate({ to: "/settings/templates/new" })}
      query={useInfiniteQuery(templatesOptions)}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      columns={[
        [
          "Name",
          ({ name }) => name,
          { link: ({ id }) => ({ to: "/settings/templates/$template", params: { template: id } }) },
        ],
        ["Description", ({ description }) => description, { className: look.anywhere }],
        [
          "Variables",
          ({ variables }) => variables.map(({ name }) => name).join(", ") || "none",
          { label: "variables" },
        ],
        ["Who may use it", ({ user }) => user?.email ?? <span className={look.soft}>all users</span>, { isCut: true }],
      ]}
    />
  );
}

const data = `${look.mono} ${look.anywhere}`;

const route = getRouteApi("/shell/settings/templates/$template");

export function Template() {
  const { template: id } = route.useParams();
  return (
    <Read query={useQuery(templateOptions(id))} title="Template">
      {(template) => <Shown template={template} />}
    </Read>
  );
}

function Shown({ template }: { readonly template: ShownTemplate }) {
  const { id, name, description, user, variables, records } = template;
  const { readOnly, isAdministrator } = useViewer();
  const navigate = route.useNavigate();
  // A shared one is the administrators'.
  const mayWrite = !readOnly && (isAdministrator || user !== null);
  return (
    <Page
      title={name}
      beside={<span className={look.soft}>{user?.email ?? "for all users"}</span>}
      actions={
        <>
          {mayWrite && (
            <>
              <Link to="/settings/templates/$template/edit" params={{ template: id }} className={buttonClass()}>
                Edit
              </Link>
              <DialogButton
                kind="danger"
                dialog={(close) => (
                  <Question
                    title={`Delete ${name}?`}
                    action="Delete the template"
                    send={() => act("deleteTemplate", { by: { id } })}
                    onSuccess={async () => {
                      announceResult(`${name} is deleted.`);
                      readAgain("templates");
                      await navigate({ to: "/settings/templates" });
                    }}
                    onClose={close}
                  >
                    Zones that were made from it stay as they are.
                  </Question>
                )}
              >
                Delete…
              </DialogButton>
            </>
          )}
          {!readOnly && (
            <>
              <DialogButton dialog={(close) => <ApplyTemplate template={template} onClose={close} />}>
                Apply to zones…
              </DialogButton>
              <Link to="/zones" search={{ new: "zone", template: id }} className={buttonClass("primary")}>
                New zone from it
              </Link>
            </>
          )}
        </>
      }
    >
      {description && <p className={page.quote}>{description}</p>}
      {variables.length > 0 && (
        <>
          <h2>Variables</h2>
          <RowTable
            label="Variables"
            rows={variables}
            keyOf={(variable) => variable.name}
            columns={[
              ["Name", (each) => placeholder(each.name), { className: look.mono }],
              ["Kind", ({ kind }) => kindWords[kind]],
              ["Default", (each) => each.default ?? noDefault, { className: look.anywhere, label: "default" }],
              ["Description", (each) => each.description, { className: look.anywhere }],
            ]}
          />
        </>
      )}
      <h2>Records</h2>
      <RowTable
        label="Records"
        rows={records}
        // They are not moved.
        keyOf={(record) => records.indexOf(record)}
        columns={[
          ["Owner", ({ owner }) => owner, { className: data }],
          ["Type", ({ type }) => type, { className: look.mono }],
          ["#TTL", ({ ttl }) => ttl ?? "usual", { className: look.mono, label: "TTL" }],
          ["Data", ({ rdata }) => rdata, { className: data }],
        ]}
      />
    </Page>
  );
}

const applyTemplate = graphql(`
  mutation ApplyTemplate($input: ApplyTemplateInput!) { applyTemplate(input: $input) { changeSet { id } } }
`);

const modes: Readonly<Record<TemplateMode, string>> = {
  ADD: "add what a zone does not have",
  REPLACE_RRSETS: "make the RRsets that it names its own",
};

function ApplyTemplate({ template, onClose }: { readonly template: ShownTemplate; readonly onClose: () => void }) {
  const { id, name, variables } = template;
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
