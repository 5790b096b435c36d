/** The field of a new key that says until when it works. */
import { Field } from "../parts/control/field.tsx";
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
      <select value={days} onChange={(event) => onChange(event.target.value)}>
        {lifetimes.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </Field>
  );
}
