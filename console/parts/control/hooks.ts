/** What a component follows: a text that is being written, Esc, and the width and the height of the window. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { isTyped } from "./field.tsx";

/** How long the value stays unchanged, ms. */
const delayMs = 150;

/** A text that is written into a field: as it is, after it has not changed for a moment, and what writes it. */
interface Written {
  readonly text: string;
  /** Without blanks around it. */
  readonly settled: string;
  readonly write: (text: string) => void;
  /** Empties the field, and leaves the address to the caller. */
  readonly empty: () => void;
}

/** The text of a field that is in the address too; `onWrite` is called with it, without a text with undefined. */
export function useWritten(first: string | undefined, onWrite: (text: string | undefined) => void): Written {
  const [text, setText] = useState(first ?? "");
  const write = (next: string) => {
    setText(next);
    onWrite(next.trim() || undefined);
  };
  return { text, settled: useDebounced(text.trim()), write, empty: () => setText("") };
}

/** A value after it has not changed for a moment: a search is sent once, not for every letter. */
export function useDebounced<Value>(value: Value): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}

const onResize = (listener: () => void) => {
  addEventListener("resize", listener);
  return () => removeEventListener("resize", listener);
};

/** Whether the page is as narrow as a phone, where a row is a card, or narrower than a width of its own, px. */
export const useNarrow = (width = 640): boolean =>
  useSyncExternalStore(onResize, () => matchMedia(`(width < ${width}px)`).matches);

/** Lets an element reach down to the end of the window, whatever is above it. */
export function useFill(): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const fill = () => {
      // What is hidden stays as it was.
      if (!element.current || getComputedStyle(element.current).visibility === "hidden") return;
      const top = element.current.getBoundingClientRect().top + scrollY;
      element.current.style.setProperty("--above", `${Math.ceil(top)}px`);
    };
    fill();
    const observer = new ResizeObserver(fill);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  return element;
}

/** Takes Esc from the page while it is on, unless somebody types or a dialog is open. */
export function useEscape(isOn: boolean, onEscape: () => void): void {
  const current = useRef(onEscape);
  current.current = onEscape;
  useEffect(() => {
    if (!isOn) return;
    const pressed = (event: KeyboardEvent) => {
      const isElsewhere = isTyped(event.target) || document.querySelector("dialog[open], :popover-open");
      if (event.key !== "Escape" || isElsewhere) return;
      event.preventDefault();
      event.stopPropagation();
      current.current();
    };
    document.addEventListener("keydown", pressed, true);
    return () => document.removeEventListener("keydown", pressed, true);
  }, [isOn]);
}
