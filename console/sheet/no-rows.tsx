/** In place of the grid where there is no row: why, and what shows some again. */
import { Button } from "../parts/button.tsx";
import type { SheetModel } from "./model/sheet-model.ts";
import css from "./sheet.module.css";
import type { Filter } from "./view/filter.ts";

interface Props {
  readonly model: SheetModel;
  readonly filter: Filter;
  onClear(): void;
}

function reasonOf({ records, draft, checks }: SheetModel, { show }: Filter): string {
  if (records.size === 0) return "The zone has no records.";
  if (show !== "all" && draft.edits.size === 0) return "Nothing is staged.";
  if (show === "wrong" && checks.wrongKeys(draft).size === 0) return "Nothing is wrong any more.";
  return "No record matches the filter.";
}

export function NoRows({ model, filter, onClear }: Props) {
  return (
    <div className={css.empty}>
      <p role="status">{reasonOf(model, filter)}</p>
      <Button onClick={onClear} data-no-rows>
        {filter.show === "all" ? "Clear the filter" : "Show all records"}
      </Button>
    </div>
  );
}
