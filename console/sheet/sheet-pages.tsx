/**
 * The records of a zone at their two addresses, which share one model: the sheet, and the page of its draft. The sheet stays as it is while
 * the draft is looked at.
 */
import { useEffect, useState } from "react";
import { useRecordTypes } from "../api/use-record-types.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Question } from "../parts/page/form.tsx";
import { counted } from "../parts/text/counted.ts";
import { countStaged } from "./draft/draft.ts";
import type { TakenBack } from "./draft/inverse.ts";
import { blockOf } from "./model/block.ts";
import { takeBack } from "./model/sheet-actions.ts";
import { DraftPage } from "./review/draft-page.tsx";
import css from "./sheet.module.css";
import { Sheet, type SheetProps } from "./sheet.tsx";
import { useSheet } from "./use-sheet.ts";

interface SheetPagesProps extends Omit<SheetProps, "model" | "isHidden" | "shownKey" | "onReview"> {
  readonly isDraft: boolean;
  /** The change that the address names to be taken back, as soon as it is read; null when it cannot be taken back in this zone. */
  readonly undone: TakenBack | null | undefined;
  onDraft(isDraft: boolean): void;
  onApplied(id: string): void;
}

export function SheetPages({ isDraft, undone, onDraft, onApplied, ...sheet }: SheetPagesProps) {
  const types = useRecordTypes();
  const model = useSheet(sheet.zone, sheet.fingerprint, sheet.serial, types.ttls.default);
  const [shownKey, setShownKey] = useState<string>();
  const { search, isReadOnly, onSearch } = sheet;

  const undo = async (change: TakenBack) => {
    try {
      if (await takeBack(model, change)) onDraft(true);
      else announceResult(`Nothing of ${change.serial} is left to be taken back.`);
    } catch (error) {
      announceResult((error as Error).message);
    }
  };
  const edits = countStaged(model.draft);
  const [joining, setJoining] = useState<TakenBack>();
  const isUndoable = undone !== undefined && model.loading === "done";
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each change
  useEffect(() => {
    if (!isUndoable) return;
    onSearch({ ...search, undo: undefined, restore: undefined });
    if (undone === null) announceResult("This cannot be taken back here.");
    else if (isReadOnly) return;
    else if (edits > 0) setJoining(undone);
    else void undo(undone);
  }, [isUndoable]);

  return (
    <>
      <div inert={isDraft} className={isDraft ? css.behind : undefined}>
        <Sheet
          {...sheet}
          model={model}
          isHidden={isDraft}
          shownKey={shownKey}
          onReview={(note) => {
            void model.openReview(note);
            onDraft(true);
          }}
        />
      </div>
      {joining && (
        <Question
          title={`Add to your ${counted(edits, "edit")}?`}
          action="Add"
          kind="primary"
          byEnter
          send={() => undo(joining)}
          onSuccess={() => setJoining(undefined)}
          onClose={() => setJoining(undefined)}
        >
          “{joining.note}” joins the edits of this zone that are not applied.
        </Question>
      )}
      {isDraft && (
        <DraftPage
          model={model}
          block={isReadOnly ? "This key may only read." : blockOf(model)}
          onBack={(key) => {
            setShownKey(key);
            onDraft(false);
          }}
          onApplied={onApplied}
        />
      )}
    </>
  );
}
