/** The form of one record, or of several: one component for all types, made of what the service says of their fields. */
import { type ClipboardEvent, type FormEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type RecordField, type RecordTypes, typeNamed } from "../../api/record-types.ts";
import { Button } from "../../parts/control/button.tsx";
import { Actions, Dialog } from "../../parts/control/dialog.tsx";
import { Field } from "../../parts/control/field.tsx";
import look from "../../parts/look.module.css";
import { counted } from "../../parts/text/counted.ts";
import { wordsOf } from "../../parts/text/data-words.ts";
import { type Rrset, RrsetHistory, rrsetOfAll } from "../../parts/zone/rrset-history.tsx";
import { fieldLabel } from "../apply/sentences.ts";
import { fieldCountOf } from "../clipboard/paste.ts";
import type { SheetModel } from "../model/sheet-model.ts";
import { parseTtl, type RowValues, rrsetOf, ttlWords } from "../records/row.ts";
import type { SheetRow } from "../view/view.ts";
import { Boxed } from "./boxed.tsx";
import css from "./form.module.css";
import { isText, octetsOf } from "./form-fields.ts";
import {
  type FormState,
  gapOf,
  shownField,
  shownValue,
  spread,
  untouched,
  writeField,
  writeType,
  writeValue,
  writtenLine,
  writtenRdata,
} from "./form-state.ts";
import { TypeField } from "./type-field.tsx";

interface Props {
  readonly model: SheetModel;
  readonly rows: readonly SheetRow[];
  readonly types: RecordTypes;
  readonly note: string | undefined;
  /** What is written, and what writes it, where it is kept until it is staged; else it goes with the form. */
  readonly kept: readonly [written: FormState, write: (written: FormState) => void] | undefined;
  onNote(rrset: Rrset): void;
  onStage(written: (row: SheetRow) => Partial<RowValues>): void;
  /** Removes the records, or keeps them where they are removed. */
  readonly onRemove: (() => void) | undefined;
  onClose(): void;
}

