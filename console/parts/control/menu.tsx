/**
 * A menu that a button opens, by the browser's popover: it closes on Esc, on a click elsewhere, and when something in it is chosen.
 */
import { type ReactNode, useId, useRef } from "react";
import look from "../look.module.css";
import { buttonClass, Icon, type IconName, iconButtonClass } from "./button.tsx";
import css from "./menu.module.css";

interface MenuProps {
  /** What is shown on the button; its accessible name is `label`. */
  readonly children: ReactNode;
  readonly button?: ReactNode;
  readonly icon?: IconName;
  readonly label: string;
  /** The classes of the button, where it looks like no other and opens without an arrow. */
  readonly className?: string | undefined;
  /** Whether the key / leads to it, as it does to the field that filters a page. */
  readonly isFilter?: boolean;
}

export function Menu({ button, icon, label, className, isFilter = false, children }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        className={className ?? (button === undefined ? iconButtonClass : buttonClass("quiet"))}
        aria-label={label}
        title={button === undefined ? label : undefined}
        data-filter={isFilter || undefined}
      >
        {icon && <Icon name={icon} />}
        {button}
        {button !== undefined && className === undefined && <Icon name="down" />}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is clicked is the buttons and links inside */}
      <div
        ref={list}
        id={id}
        popover="auto"
        className={`${look.card} ${css.menu}`}
        onClick={(event) => {
          if ((event.target as Element).closest("a, button")) list.current?.hidePopover();
        }}
        onKeyDown={(event) => moveFocus(event, list.current)}
      >
        {children}
      </div>
    </>
  );
}

/** Arrow keys go through what can be chosen. */
function moveFocus(event: React.KeyboardEvent, list: HTMLElement | null): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || !list) return;
  const items = [...list.querySelectorAll<HTMLElement>("a, button:not(:disabled), input")];
  const at = items.indexOf(document.activeElement as HTMLElement);
  items[(at + step + items.length) % items.length]?.focus();
  event.preventDefault();
}

export function MenuItem({
  children,
  danger = false,
  ...rest
}: React.ButtonHTMLAttributes<HTMLButtonElement> & { readonly danger?: boolean }) {
  return (
    <button type="button" {...rest} className={`${menuItemClass} ${danger ? css.danger : ""}`}>
      {children}
    </button>
  );
}

/** The class of a row that is a link. */
export const menuItemClass = `${look.bare} ${look.beside} ${css.item}`;

export function MenuGroup({ title, children }: { readonly title?: ReactNode; readonly children: ReactNode }) {
  return (
    <div className={css.group}>
      {title !== undefined && <p className={`${look.soft} ${look.small} ${css.title}`}>{title}</p>}
      {children}
    </div>
  );
}
