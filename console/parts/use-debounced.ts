/**
 * A value once it has not changed for a moment, so that a search is not sent for every letter.
 */
import { useEffect, useState } from "react";

/** How long a value must stay as it is, ms. */
const settleMs = 150;

export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
