/** The service's sentences as the sheet says them: `rdata` is a name of the API, here it is the column Data, and its fields have labels. */
import type { Column } from "../records/row.ts";
import type { Reason } from "../records/sheet-service.ts";

export interface Problem {
  readonly column: Column | undefined;
  /** The field of the data that it is about, as the service names it. */
  readonly part?: string;
  readonly message: string;
}

/** The label of a field of data; the texts of a TXT are one text. */
export const fieldLabel = (name: string) =>
  name === "strings" ? "text" : name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

export const sheetSentence = (message: string) => message.replace(/^rdata\b/, "Data");

export function problemAt(column: Column | undefined, { message, part }: Pick<Reason, "message" | "part">): Problem {
  const sentence = column === "rdata" ? sheetSentence(message) : message;
  if (!part) return { column, message: sentence };
  const rest = sentence.startsWith(part) ? sentence.slice(part.length) : undefined;
  return { column, part, message: rest === undefined ? sentence : fieldLabel(part) + rest };
}
