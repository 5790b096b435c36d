/** A template that is written: its words, its variables and its records as rows of fields, each refusal at its row. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { ClipboardEvent, FormEvent, InputHTMLAttributes, ReactNode } from "react";
import type { VariableKind } from "../api/generated/graphql.ts";
import { queries, readAgain } from "../api/queries.ts";
import { graphql, run } from "../api/run.ts";
import { useRecordTypes } from "../api/use-record-types.ts";
import { useViewer } from "../api/viewer.ts";
import { announceFailure, announceResult, Hidden, messagesOf } from "../parts/control/announce.tsx";
import { Button, IconButton } from "../parts/control/button.tsx";
import { Actions } from "../parts/control/dialog.tsx";
import { Field, Fields, optionsOf, Select, TextInput } from "../parts/control/field.tsx";
import look from "../parts/look.module.css";
import { FieldsOf, TextField, useForm } from "../parts/page/form.tsx";
import { Read, RowTable } from "../parts/page/list.tsx";
import page from "../parts/page/page.module.css";
import { Page } from "../parts/page/page.tsx";
import { counted } from "../parts/text/counted.ts";
import { fieldCountOf } from "../sheet/clipboard/paste.ts";
import type { RowValues } from "../sheet/records/row.ts";
import { ownerIfAny, UserField } from "../users/user-field.tsx";
import { pastedRecords } from "./paste.ts";
import { kindWords, noDefault, placeholder, type ShownTemplate, templateOptions } from "./template-fields.tsx";

const createTemplate = graphql(`
  mutation CreateTemplate($input: CreateTemplateInput!) {
    createTemplate(input: $input) { template { id } notices { message } }
  }
`);

const updateTemplate = graphql(`
  mutation UpdateTemplate($input: UpdateTemplateInput!) {
    updateTemplate(input: $input) { template { id } notices { message } }
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

interface RowField {
  readonly name: string;
  readonly heading: string;
  readonly input?: Omit<InputHTMLAttributes<HTMLInputElement>, "onChange">;
  /** Values to choose from; without them it is written. */
  readonly options?: readonly (readonly [value: string, words: string])[];
}

interface FieldRowsProps<Row> {
  readonly title: string;
  /** What one row is, with a capital letter. */
  readonly what: string;
  readonly about: ReactNode;
  readonly rows: readonly Row[];
  readonly fields: readonly RowField[];
  /** How reasons of a refusal name a row. */
  readonly placeOf: (row: Row) => string;
  readonly errorOf: (field: string) => string | undefined;
  readonly newRow: () => Row;
  readonly onChange: (rows: readonly Row[]) => void;
  readonly onPaste?: (event: ClipboardEvent) => void;
}

function FieldRows<Row extends { readonly key: number }>(props: FieldRowsProps<Row>) {
  const { title, what, rows, fields, placeOf, errorOf, newRow, onChange } = props;
  const nameOf = (row: Row) => `${what.toLowerCase()} ${rows.indexOf(row) + 1}`;
  const set = (row: Row, changed: object) =>
    onChange(rows.map((each) => (each === row ? { ...each, ...changed } : each)));
  const controlOf = ({ name, input, options }: RowField, row: Row) => {
    const bound = { value: row[name as keyof Row] as string, onChange: (text: string) => set(row, { [name]: text }) };
    return options ? <Select options={options} {...bound} /> : <TextInput {...input} {...bound} />;
  };
  return (
    <section className={look.stack} aria-label={title} onPaste={props.onPaste}>
      <h2>{title}</h2>
      <p className={look.soft}>{props.about}</p>
      {rows.length > 0 && (
        <RowTable<Row>
          label={title}
          rows={rows}
          keyOf={({ key }) => key}
          columns={fields.map((field) => [
            field.heading,
            (row) => (
              <Field
                label={<Hidden>{`${field.heading} of ${nameOf(row)}`}</Hidden>}
                error={
                  errorOf(`${placeOf(row)}.${field.name}`) ??
                  (field === fields.at(-1) ? errorOf(placeOf(row)) : undefined)
                }
              >
                {controlOf(field, row)}
              </Field>
            ),
            { label: field.heading.toLowerCase() },
          ])}
          actions={(row) => (
            <IconButton
              icon="close"
              label={`Remove ${nameOf(row)}`}
              onClick={() => onChange(rows.filter((each) => each !== row))}
            />
          )}
        />
      )}
      <div>
        <Button icon="plus" onClick={() => onChange([...rows, newRow()])}>
          {what}
        </Button>
      </div>
    </section>
  );
}

interface RowsProps<Row> {
  readonly rows: readonly Row[];
  readonly errorOf: (field: string) => string | undefined;
  readonly onChange: (rows: readonly Row[]) => void;
}

const VariableRows = (props: RowsProps<VariableRow>) => (
  <FieldRows
    {...props}
    title="Variables"
    what="Variable"
    about={
      <>
        What differs from zone to zone: <code>{placeholder("name")}</code> in a record stands for the value, which is
        asked for when a zone is made. A default is taken where none is given.
      </>
    }
    newRow={newVariable}
    placeOf={(row) => `variables.${props.rows.indexOf(row)}`}
    fields={[
      { name: "name", heading: "Name", input: { required: true, size: 14 } },
      { name: "kind", heading: "Kind", options: optionsOf(kindWords) },
      { name: "default", heading: "Default", input: { placeholder: noDefault } },
      { name: "description", heading: "Description", input: { size: 24, spellCheck: true } },
    ]}
  />
);

