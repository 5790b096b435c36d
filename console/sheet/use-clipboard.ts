/** Copies the rows that an action is about, and pastes: in a field only what is several lines or cells. */
import { type ClipboardEvent, useState } from "react";
import { announceResult } from "../parts/control/announce.tsx";
import { counted } from "../parts/text/counted.ts";
import { copyTable, copyText } from "./clipboard/copy.ts";
import { type Cells, type FieldsOf, type PasteResult, pasteText } from "./clipboard/paste-rows.ts";
import type { Edit } from "./draft/draft.ts";
import type { SheetModel } from "./model/sheet-model.ts";
import { sheetService } from "./records/sheet-service.ts";
import type { SheetRow } from "./view/view.ts";

interface Options {
  readonly model: SheetModel;
  readonly isReadOnly: boolean;
  readonly fieldsOf: FieldsOf;
  acted(): readonly SheetRow[];
  cells(): Cells;
  say(message: string): void;
  onPasted(key: string): void;
}

/** What was pasted last, until the next edit. */
export interface LastPaste {
  readonly result: PasteResult;
  readonly text: string;
  readonly edits: ReadonlyMap<string, Edit>;
}

const maxWarnings = 5;

const isWriting = ({ target }: { readonly target: EventTarget }) =>
  target instanceof HTMLInputElement && target.type !== "checkbox";

export function useClipboard(options: Options) {
  const { model, isReadOnly, fieldsOf, acted, cells, say, onPasted } = options;
  const [last, setLast] = useState<LastPaste>();
  const paste = async (text: string) => {
    try {
      const result = await pasteText({ model, service: sheetService, fieldsOf }, text, cells());
      setLast({ result, text, edits: model.draft.edits });
      if (result.kind === "nothing")
        return say("No record found in what was pasted. Write name, type and data in each line.");
      if (result.kind !== "staged") return;
      if (result.warnings.length > 0) announceResult("Pasted.", result.warnings.slice(0, maxWarnings));
      const [first] = result.keys;
      if (first !== undefined) onPasted(first);
    } catch (error) {
      say((error as Error).message);
    }
  };
  return {
    last: last?.edits === model.draft.edits ? last : undefined,
    keep: () => last && setLast({ ...last, edits: model.draft.edits }),
    handlers: {
      onCopy(event: ClipboardEvent) {
        if (isWriting(event)) return;
        event.preventDefault();
        const rows = acted().map(({ values, ttl }) => ({ ...values, ttl }));
        event.clipboardData.setData("text/plain", copyText(rows));
        event.clipboardData.setData("text/html", copyTable(rows));
        say(`${counted(rows.length, "row")} copied.`);
      },
      onPaste(event: ClipboardEvent) {
        const text = event.clipboardData.getData("text/plain");
        const isOneValue = !/[\t\n]/.test(text.trim());
        if ((isWriting(event) && isOneValue) || isReadOnly || event.defaultPrevented) return;
        event.preventDefault();
        void paste(text);
      },
    },
  };
}
