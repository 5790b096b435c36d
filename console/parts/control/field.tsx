/**
 * A field of a form: its label, its hint, and what is wrong with it, which are read together with it.
 */
import { cloneElement, type ReactElement, type ReactNode, useId } from "react";
import css from "./field.module.css";

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** What is wrong with what was entered; the service's own sentence. */
  readonly error?: string | undefined;
  /** The control: an input, a select or a text area. */
  readonly children: ReactElement<Controlled>;
}

interface Controlled {
  readonly id?: string;
  readonly "aria-invalid"?: boolean | undefined;
  readonly "aria-describedby"?: string | undefined;
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      {cloneElement(children, {
        id,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": describedBy || undefined,
      })}
      {error && (
        <p id={`${id}-error`} className={css.error}>
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className={css.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** The control of a name or an address, which is no prose: the browser neither completes nor corrects it. */
export function TextInput({
  onChange,
  ...rest
}: Omit<React.InputHTMLAttributes<HTMLInputElement>, "onChange"> & { readonly onChange: (text: string) => void }) {
  return (
    <input autoComplete="off" spellCheck={false} {...rest} onChange={(event) => onChange(event.currentTarget.value)} />
  );
}

/** A check box or radio button with its label beside it. */
export function Choice({
  label,
  hint,
  ...rest
}: React.InputHTMLAttributes<HTMLInputElement> & { readonly label: ReactNode; readonly hint?: ReactNode }) {
  const id = useId();
  return (
    <div className={css.choice}>
      <label>
        <input type="checkbox" {...rest} aria-describedby={hint ? id : undefined} />
        <span>{label}</span>
      </label>
      {hint && (
        <p id={id} className={css.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** Fields below each other. */
export function Fields({ children }: { readonly children: ReactNode }) {
  return <div className={css.fields}>{children}</div>;
}
