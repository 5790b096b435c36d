/**
 * A template that is written: its words, its variables and its records, each refusal at its row.
 */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { queries, readAgain } from "../api/queries.ts";
import { useViewer } from "../api/viewer.ts";
import { announceResult, messagesOf } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import { Actions } from "../parts/control/dialog.tsx";
import { Field, Fields, TextInput } from "../parts/control/field.tsx";
import { useForm } from "../parts/page/form-dialog.tsx";
import { Reading } from "../parts/page/list.tsx";
import page from "../parts/page/page.module.css";
import { Page } from "../parts/page/page.tsx";
import { namedUser, UserField } from "../users/user-field.tsx";
import { contentOf, type Draft, draftOf, fieldsOf } from "./draft.ts";
import { type ShownTemplate, saveTemplate, templateOptions } from "./queries.ts";
import { RecordRows, VariableRows } from "./rows.tsx";

const route = getRouteApi("/shell/settings/templates/$template/edit");

export function NewTemplate() {
  return <TemplateForm />;
}

export function EditTemplate() {
  const { template: id } = route.useParams();
  const query = useQuery(templateOptions(id));
  const { data } = query;
  if (data) return <TemplateForm key={id} template={data} />;
  return (
    <Page title="Template">
      <Reading query={query} />
    </Page>
  );
}

function TemplateForm({ template }: { readonly template?: ShownTemplate }) {
  const viewer = useViewer();
  const navigate = useNavigate();
  const [draft, setDraft] = useState<Draft>(() => draftOf(template));
  const [email, setEmail] = useState("");
  const set = (changed: Partial<Draft>) => setDraft((before) => ({ ...before, ...changed }));
  const save = useForm({
    fields: [...fieldsOf(draft), "userId"],
    mutationFn: async () => {
      if (template) return saveTemplate(contentOf(draft), { template });
      const named = email.trim() === "" ? undefined : await namedUser(email.trim());
      return saveTemplate(contentOf(draft), { userId: viewer.user?.id ?? named });
    },
    onSuccess: async (saved) => {
      if (!saved) return;
      announceResult(`${draft.name} is saved.`, messagesOf(saved.notices));
      readAgain("templates");
      await queries.invalidateQueries({ queryKey: ["template", saved.template.id] });
      await navigate({ to: "/settings/templates/$template", params: { template: saved.template.id } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  const leave = () =>
    void (template
      ? navigate({ to: "/settings/templates/$template", params: { template: template.id } })
      : navigate({ to: "/settings/templates" }));
  return (
    <Page title={template ? `Edit ${template.name}` : "New template"}>
      <form onSubmit={submit} className={page.form}>
        <Fields>
          <Field label="Name" error={save.errorOf("name")}>
            <TextInput required maxLength={100} value={draft.name} onChange={(name) => set({ name })} />
          </Field>
          <Field label="Description" error={save.errorOf("description")} hint="What zones it is for.">
            <TextInput
              maxLength={1000}
              spellCheck
              value={draft.description}
              onChange={(description) => set({ description })}
            />
          </Field>
          {!template && viewer.isAdministrator && (
            <UserField
              hint="The e-mail address of the user whose template it is; empty for one that all users may use."
              error={save.errorOf("userId")}
              value={email}
              onChange={setEmail}
            />
          )}
          <VariableRows variables={draft.variables} error={save.errorOf} onChange={(variables) => set({ variables })} />
          <RecordRows records={draft.records} error={save.errorOf} onChange={(records) => set({ records })} />
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
