/** Whether the page is as narrow as a phone, where a row is a card, or narrower than a width of its own, px. */
import { useCallback, useMemo, useSyncExternalStore } from "react";

export function useNarrow(width = 640): boolean {
  const narrow = useMemo(() => matchMedia(`(width < ${width}px)`), [width]);
  const subscribe = useCallback(
    (listener: () => void) => {
      narrow.addEventListener("change", listener);
      return () => narrow.removeEventListener("change", listener);
    },
    [narrow],
  );
  return useSyncExternalStore(subscribe, () => narrow.matches);
}
