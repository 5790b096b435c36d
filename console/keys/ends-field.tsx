/** The field of a new key that says until when it works. */
import { Field, Select } from "../parts/control/field.tsx";
import { lifetimes } from "./lifetime.ts";

interface EndsFieldProps {
  /** Days from now; empty for no end. */
  readonly days: string;
  readonly error: string | undefined;
  readonly onChange: (days: string) => void;
}

export function EndsField({ days, error, onChange }: EndsFieldProps) {
  return (
    <Field label="Ends" error={error}>
      <Select value={days} options={lifetimes} onChange={onChange} />
    </Field>
  );
}
