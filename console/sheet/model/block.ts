/** Why what is staged cannot be reviewed. */
import { counted } from "../../parts/text/counted.ts";
import { isTooLarge } from "../draft/draft.ts";
import type { SheetModel } from "./sheet-model.ts";

/** The reason as a sentence; undefined when it can be reviewed, or when the outcome of one is still found out. */
export function blockOf({ draft, conflicts, loading, lost }: SheetModel): string | undefined {
  if (lost) return undefined;
  if (draft.edits.size === 0) return "There are no edits: write into a cell first.";
  if (loading !== "done") return "The zone is still being read: its review opens once all of it is here.";
  if (isTooLarge(draft)) return "One change cannot take all of this: discard some of it, or import a file.";
  return conflicts.length > 0
    ? `Decide first: ${counted(conflicts.length, "RRset")} changed on both sides.`
    : undefined;
}