export function RecordForm({ model, rows, types, note, kept, onNote, onStage, onRemove, onClose }: Props) {
  const own = useState(untouched);
  const [state, setState] = kept ?? own;
  const id = useId();
  const [first] = rows as [SheetRow];
  const isOne = rows.length === 1;
  const stored = rows.map((row) => row.stored);
  const rrset = rrsetOfAll(stored);
  const show = (column: keyof RowValues) => shownValue(state, rows, column);
  const cell = (column: keyof RowValues, placeholder = "") => ({
    value: show(column) ?? "",
    placeholder: show(column) === undefined ? "various" : placeholder,
    onText: (text: string) => setState(writeValue(state, column, text)),
  });
  const type = show("type")?.trim().toUpperCase();
  const info = typeNamed(types, type);
  const fields = info?.fields ?? [];
  const values: RowValues = { ...first.values, ...state.values, rdata: writtenRdata(state, first, fields) };
  const ttl = show("ttl") ?? "";
  const seconds = ttl === "" ? first.ttl : parseTtl(ttl);
  const isMoved = isOne && values.ttl !== "" && values.ttl !== String(first.ttl);
  const others = model.records.rrset(rrsetOf(values, model.zone)).filter(({ id }) => id !== first.key);
  const siblings = isMoved ? others.length : 0;
  // A value that is missing moves those after it, and the service would speak of these.
  const gap = isOne ? gapOf(state, first, fields) : undefined;
  const checked = values.rdata === "" ? [] : model.checks.problems(first.key, values);
  const problems = gap ? [...checked.filter(({ column }) => column !== "rdata"), gap] : checked;
  const canonical = model.checks.of(values)?.canonical;
  /** What is wrong with a column, or with one field of the data; of the data as a whole, what is about no field. */
  const problemOf = (column: keyof RowValues | undefined, part?: string) =>
    problems
      .filter((problem) => problem.column === column && fields.find(({ name }) => name === problem.part)?.name === part)
      .map(({ message }) => `✕ ${message}`)
      .join(" ");
  const rest = [problemOf("rdata"), problemOf(undefined)].filter(Boolean).join(" ");
  const dataHint = (
    <span role="status">
      <span className={look.del}>{rest}</span>
      {canonical && isOne && canonical.rdata !== values.rdata && <code> → {canonical.rdata}</code>}
    </span>
  );

  // Like a cell that is written, the form is checked before it is staged.
  const text = JSON.stringify(values);
  useEffect(() => {
    model.type(first.key, JSON.parse(text) as RowValues);
  }, [model, first.key, text]);
  useEffect(() => () => model.type(undefined), [model]);
  const form = useRef<HTMLFormElement>(null);
  // After the dialog was opened, which puts the focus on its first button.
  useLayoutEffect(() => form.current?.querySelector<HTMLInputElement>("[data-first]")?.select(), []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (gap) return form.current?.querySelector<HTMLElement>(`[name=${gap.part}]`)?.focus();
    onStage((row) => ({
      ...state.values,
      rdata: writtenRdata(state, row, fields),
      ...(state.values.type !== undefined && { type: state.values.type.trim().toUpperCase() }),
    }));
    onClose();
  };
  const pasted = (event: ClipboardEvent) => {
    const next = spread(state, event.clipboardData.getData("text/plain"), fields);
    if (!next) return;
    event.preventDefault();
    setState(next);
  };
  /** Spreads a line with all that its type needs over the fields; the last one that is filled is where it goes on. */
  const writeName = (text: string) => {
    const line = isOne ? writtenLine(text, types) : undefined;
    const needed = fieldCountOf(typeNamed(types, line?.values.type)?.fields);
    if (!line || wordsOf(line.values.rdata ?? "").length < needed) return setState(writeValue(state, "owner", text));
    flushSync(() => setState({ ...state, ...line }));
    const named = form.current?.querySelectorAll<HTMLInputElement>("[name]") ?? [];
    const last = [...named].findLast(({ value }) => value !== "");
    last?.focus();
    last?.setSelectionRange(last.value.length, last.value.length);
  };
  const title = info ? `${info.type} · ${info.description} (${info.rfc})` : isOne ? "Record" : "Records";

  return (
    <Dialog
      title={isOne ? title : `${rows.length} records · ${type ?? "various types"}`}
      width="wide"
      onClose={onClose}
    >
      <form ref={form} className={`${look.stack} ${css.form}`} onSubmit={submit}>
        <div className={css.head}>
          <Field label="Name" error={problemOf("owner")}>
            <Boxed
              {...cell("owner", "@")}
              onText={writeName}
              after={`.${model.zone}`}
              data-first={(isOne && first.values.owner === "") || undefined}
            />
          </Field>
          <Field label="Type" error={problemOf("type")}>
            <TypeField
              value={type ?? ""}
              types={types}
              placeholder={type ?? "various"}
              onChange={(next) => setState(writeType(state, next, info, typeNamed(types, next)))}
            />
          </Field>
          <Field
            label="TTL"
            error={problemOf("ttl")}
            hint={
              siblings > 0 &&
              `${counted(siblings, "other record")} of this RRset ${siblings === 1 ? "moves" : "move"} with its TTL.`
            }
          >
            <Boxed
              {...cell("ttl", String(first.ttl))}
              list={`${id}-ttls`}
              after={seconds === undefined || show("ttl") === undefined ? "" : ttlWords(seconds)}
            />
          </Field>
          <datalist id={`${id}-ttls`}>
            {types.ttls.choices.map((choice) => (
              <option key={choice} value={choice}>
                {ttlWords(choice)}
              </option>
            ))}
          </datalist>
        </div>
        {info ? (
          <>
            {fields.map((field, at) => {
              const value = shownField(state, rows, fields, field.name);
              const write = (text: string) => setState(writeField(state, field.name, text));
              const shared = {
                name: field.name,
                value: value ?? "",
                placeholder: value === undefined ? "various" : field.optional ? "may be left out" : "",
                spellCheck: false,
                "data-first": (at === 0 && !(isOne && first.values.owner === "")) || undefined,
              };
              const octets = `${octetsOf(shared.value)} octets. Quotes and the split at 255 octets are added by themselves.`;
              return (
                <Field
                  key={`${info.type}-${field.name}`}
                  label={fieldLabel(field.name)}
                  hint={isText(fields) ? octets : hintOf(field)}
                  error={problemOf("rdata", field.name)}
                >
                  {isText(fields) ? (
                    <textarea
                      {...shared}
                      className={look.mono}
                      rows={4}
                      onChange={({ currentTarget }) => write(currentTarget.value)}
                    />
                  ) : (
                    <Boxed
                      {...shared}
                      inputMode={field.form === "INTEGER" ? "numeric" : "text"}
                      onPaste={at === 0 ? pasted : undefined}
                      onText={write}
                    />
                  )}
                </Field>
              );
            })}
            <Field label="as text" hint={dataHint}>
              <Boxed
                {...cell("rdata")}
                isWrong={rest !== ""}
                {...(isOne && { value: writtenRdata(state, first, fields), placeholder: info.example })}
              />
            </Field>
          </>
        ) : (
          <p className={look.soft}>
            {isOne ? "Choose a type." : "The rows are of several types; their data stays as it is."}
          </p>
        )}
        {rrset && (
          <p className={css.note}>
            {note !== undefined && `Note: ${note} `}
            <Button onClick={() => onNote(rrset)}>{note === undefined ? "Add a note…" : "Edit the note…"}</Button>
          </p>
        )}
        <Actions>
          <RrsetHistory zone={model.zone} records={stored} />
          {onRemove && (
            <Button
              onClick={() => {
                onRemove();
                onClose();
              }}
            >
              {rows.every((row) => row.state === "removed") ? "Keep" : "Remove"}
            </Button>
          )}
          <span className={look.unlessPhone}>
            <Button onClick={onClose}>Cancel</Button>
          </span>
          <Button type="submit" kind="primary" hint="Enter">
            Stage
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

/** What a value means and what may be written, as sentences. */
function hintOf({ description, range }: RecordField): string {
  const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.…]$/.test(text) ? "" : "."}`;
  return [description, range && `write ${range}`].filter(Boolean).map(sentence).join(" ");
}
