/**
 * Buttons: primary for the main action of a page, danger for one that cannot be undone, quiet for rows and bars.
 */
import type { ButtonHTMLAttributes } from "react";
import look from "../look.module.css";
import css from "./button.module.css";
import { Icon, type IconName } from "./icon.tsx";

export type ButtonKind = "plain" | "primary" | "danger" | "quiet";

/** The classes of a link that looks like a button. */
export const buttonClass = (kind: ButtonKind = "plain") => `${css.button} ${css[kind]}`;

/** The classes of a button that is an icon alone. */
export const iconButtonClass = `${buttonClass("quiet")} ${css.square}`;

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind;
  readonly icon?: IconName;
  /** The key that does the same, shown beside the words. */
  readonly hint?: string;
  /** Whether what it began is still going on. */
  readonly busy?: boolean;
}

export function Button({ kind = "plain", icon, hint, busy = false, children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} className={buttonClass(kind)} aria-busy={busy || undefined}>
      {icon && <Icon name={icon} />}
      {children !== undefined && <span>{children}</span>}
      {hint && <kbd className={look.unlessPhone}>{hint}</kbd>}
    </button>
  );
}

/** A button that is an icon alone; its label is read, and shown on hover. */
export function IconButton({
  icon,
  label,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { readonly icon: IconName; readonly label: string }) {
  return (
    <button type="button" {...rest} className={iconButtonClass} aria-label={label} title={label}>
      <Icon name={icon} />
    </button>
  );
}
