/** Has the service search for what the filter seeks, in a zone that has more records than a sheet holds. */
import { useEffect } from "react";
import type { SheetModel } from "./model/sheet-model.ts";
import type { Filter } from "./view/filter.ts";

/** How long the filter rests before the service is asked, ms. */
const pauseMs = 150;

export function useFind(model: SheetModel, filter: Filter): void {
  const isPart = model.loading === "done" && !model.records.isComplete;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the filter is made with each drawing
  useEffect(() => {
    if (!isPart) return;
    const timer = setTimeout(() => void model.large.find(filter), pauseMs);
    return () => clearTimeout(timer);
  }, [model, isPart, filter.text, filter.type]);
}
