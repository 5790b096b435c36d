/** Below the grid: what is staged, and the way to the review. */
import { placeResults } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { counted } from "../parts/text/counted.ts";
import { countEdits, countMoved, countStaged, isTooLarge, maxEdits } from "./draft/draft.ts";
import type { SheetModel } from "./model/sheet-model.ts";
import css from "./sheet.module.css";

interface Props {
  readonly model: SheetModel;
  readonly message: string;
  /** Whether something is written in a cell, which is staged when it is left. */
  readonly isWriting: boolean;
  /** On a phone, where a record is written in its form, begins one. */
  readonly onAdd: (() => void) | undefined;
  onDiscard(): void;
  onUndo(): void;
  onReview(): void;
  onShow(keys: ReadonlySet<string>): void;
  onImport(): void;
}

const wrongClass = `${look.bare} ${look.del} ${css.words}`;

export function StagedBar({ model, message, isWriting, onAdd, onDiscard, onUndo, onReview, onShow, onImport }: Props) {
  const counts = countEdits(model.draft);
  const moved = countMoved(model.draft);
  const staged = countStaged(model.draft);
  const wrongKeys = model.checks.wrongKeys(model.draft);
  const wrong = wrongKeys.size;
  const conflicts = model.conflicts.length;
  const hasBar = staged > 0 || isWriting;
  const isTooMany = isTooLarge(model.draft);
  const parts = [
    counts.added > 0 && `${counts.added} added`,
    counts.changed + moved > 0 && `${counts.changed + moved} changed`,
    counts.removed > 0 && `${counts.removed} removed`,
  ].filter(Boolean);
  return (
    <div className={`${look.line} ${css.staged}`} data-staged={hasBar}>
      <div ref={placeResults} className={css.results} />
      <p role="status">
        {staged > 0 && (
          <>
            <b>{counted(staged, "edit")}</b> {parts.join(", ")}
            {wrong > 0 && (
              <>
                {" · "}
                <button type="button" className={wrongClass} onClick={() => onShow(wrongKeys)}>
                  {wrong} {wrong === 1 ? "is" : "are"} wrong
                </button>
              </>
            )}
            {conflicts > 0 && (
              <>
                {" · "}
                <button type="button" className={wrongClass} onClick={() => onShow(model.conflictKeys)}>
                  <span aria-hidden="true">⇄</span> {conflicts} to decide, since somebody else changed the same
                </button>
              </>
            )}
          </>
        )}
        {model.discarded > 0 && `${counted(model.discarded, "edit")} discarded.`}
        {message !== "" && <span className={look.soft}> {message}</span>}
      </p>
      {model.discarded > 0 && (
        <Button hint="Ctrl+Z" onClick={onUndo}>
          Undo
        </Button>
      )}
      {model.checks.rest.map((reason) => (
        <p key={reason} className={`${look.del} ${css.reason}`}>
          <span aria-hidden="true">✕</span> {reason}
        </p>
      ))}
      {!model.drafts.isKept && (
        <p className={`${look.del} ${css.reason}`}>The browser's storage is full: a reload would lose these edits.</p>
      )}
      {isTooMany && (
        <p className={`${look.del} ${css.reason}`}>
          One change takes {maxEdits} additions, updates or removals each.{" "}
          <Button onClick={onImport}>Import a file instead</Button>
        </p>
      )}
      {onAdd && !hasBar && (
        <div className={css.round}>
          <Button kind="primary" icon="plus" onClick={onAdd}>
            Record
          </Button>
        </div>
      )}
      {hasBar && (
        <div className={`${look.line} ${look.end} ${css.steps}`}>
          {onAdd && <Button icon="plus" aria-label="Record" onClick={onAdd} />}
          <Button onClick={onDiscard} title="Ctrl+Z brings them back">
            Discard
          </Button>
          <Button
            kind="primary"
            hint="Ctrl Enter"
            aria-disabled={isTooMany || model.loading !== "done" || undefined}
            onClick={onReview}
          >
            Review
          </Button>
        </div>
      )}
    </div>
  );
}
