/** In place of rows: why there is none, or none but those of every zone, and what leads on. */
import { Link } from "@tanstack/react-router";
import { Button, buttonClass } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { hiddenWords } from "./draft/draft.ts";
import type { SheetModel } from "./model/sheet-model.ts";
import css from "./sheet.module.css";
import type { Filter } from "./view/filter.ts";

interface Props {
  readonly model: SheetModel;
  readonly filter: Filter;
  readonly hiddenStaged: number;
  onClear(): void;
}

function reasonOf({ draft, checks }: SheetModel, { text, type, show }: Filter): string {
  if (show !== "all" && draft.edits.size === 0) return "Nothing is edited";
  if (show === "wrong" && checks.wrongKeys(draft).size === 0) return "Nothing is wrong any more";
  const filtered = [type, text !== "" && `“${text}”`].filter(Boolean).join(" ");
  return `No record matches${filtered === "" ? "" : ` ${filtered}`}`;
}

export function NoRows({ model, filter, hiddenStaged, onClear }: Props) {
  return (
    <div className={`${look.soft} ${css.empty}`}>
      <b role="status">{model.records.size === 0 ? "The zone has no records" : reasonOf(model, filter)}</b>
      {hiddenStaged > 0 && <p>{hiddenWords(hiddenStaged)}</p>}
      <Button onClick={onClear} data-no-rows>
        Clear filter
      </Button>
    </div>
  );
}

/** Below SOA and NS of a zone that has nothing else. */
export function OnlyApex({ isReadOnly, onImport }: { readonly isReadOnly: boolean; onImport(): void }) {
  return (
    <div className={`${look.soft} ${css.empty}`}>
      <b>Only SOA and NS so far</b>
      {!isReadOnly && (
        <>
          <p>Add a record above, paste rows from a spreadsheet or a zone file, or start from a template.</p>
          <div className={look.line}>
            <Button onClick={onImport}>Import a file…</Button>
            <Link to="/settings/templates" className={buttonClass()}>
              Use a template…
            </Link>
          </div>
        </>
      )}
    </div>
  );
}
