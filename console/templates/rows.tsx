/**
 * The variables and the records of a template as rows of fields.
 */
import type { ClipboardEvent, InputHTMLAttributes, ReactNode } from "react";
import { useRecordTypes } from "../api/use-record-types.ts";
import { announceFailure, announceResult, Hidden } from "../parts/control/announce.tsx";
import { Button, IconButton } from "../parts/control/button.tsx";
import { Field, optionsOf, Select, TextInput } from "../parts/control/field.tsx";
import look from "../parts/look.module.css";
import { RowTable } from "../parts/page/table.tsx";
import { counted } from "../parts/text/counted.ts";
import { fieldCountOf } from "../sheet/clipboard/paste.ts";
import { newRecord, newVariable, type RecordRow, type VariableRow, withPasted, writtenRecords } from "./draft.ts";
import { pastedRecords } from "./paste.ts";
import { kindWords, noDefault, placeholder } from "./queries.ts";

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
          columns={fields.map((field) => ({
            heading: field.heading,
            label: field.heading.toLowerCase(),
            cell: (row) => (
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
          }))}
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

export const VariableRows = (props: RowsProps<VariableRow>) => (
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

export function RecordRows(props: RowsProps<RecordRow>) {
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
