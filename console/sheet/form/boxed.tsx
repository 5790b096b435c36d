/** A field with what is written before and behind its text, in one frame. */
import type { InputHTMLAttributes } from "react";
import look from "../../parts/look.module.css";
import css from "./form.module.css";

interface BoxedProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly before?: string;
  readonly after?: string | undefined;
  readonly isWrong?: boolean;
  onText(text: string): void;
}

export const Boxed = ({ before, after, isWrong, onText, ...input }: BoxedProps) => (
  <span className={css.box}>
    {before && (
      <span aria-hidden="true" className={`${look.faint} ${look.small} ${look.nowrap} ${css.before}`}>
        {before}
      </span>
    )}
    <input
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...input}
      aria-invalid={isWrong || input["aria-invalid"]}
      onChange={({ currentTarget }) => onText(currentTarget.value)}
    />
    {after && (
      <span aria-hidden="true" className={`${look.faint} ${look.small} ${look.cut}`}>
        {after}
      </span>
    )}
  </span>
);
