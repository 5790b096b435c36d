/** Keys of the sheet that work wherever the focus is on its page, unless a dialog is open. */
import { useEffect, useRef } from "react";
import { isTyped } from "../parts/control/field.tsx";
import { hasControl, isAddKey, singleKeysWork } from "../parts/control/keyboard.ts";

interface Shortcuts {
  review(): void;
  undo(): void;
  redo(): void;
  add(): void;
  /** Esc, where nothing else takes it. */
  leave(): void;
}

const isText = (element: Element | null) =>
  element instanceof HTMLInputElement ? element.type !== "checkbox" : element instanceof HTMLTextAreaElement;

export function useShortcuts(areOn: boolean, shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useEffect(() => {
    if (!areOn) return;
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented && !(event.key === "Enter" && hasControl(event))) return;
      if (document.querySelector("dialog[open], :popover-open")) return;
      const action = shortcutOf(event, isText(document.activeElement));
      if (!action) return;
      event.preventDefault();
      current.current[action]();
    };
    // Before the keys of every page, which listen at the document: Esc does not lead away from here.
    document.body.addEventListener("keydown", pressed);
    return () => document.body.removeEventListener("keydown", pressed);
  }, [areOn]);
}

function shortcutOf(event: KeyboardEvent, isWriting: boolean): keyof Shortcuts | undefined {
  const key = event.key.toLowerCase();
  if (hasControl(event)) {
    if (key === "enter") return "review";
    // A text has its own undo while it is written.
    if (isWriting) return undefined;
    if (key === "z") return event.shiftKey ? "redo" : "undo";
    return key === "y" ? "redo" : undefined;
  }
  if (isAddKey(event)) return "add";
  if (isWriting) return undefined;
  if (key === "escape") return "leave";
  // A letter that is text in the grid does not come here.
  return key === "n" && !event.altKey && singleKeysWork() && !isTyped(document.activeElement) ? "add" : undefined;
}
