/** A text with names in it as they are stored, and beside it in Unicode, where that differs. */
import { unicodeText } from "../text/names.ts";
import table from "./table.module.css";

export function Named({ text }: { readonly text: string }) {
  const shown = unicodeText(text);
  if (shown === text) return text;
  return (
    <>
      {text} <span className={table.soft}>{shown}</span>
    </>
  );
}
