/** A value after it has not changed for a moment: a search is sent once, not for every letter. */
import { useEffect, useState } from "react";

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

export function useDebounced<Value>(value: Value): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
