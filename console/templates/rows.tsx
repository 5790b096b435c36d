/**
 * The variables and the records of a template as rows of fields.
 */
import type { ClipboardEvent } from "react";
import { useRecordTypes } from "../api/use-record-types.ts";
import { announceFailure, announceResult, Hidden } from "../parts/control/announce.tsx";
import { Button, IconButton } from "../parts/control/button.tsx";
import { Field, optionsOf, Select, TextInput } from "../parts/control/field.tsx";
import look from "../parts/look.module.css";
import table from "../parts/page/table.module.css";
import { Table } from "../parts/page/table.tsx";
import { counted } from "../parts/text/counted.ts";
import { fieldCountOf } from "../sheet/clipboard/paste.ts";
import { newRecord, newVariable, type RecordRow, type VariableRow, withPasted, writtenRecords } from "./draft.ts";
import { pastedRecords } from "./paste.ts";
import { kindWords, noDefault, placeholder, variableHeadings } from "./queries.ts";

type ErrorOf = (field: string) => string | undefined;

interface VariableRowsProps {
  readonly variables: readonly VariableRow[];
  readonly error: ErrorOf;
  readonly onChange: (variables: readonly VariableRow[]) => void;
}

export function VariableRows({ variables, error, onChange }: VariableRowsProps) {
  const set = (key: number, changed: Partial<VariableRow>) =>
    onChange(variables.map((row) => (row.key === key ? { ...row, ...changed } : row)));
  return (
    <section className={look.stack} aria-label="Variables">
      <h2>Variables</h2>
      <p className={look.soft}>
        What differs from zone to zone: <code>{placeholder("name")}</code> in a record stands for the value, which is
        asked for when a zone is made. A default is taken where none is given.
      </p>
      {variables.length > 0 && (
        <Table label="Variables" headings={variableHeadings} hasActions>
          {variables.map((row, at) => {
            const errorOf = (field: string) => error(`variables.${at}.${field}`);
            const label = (what: string) => <Hidden>{`${what} of variable ${at + 1}`}</Hidden>;
            return (
              <tr key={row.key}>
                <td data-label="name">
                  <Field label={label("Name")} error={errorOf("name")}>
                    <TextInput required size={14} value={row.name} onChange={(name) => set(row.key, { name })} />
                  </Field>
                </td>
                <td data-label="kind">
                  <Field label={label("Kind")} error={errorOf("kind")}>
                    <Select
                      value={row.kind}
                      options={optionsOf(kindWords)}
                      onChange={(kind) => set(row.key, { kind })}
                    />
                  </Field>
                </td>
                <td data-label="default">
                  <Field label={label("Default")} error={errorOf("default")}>
                    <TextInput
                      placeholder={noDefault}
                      value={row.default}
                      onChange={(text) => set(row.key, { default: text })}
                    />
                  </Field>
                </td>
                <td data-label="description">
                  <Field label={label("Description")} error={errorOf("description")}>
                    <TextInput
                      size={24}
                      spellCheck
                      value={row.description}
                      onChange={(description) => set(row.key, { description })}
                    />
                  </Field>
                </td>
                <td className={table.end}>
                  <IconButton
                    icon="close"
                    label={`Remove variable ${at + 1}`}
                    onClick={() => onChange(variables.filter(({ key }) => key !== row.key))}
                  />
                </td>
              </tr>
            );
          })}
        </Table>
      )}
      <div>
        <Button icon="plus" onClick={() => onChange([...variables, newVariable()])}>
          Variable
        </Button>
      </div>
    </section>
  );
}

const notRead =
  "The pasted text is not read as records. Paste lines such as www 300 A 192.0.2.1, or a master file with one $ORIGIN at most.";

interface RecordRowsProps {
  readonly records: readonly RecordRow[];
  readonly error: ErrorOf;
  readonly onChange: (records: readonly RecordRow[]) => void;
}

export function RecordRows({ records, error, onChange }: RecordRowsProps) {
  const { types } = useRecordTypes();
  const sent = writtenRecords(records);
  const set = (key: number, changed: Partial<RecordRow>) =>
    onChange(records.map((row) => (row.key === key ? { ...row, ...changed } : row)));
  const paste = (event: ClipboardEvent, at: number) => {
    const text = event.clipboardData.getData("text/plain").trim();
    const isOfData = event.target instanceof Element && event.target.closest("[data-text]") !== null;
    const isOneLine = !text.includes("\n");
    if (isOneLine && isOfData) return;
    const pasted = pastedRecords(text, (type) => fieldCountOf(types.find((each) => each.type === type)?.fields));
    // A name, a type or a TTL.
    if (!pasted && isOneLine) return;
    event.preventDefault();
    if (!pasted) return announceFailure(notRead);
    onChange(withPasted(records, at, pasted));
    announceResult(`${counted(pasted.length, "record")} pasted.`);
  };
  return (
    <section className={look.stack} aria-label="Records">
      <h2>Records</h2>
      <p className={look.soft}>
        Beside your variables there are{" "}
        {["zone", "zone.dashed", "hostmaster", "nameServer"].map(placeholder).join(", ")} and, in the data of a SOA,{" "}
        {placeholder("serial")}. Without a SOA or NS the usual ones are added. Lines of a master file or of a
        spreadsheet can be pasted into a row.
      </p>
      <datalist id="template-types">
        {types.map(({ type, description }) => (
          <option key={type} value={type}>
            {description}
          </option>
        ))}
      </datalist>
      <Table label="Records" headings={["Owner", "Type", "TTL", "Data"]} hasActions>
        {records.map((row, at) => {
          const place = `records.${sent.indexOf(row)}`;
          const errorOf = (field: string) => error(`${place}.${field}`);
          const label = (what: string) => <Hidden>{`${what} of record ${at + 1}`}</Hidden>;
          return (
            <tr key={row.key} onPaste={(event) => paste(event, at)}>
              <td data-label="owner">
                <Field label={label("Owner")} error={errorOf("owner")}>
                  <TextInput placeholder="@" value={row.owner} onChange={(owner) => set(row.key, { owner })} />
                </Field>
              </td>
              <td data-label="type">
                <Field label={label("Type")} error={errorOf("type")}>
                  <TextInput
                    list="template-types"
                    size={8}
                    value={row.type}
                    onChange={(type) => set(row.key, { type })}
                  />
                </Field>
              </td>
              <td data-label="TTL">
                <Field label={label("TTL")} error={errorOf("ttl")}>
                  <input
                    type="number"
                    min={0}
                    max={2147483647}
                    placeholder="usual"
                    value={row.ttl}
                    onChange={(event) => set(row.key, { ttl: event.target.value })}
                  />
                </Field>
              </td>
              <td className={look.anywhere} data-label="data" data-text>
                <Field label={label("Data")} error={errorOf("rdata") ?? error(place)}>
                  <TextInput size={44} value={row.rdata} onChange={(rdata) => set(row.key, { rdata })} />
                </Field>
              </td>
              <td className={table.end}>
                <IconButton
                  icon="close"
                  label={`Remove record ${at + 1}`}
                  onClick={() => onChange(records.filter(({ key }) => key !== row.key))}
                />
              </td>
            </tr>
          );
        })}
      </Table>
      <div>
        <Button icon="plus" onClick={() => onChange([...records, newRecord()])}>
          Record
        </Button>
      </div>
    </section>
  );
}
