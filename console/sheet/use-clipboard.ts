/** Copies the rows that an action is about, and pastes, unless a text is being written. */
import type { ClipboardEvent } from "react";
import { announceResult } from "../parts/control/announce.tsx";
import { counted } from "../parts/text/counted.ts";
import { copyText } from "./clipboard/copy.ts";
import { type FieldsOf, pasteText } from "./clipboard/paste-rows.ts";
import type { SheetModel } from "./model/sheet-model.ts";
import { sheetService } from "./records/requests.ts";
import type { SheetRow } from "./view/view.ts";

interface Options {
  readonly model: SheetModel;
  readonly isReadOnly: boolean;
  readonly fieldsOf: FieldsOf;
  copied(): readonly SheetRow[];
  say(message: string): void;
  /** Leads to the first pasted row. */
  onPasted(key: string): void;
  onImport(text: string): void;
}

/** Warnings of pasted text that are shown at most. */
const maxWarnings = 5;

const isWriting = ({ target }: { readonly target: EventTarget }) =>
  target instanceof HTMLInputElement && target.type !== "checkbox";

export function useClipboard(options: Options) {
  const { model, isReadOnly, fieldsOf, copied, say, onPasted, onImport } = options;
  const paste = async (text: string) => {
    try {
      const result = await pasteText(model, sheetService, text, fieldsOf);
      if (result.warnings?.length) announceResult(result.sentence, result.warnings.slice(0, maxWarnings));
      else say(result.sentence);
      if (result.isTooMany) return onImport(text);
      const [first] = result.keys;
      if (first !== undefined) onPasted(first);
    } catch (error) {
      say((error as Error).message);
    }
  };
  return {
    onCopy(event: ClipboardEvent) {
      if (isWriting(event)) return;
      event.preventDefault();
      const rows = copied().map(({ values, ttl }) => ({ ...values, ttl }));
      event.clipboardData.setData("text/plain", copyText(rows));
      say(`${counted(rows.length, "row")} copied.`);
    },
    onPaste(event: ClipboardEvent) {
      if (isWriting(event) || isReadOnly) return;
      event.preventDefault();
      void paste(event.clipboardData.getData("text/plain"));
    },
  };
}
