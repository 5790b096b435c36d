/** A field of a form: its label, its hint, and what is wrong with it, which are read together with it. */
import { cloneElement, type ReactElement, type ReactNode, useId } from "react";
import look from "../look.module.css";
import css from "./field.module.css";

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** What is wrong with what was entered; the service's own sentence. */
  readonly error?: string | undefined;
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
    <div className={`${look.stack} ${look.close} ${css.field}`}>
      <label htmlFor={id}>{label}</label>
      {cloneElement(children, {
        id,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": describedBy || undefined,
      })}
      {error && (
        <p id={`${id}-error`} className={look.del}>
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className={look.soft}>
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
}: Omit<React.ComponentProps<"input">, "onChange"> & { readonly onChange: (text: string) => void }) {
  return (
    <input autoComplete="off" spellCheck={false} {...rest} onChange={(event) => onChange(event.currentTarget.value)} />
  );
}

interface TextAreaProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly required?: boolean;
  readonly rows?: number;
  readonly maxLength?: number;
}

export const TextArea = ({ onChange, ...rest }: TextAreaProps) => (
  <textarea rows={3} maxLength={10_000} {...rest} onChange={(event) => onChange(event.currentTarget.value)} />
);

interface SelectProps<Value extends string>
  extends Omit<React.SelectHTMLAttributes<HTMLSelectElement>, "onChange" | "value"> {
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, words: string])[];
  readonly onChange: (value: Value) => void;
}

export const Select = <Value extends string>({ options, onChange, ...rest }: SelectProps<Value>) => (
  <select {...rest} onChange={(event) => onChange(event.currentTarget.value as Value)}>
    {options.map(([value, words]) => (
      <option key={value} value={value}>
        {words}
      </option>
    ))}
  </select>
);

export const optionsOf = <Value extends string>(words: Readonly<Record<Value, string>>) =>
  Object.entries(words) as [Value, string][];

interface ChoiceProps extends Omit<React.InputHTMLAttributes<HTMLInputElement>, "onChange"> {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly onChange: (isChecked: boolean) => void;
}

export function Choice({ label, hint, onChange, ...rest }: ChoiceProps) {
  const id = useId();
  return (
    <div className={css.choice}>
      <label className={look.beside}>
        <input
          type="checkbox"
          {...rest}
          aria-describedby={hint ? id : undefined}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p id={id} className={look.soft}>
          {hint}
        </p>
      )}
    </div>
  );
}

export function Fields({ children }: { readonly children: ReactNode }) {
  return <div className={`${look.stack} ${css.fields}`}>{children}</div>;
}

/** Whether a key is a letter of what is being typed, and not a key of the page. */
export const isTyped = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select"));
