/** Over the grid: what was pasted, what of it is wrong, and what can be done about it. */
import { Button } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { counted } from "../parts/text/counted.ts";
import { makeRelative } from "./clipboard/paste-rows.ts";
import { isForeign } from "./clipboard/relative-names.ts";
import type { SheetModel } from "./model/sheet-model.ts";
import css from "./sheet.module.css";
import type { LastPaste } from "./use-clipboard.ts";

interface Props {
  readonly model: SheetModel;
  readonly last: LastPaste;
  onShowWrong(): void;
  onUndo(): void;
  onImport(text: string): void;
  /** Its rows were written into. */
  onWritten(): void;
}

const pastedClass = `${look.message} ${look.line} ${css.pasted}`;

const isAre = (count: number) => (count === 1 ? "is" : "are");

export function PasteLine({ model, last: { result, text }, onShowWrong, onUndo, onImport, onWritten }: Props) {
  if (result.kind === "nothing") return null;
  if (result.kind === "too many")
    return (
      <div className={pastedClass}>
        <p role="status">
          <b>That is {counted(result.count, "record")}.</b> Import them as a file?
        </p>
        <Button onClick={() => onImport(text)}>Import</Button>
      </div>
    );
  const { keys, written, present } = result;
  const wrongKeys = model.checks.wrongKeys(model.draft);
  const wrong = keys.filter((key) => wrongKeys.has(key));
  const added = keys.length - written;
  const foreign = wrong.filter((key) => {
    const edit = model.draft.edits.get(key);
    return edit?.kind === "add" && isForeign(edit.values.owner, model.zone);
  });
  const done = [
    (added > 0 || written === 0) && `${added === 0 ? "No rows" : counted(added, "row")} added to your edits`,
    written > 0 && `${counted(written, "row")} changed`,
    wrong.length > 0 && `${wrong.length} ${isAre(wrong.length)} wrong`,
  ].filter(Boolean);
  return (
    <div className={wrong.length > 0 ? pastedClass : `${pastedClass} ${css.own}`}>
      <p role="status">
        <b>{done.join(", ")}.</b>
        {present > 0 && ` ${present} ${present === 1 ? "was" : "were"} there already and ${isAre(present)} left out.`}
      </p>
      {foreign.length > 0 && (
        <Button
          onClick={() => {
            makeRelative(model, foreign);
            onWritten();
          }}
        >
          Make them relative
        </Button>
      )}
      {wrong.length > 0 && <Button onClick={onShowWrong}>Show the wrong rows</Button>}
      {keys.length > 0 && <Button onClick={onUndo}>Undo paste</Button>}
    </div>
  );
}
