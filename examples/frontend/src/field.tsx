/** An input with its label, and what is wrong with it. */
import { type InputHTMLAttributes, type ReactNode, useId } from "react";
import type { Reason } from "./refusal";

export function Reasons({ reasons, id }: { reasons: readonly Reason[]; id?: string }) {
  if (reasons.length === 0) return null;
  return (
    <ul className="reasons" id={id} role="alert">
      {reasons.map(({ code, message }) => (
        <li key={code + message}>
          {message} <code>{code}</code>
        </li>
      ))}
    </ul>
  );
}

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly reasons: readonly Reason[];
  /** The options of a selection. */
  readonly children?: ReactNode;
}

export function Field({ label, reasons, children, ...input }: FieldProps) {
  const id = useId();
  const { name, defaultValue } = input;
  const isInvalid = reasons.length > 0;
  const described = { id, "aria-invalid": isInvalid, "aria-describedby": isInvalid ? `${id}-reasons` : undefined };
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      {children ? (
        <select {...{ name, defaultValue, ...described }}>{children}</select>
      ) : (
        <input {...input} {...described} />
      )}
      <Reasons reasons={reasons} id={described["aria-describedby"]} />
    </div>
  );
}
