/**
 * A template that is written: its words, its variables and its records, each refusal at its row.
 */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { graphql } from "../api/generated/gql.ts";
import { queries, readAgain } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { announceResult, messagesOf } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import { Actions } from "../parts/control/dialog.tsx";
import { Fields } from "../parts/control/field.tsx";
import { TextField } from "../parts/page/fields.tsx";
import { FieldsOf, useForm } from "../parts/page/form-dialog.tsx";
import { Read } from "../parts/page/list.tsx";
import page from "../parts/page/page.module.css";
import { Page } from "../parts/page/page.tsx";
import { ownerIfAny, UserField } from "../users/user-field.tsx";
import { contentOf, draftOf, fieldsOf } from "./draft.ts";
import { type ShownTemplate, templateOptions } from "./queries.ts";
import { RecordRows, VariableRows } from "./rows.tsx";

const createTemplate = graphql(`
  mutation CreateTemplate($input: CreateTemplateInput!) {
    createTemplate(input: $input) {
      template { id }
      notices { message }
    }
  }
`);

const updateTemplate = graphql(`
  mutation UpdateTemplate($input: UpdateTemplateInput!) {
    updateTemplate(input: $input) {
      template { id }
      notices { message }
    }
  }
`);

const route = getRouteApi("/shell/settings/templates/$template/edit");

export const NewTemplate = () => <TemplateForm />;

export function EditTemplate() {
  const { template: id } = route.useParams();
  return (
    <Read query={useQuery(templateOptions(id))} title="Template">
      {(template) => <TemplateForm key={id} template={template} />}
    </Read>
  );
}

function TemplateForm({ template }: { readonly template?: ShownTemplate }) {
  const viewer = useViewer();
  const navigate = useNavigate();
  const open = (id: string) => navigate({ to: "/settings/templates/$template", params: { template: id } });
  const save = useForm({
    values: () => ({ ...draftOf(template), userId: "" }),
    fields: (draft) => fieldsOf(draft),
    mutationFn: async ({ userId: email, ...draft }) => {
      const content = contentOf(draft);
      if (template) {
        const input = { by: { id: template.id }, expectedRevision: template.revision, ...content };
        return (await run(updateTemplate, { input })).updateTemplate;
      }
      const userId = await ownerIfAny(viewer, email);
      return (await run(createTemplate, { input: { ...content, userId } })).createTemplate;
    },
    onSuccess: async (result, { name }) => {
      if (!result) return;
      announceResult(`${name} is saved.`, messagesOf(result.notices));
      readAgain("templates");
      await queries.invalidateQueries({ queryKey: ["template", result.template.id] });
      await open(result.template.id);
    },
  });
  const { values, set, errorOf } = save;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  const leave = () => void (template ? open(template.id) : navigate({ to: "/settings/templates" }));
  return (
    <Page title={template ? `Edit ${template.name}` : "New template"}>
      <form onSubmit={submit} className={page.form}>
        <Fields>
          <FieldsOf form={save}>
            <TextField name="name" label="Name" required maxLength={100} />
            <TextField
              name="description"
              label="Description"
              hint="What zones it is for."
              maxLength={1000}
              spellCheck
            />
            {!template && viewer.isAdministrator && (
              <UserField hint="The e-mail address of the user whose template it is; empty for one that all users may use." />
            )}
          </FieldsOf>
          <VariableRows rows={values.variables} errorOf={errorOf} onChange={(variables) => set({ variables })} />
          <RecordRows rows={values.records} errorOf={errorOf} onChange={(records) => set({ records })} />
          {save.rest}
        </Fields>
        <Actions>
          <Button onClick={leave}>Cancel</Button>
          <Button kind="primary" type="submit" busy={save.isPending}>
            {template ? "Save" : "Create"}
          </Button>
        </Actions>
      </form>
    </Page>
  );
}
