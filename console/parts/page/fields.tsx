/**
 * The fields of a form, by the names that they have in what it sends: what is written in each, and what the service refuses of it.
 */
import { type ComponentProps, type ReactNode, useContext } from "react";
import { readAgain } from "../../api/queries.ts";
import { announceResult } from "../control/announce.tsx";
import { Choice, Field, Select, TextInput } from "../control/field.tsx";
import { FormContext, type Written, withParts } from "./form-dialog.tsx";

/** A field of the form around it: what is written, what writes it, and what is wrong with it. */
export function useField<Value>(name: string) {
  const { values, set, errorOf } = useContext(FormContext) as Written;
  return {
    value: (values as Record<string, Value>)[name] as Value,
    onChange: (value: Value) => set({ [name]: value }),
    error: errorOf(withParts(name)),
  };
}

interface OfForm {
  readonly name: string;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** What is wrong with it besides. */
  readonly error?: string | undefined;
}

type Own = "name" | "value" | "onChange";

export function TextField(props: OfForm & Omit<ComponentProps<typeof TextInput>, Own>) {
  const { name, label, hint, error, ...input } = props;
  const field = useField<string>(name);
  return (
    <Field label={label} hint={hint} error={field.error ?? error}>
      <TextInput {...input} value={field.value} onChange={field.onChange} />
    </Field>
  );
}

export function SelectField<Value extends string>(props: OfForm & Omit<ComponentProps<typeof Select<Value>>, Own>) {
  const { name, label, hint, error, ...select } = props;
  const field = useField<Value>(name);
  return (
    <Field label={label} hint={hint} error={field.error ?? error}>
      <Select {...select} value={field.value} onChange={field.onChange} />
    </Field>
  );
}

export function CheckField({ name, ...choice }: Omit<OfForm, "error">) {
  const { value, onChange } = useField<boolean>(name);
  return <Choice {...choice} checked={value} onChange={onChange} />;
}

/** Says that it is done, closes the form, and reads again what it changed: what follows most forms. */
export function saved(text: string, onClose: () => void, ...changed: readonly string[]): void {
  announceResult(text);
  onClose();
  readAgain(...changed);
}
