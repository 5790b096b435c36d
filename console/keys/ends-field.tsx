/** The field of a new key that says until when it works. */
import { Field, Select } from "../parts/control/field.tsx";

/** The lifetimes to choose from, in days; empty for no end. */
export const lifetimes = [
  ["", "never"],
  ["7", "in 7 days"],
  ["30", "in 30 days"],
  ["90", "in 90 days"],
  ["365", "in a year"],
] as const;

const dayMs = 86_400_000;

/** The time so many days from now. */
export const endOf = (days: string) => new Date(Date.now() + Number(days) * dayMs).toISOString();

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
