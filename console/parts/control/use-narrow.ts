/** Whether the page is as narrow as a phone, where a row is a card. */
import { useSyncExternalStore } from "react";

const narrow = matchMedia("(width < 640px)");

function subscribe(listener: () => void): () => void {
  narrow.addEventListener("change", listener);
  return () => narrow.removeEventListener("change", listener);
}

export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);
