/**
 * A dialog over the page, by the browser's own element: Esc and its button close it, the focus returns to where it was.
 */
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import look from "../look.module.css";
import { IconButton } from "./button.tsx";
import css from "./dialog.module.css";

interface DialogProps {
  readonly title: ReactNode;
  readonly children: ReactNode;
  readonly onClose: () => void;
  /** The palette has a frame without a heading, and a click beside it closes it. */
  readonly width?: "narrow" | "wide" | "palette";
  /** Whether Esc and the button in its corner close it. */
  readonly closable?: boolean;
}

/** What has the focus at first where nothing is marked with `data-first`: what one types into, if there is anything. */
export const firstField = "input:not([readonly], [hidden], [type=checkbox], [type=radio]), select, textarea";

/** The one that cannot be closed: it stays over those that open later. */
let topmost: HTMLDialogElement | undefined;

/** Shows a dialog over all others, with the focus in it. */
function show(element: HTMLDialogElement): void {
  element.showModal();
  const first = element.querySelector<HTMLElement>("[data-first]") ?? element.querySelector<HTMLElement>(firstField);
  first?.focus();
}

export function Dialog({ title, children, onClose, width = "narrow", closable = true }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isPressed = useRef(false);
  // The second press of a double click that opened it is about what was there before.
  const isOfOpening = ({ detail }: { readonly detail: number }) => detail > 1 && !isPressed.current;
  const titleId = useId();
  // With what is drawn and what is taken away, so that no key that is pressed then is lost.
  useLayoutEffect(() => {
    const element = dialog.current as HTMLDialogElement;
    show(element);
    topmost?.close();
    if (topmost) show(topmost);
    if (!closable) topmost = element;
    return () => {
      if (topmost === element) topmost = undefined;
      element.close();
      // What had the focus before may have been drawn again.
      const place = document.querySelector<HTMLElement>("[data-active=true]") ?? document.getElementById("page");
      if (document.activeElement === document.body) place?.focus();
    };
  }, [closable]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={`${look.card} ${css.dialog} ${css[width]}`}
      onCancel={(event) => {
        event.preventDefault();
        if (closable) onClose();
      }}
      onMouseDownCapture={(event) => {
        if (isOfOpening(event)) event.preventDefault();
        else isPressed.current = true;
      }}
      onClickCapture={(event) => {
        if (width === "palette" && event.target === dialog.current) onClose();
        if (!isOfOpening(event)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
      // A key of the dialog is not one of the page below.
      onKeyDown={(event) => event.stopPropagation()}
    >
      {width === "palette" ? (
        <h2 id={titleId} hidden>
          {title}
        </h2>
      ) : (
        <header className={`${look.beside} ${css.head}`}>
          <h2 id={titleId} className={look.grow}>
            {title}
          </h2>
          {closable && <IconButton icon="close" label="Close" onClick={onClose} />}
        </header>
      )}
      {children}
    </dialog>
  );
}

/** The row of buttons at the end of a dialog or a form; the last one does what it is for. */
export function Actions({ children }: { readonly children: ReactNode }) {
  return <div className={`${look.line} ${css.actions}`}>{children}</div>;
}
