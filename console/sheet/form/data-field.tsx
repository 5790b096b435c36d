/** A field of record data in the form: its label, what may be written, and what is wrong with what was. */
import { type ClipboardEvent, useId } from "react";
import type { RecordField } from "../../api/record-types.ts";
import { fieldLabel } from "../apply/sentences.ts";
import css from "./form.module.css";
import { octetsOf } from "./form-fields.ts";

export function Problem({ text }: { readonly text: string }) {
  return text === "" ? null : (
    <span className={css.problem}>
      <span aria-hidden="true">✕</span> {text}
    </span>
  );
}

interface FieldProps {
  readonly field: RecordField;
  readonly isText: boolean;
  /** Undefined where the rows differ. */
  readonly value: string | undefined;
  /** Sentences, or empty. */
  readonly problem: string;
  readonly isFirst: boolean;
  readonly onPaste: ((event: ClipboardEvent) => void) | undefined;
  onChange(value: string): void;
}

export function DataField({ field, isText: isPlainText, value, problem, isFirst, onPaste, onChange }: FieldProps) {
  const id = useId();
  const shared = {
    id,
    name: field.name,
    value: value ?? "",
    placeholder: value === undefined ? "various" : field.optional ? "may be left out" : "",
    className: css.mono,
    spellCheck: false,
    "data-first": isFirst || undefined,
    "aria-invalid": problem !== "",
    "aria-describedby": `${id}-hint`,
  };
  return (
    <div className={css.field}>
      <label htmlFor={id}>{fieldLabel(field.name)}</label>
      {isPlainText ? (
        <textarea {...shared} rows={4} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
      ) : (
        <input
          {...shared}
          inputMode={field.form === "INTEGER" ? "numeric" : "text"}
          onPaste={onPaste}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
      <p className={css.hint} id={`${id}-hint`}>
        <Problem text={problem} />
        {isPlainText
          ? `${octetsOf(value ?? "")} octets. Quotes and the split at 255 octets are added by themselves.`
          : hintOf(field)}
      </p>
    </div>
  );
}

/** What a value means and what may be written, as sentences. */
function hintOf({ description, range }: RecordField): string {
  const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.…]$/.test(text) ? "" : "."}`;
  return [description, range && `write ${range}`].filter(Boolean).map(sentence).join(" ");
}
