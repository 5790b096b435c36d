/**
 * A value after it has not changed for a moment: a search is sent once, not for every letter.
 */
import { useEffect, useState } from "react";

/** How long the value stays unchanged, ms. */
const delayMs = 150;

export function useDebounced<Value>(value: Value): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
