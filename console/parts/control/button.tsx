/** Buttons: primary for the main action of a page, danger for one that cannot be undone, quiet for rows and bars. */
import type { ButtonHTMLAttributes } from "react";
import look from "../look.module.css";
import css from "./button.module.css";

export type ButtonKind = "plain" | "primary" | "danger" | "quiet";

/** The classes of a link that looks like a button. */
export const buttonClass = (kind: ButtonKind = "plain") => `${css.button} ${css[kind]}`;

export const iconButtonClass = `${buttonClass("quiet")} ${css.square}`;

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind;
  readonly icon?: IconName;
  /** The key that does the same, shown beside the words. */
  readonly hint?: string;
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

/** The icons: one path each, drawn for 16 by 16. What they are for is written beside them or in a label. */
const paths = {
  search:
    "M7 2.5a4.5 4.5 0 1 0 2.7 8.1l3.3 3.3 1-1-3.3-3.3A4.5 4.5 0 0 0 7 2.5Zm0 1.4a3.1 3.1 0 1 1 0 6.2 3.1 3.1 0 0 1 0-6.2Z",
  plus: "M7.3 2.5h1.4v4.8h4.8v1.4H8.7v4.8H7.3V8.7H2.5V7.3h4.8Z",
  more: "M3 6.7a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6Zm5 0a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6Zm5 0a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6Z",
  down: "m3.5 5.3 4.5 4.6 4.5-4.6 1 1L8 11.9 2.5 6.3Z",
  left: "m9.7 2.5 1 1L6.2 8l4.5 4.5-1 1L4.2 8Z",
  right: "m6.3 2.5-1 1L9.8 8l-4.5 4.5 1 1L11.8 8Z",
  lines: "M2.5 3.800h11v1.400h-11Zm0 3.500h11v1.400h-11Zm0 3.500h7v1.400h-7Z",
  zone: "M3.5 2h9v12h-9Zm1.4 1.400v9.200h6.200V3.400Z",
  clock:
    "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Zm0 1.400a4.6 4.6 0 1 1 0 9.2 4.6 4.6 0 0 1 0-9.200ZM7.3 5v3.500l2.6 1.600.7-1.200-1.900-1.200V5Z",
  person: "M8 2a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM2.5 14c0-3 2.400-4.8 5.500-4.800s5.5 1.8 5.5 4.800Z",
  server: "M2.5 3h11v4h-11Zm1.4 1.400v1.200h8.200V4.400ZM2.5 9h11v4h-11Zm1.4 1.400v1.200h8.200v-1.200Z",
  close: "m3.5 2.5 4.5 4.5 4.5-4.5 1 1L9 8l4.5 4.5-1 1L8 9l-4.5 4.5-1-1L7 8 2.5 3.5Z",
  copy: "M5.5 1.5h7A1.5 1.5 0 0 1 14 3v7h-1.4V3l-.1-.1h-7Zm-2 3h5.7a1.5 1.5 0 0 1 1.5 1.5v6.7a1.5 1.5 0 0 1-1.5 1.5H3.5A1.5 1.5 0 0 1 2 12.7V6a1.5 1.5 0 0 1 1.5-1.5Zm0 1.4-.1.1v6.7l.1.1h5.7l.1-.1V6l-.1-.1Z",
  check: "m13.4 3.4 1 1-8 8.2-4.8-4.8 1-1 3.8 3.8Z",
  download: "M7.3 2h1.4v6.2l2.3-2.3 1 1-4 4-4-4 1-1 2.3 2.3ZM2.5 12.6h11V14h-11Z",
  undo: "M6 2.5 2.2 6.3 6 10.1l1-1-2.1-2.1h4.6a2.6 2.6 0 0 1 0 5.2H6v1.4h3.5a4 4 0 0 0 0-8H4.9L7 3.5Z",
  pencil: "M3 13l.8-3L11 2.800l2.200 2.200L6 12.200Z",
  out: "M6 2v1.4H3.6v9.2H6V14H2.2V2Zm4 2.6L13.6 8 10 11.4l-1-1 1.8-1.7H5.4V7.3h5.4L9 5.6Z",
  key: "M10.5 2a3.5 3.5 0 1 1-1.2 6.8L8 10.1v1.4H6.6v1.4H5.2v1.3H2v-2.4l4.9-4.9A3.5 3.5 0 0 1 10.5 2Zm0 1.4a2.1 2.1 0 0 0-2 2.8l-5.1 5.2v1.4h.4v-1.3h1.4v-1.4h1.4V9.500l2.2-2.2a2.100 2.100 0 1 0 1.700-3.900Z",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg aria-hidden="true" width="16" height="16" viewBox="0 0 16 16" fill="currentColor">
      <path d={paths[name]} />
    </svg>
  );
}
