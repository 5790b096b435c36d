/**
 * The service's sentences as the sheet says them: `rdata` is a name of the API, here it is the column Data, and its fields have labels. A
 * sentence about one of them begins with its name.
 */
import type { Column } from "../records/row.ts";

/** What is wrong with a cell or a row. */
export interface Problem {
  readonly column: Column | undefined;
  /** The field of the data that it is about, as the service names it. */
  readonly part?: string;
  readonly message: string;
}

/** The label of a field of data; the texts of a TXT are one text. */
export const fieldLabel = (name: string) =>
  name === "strings" ? "text" : name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** A sentence in the words of the sheet, without the name of the field of the API that it is about. */
export const sheetSentence = (message: string) => said(message).message;

/** What is wrong with a cell, by what the service says of it. */
export function problemAt(column: Column | undefined, message: string): Problem {
  return column === "rdata" ? { column, ...said(message) } : { column, message };
}

function said(message: string): { readonly part?: string; readonly message: string } {
  const [part = ""] = /^[a-z][A-Za-z0-9]*(?=[ :])/.exec(message) ?? [];
  if (part === "rdata") return { message: `Data${message.slice(part.length)}` };
  if (part === "") return { message };
  return { part, message: `${fieldLabel(part)}${message.slice(part.length)}` };
}
