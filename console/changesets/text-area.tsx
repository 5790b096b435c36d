/**
 * A field for text of several lines; Ctrl+Enter sends the form that it is in.
 */
import { hasControl } from "../parts/control/keyboard.ts";

interface TextAreaProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly required?: boolean;
  readonly id?: string;
}

export function TextArea({ onChange, ...rest }: TextAreaProps) {
  return (
    <textarea
      rows={3}
      maxLength={10_000}
      {...rest}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !hasControl(event) || event.repeat) return;
        event.preventDefault();
        event.currentTarget.form?.requestSubmit();
      }}
    />
  );
}