const notRead =
  "The pasted text is not read as records. Paste lines such as www 300 A 192.0.2.1, or a master file with one $ORIGIN at most.";

const usual = ["zone", "zone.dashed", "hostmaster", "nameServer"].map(placeholder).join(", ");

function RecordRows(props: RowsProps<RecordRow>) {
  const { rows, onChange } = props;
  const { types } = useRecordTypes();
  const sent = writtenRecords(rows);
  const paste = (event: ClipboardEvent) => {
    const cell = (event.target as Element).closest("td");
    if (!cell) return;
    const text = event.clipboardData.getData("text/plain").trim();
    const isOneLine = !text.includes("\n");
    if (isOneLine && cell.dataset.label === "data") return;
    const pasted = pastedRecords(text, (type) => fieldCountOf(types.find((each) => each.type === type)?.fields));
    // A name, a type or a TTL.
    if (!pasted && isOneLine) return;
    event.preventDefault();
    if (!pasted) return announceFailure(notRead);
    onChange(withPasted(rows, (cell.closest("tr") as HTMLTableRowElement).rowIndex - 1, pasted));
    announceResult(`${counted(pasted.length, "record")} pasted.`);
  };
  return (
    <>
      <datalist id="template-types">
        {types.map(({ type, description }) => (
          <option key={type} value={type}>
            {description}
          </option>
        ))}
      </datalist>
      <FieldRows
        {...props}
        title="Records"
        what="Record"
        about={`Beside your variables there are ${usual} and, in the data of a SOA, ${placeholder("serial")}. Without a SOA or NS the usual ones are added. Lines of a master file or of a spreadsheet can be pasted into a row.`}
        newRow={newRecord}
        placeOf={(row) => `records.${sent.indexOf(row)}`}
        onPaste={paste}
        fields={[
          { name: "owner", heading: "Owner", input: { placeholder: "@" } },
          { name: "type", heading: "Type", input: { list: "template-types", size: 8 } },
          { name: "ttl", heading: "TTL", input: { type: "number", min: 0, max: 2147483647, placeholder: "usual" } },
          { name: "rdata", heading: "Data", input: { size: 44 } },
        ]}
      />
    </>
  );
}

interface VariableRow extends Readonly<Record<"name" | "default" | "description", string>> {
  readonly key: number;
  readonly kind: VariableKind;
}

export interface RecordRow extends RowValues {
  readonly key: number;
}

export interface Draft {
  readonly name: string;
  readonly description: string;
  readonly variables: readonly VariableRow[];
  readonly records: readonly RecordRow[];
}

let keys = 0;

const newVariable = (): VariableRow => ({ key: keys++, name: "", kind: "IPV4", default: "", description: "" });
export const newRecord = (): RecordRow => ({ key: keys++, owner: "", type: "", ttl: "", rdata: "" });

/** The form of a template; of a new one, with a row to begin with. */
function draftOf(template: ShownTemplate | undefined): Draft {
  if (!template) return { name: "", description: "", variables: [], records: [newRecord()] };
  const { name, description, variables, records } = template;
  return {
    name,
    description,
    variables: variables.map((each) => ({ ...newVariable(), ...each, default: each.default ?? "" })),
    records: records.map((each) => ({ ...newRecord(), ...each, ttl: String(each.ttl ?? "") })),
  };
}

const isEmpty = ({ owner, type, ttl, rdata }: RecordRow) =>
  [owner, type, ttl, rdata].every((text) => text.trim() === "");

/** The rows with others below one, or in its place where nothing is written in it. */
const withPasted = (records: readonly RecordRow[], at: number, pasted: readonly RowValues[]): RecordRow[] =>
  records.flatMap((row, place) =>
    place !== at ? row : [...(isEmpty(row) ? [] : [row]), ...pasted.map((values) => ({ ...newRecord(), ...values }))],
  );

const writtenRecords = (records: readonly RecordRow[]) => records.filter((record) => !isEmpty(record));

/** What is saved; a record without an owner is at the apex. */
export function contentOf({ name, description, variables, records }: Draft) {
  return {
    name: name.trim(),
    description: description.trim(),
    variables: variables.map(({ key: _, ...variable }) => ({
      ...variable,
      name: variable.name.trim().replace(/^\$\{(.*)\}$/, "$1"),
      default: variable.default.trim() === "" ? null : variable.default.trim(),
    })),
    records: writtenRecords(records).map(({ owner, type, ttl, rdata }) => ({
      owner: owner.trim() || "@",
      type: type.trim().toUpperCase(),
      ttl: ttl.trim() === "" ? null : Number(ttl),
      rdata: rdata.trim(),
    })),
  };
}

/** The fields of the rows, as refusals name them. */
export const fieldsOf = ({ variables, records }: Draft): string[] => [
  ...variables.flatMap((_, at) =>
    ["name", "kind", "default", "description"].map((field) => `variables.${at}.${field}`),
  ),
  ...writtenRecords(records).flatMap((_, at) =>
    ["", ".owner", ".type", ".ttl", ".rdata"].map((field) => `records.${at}${field}`),
  ),
];
