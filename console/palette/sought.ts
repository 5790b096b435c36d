/** What is written into the palette, and what it may be. */

/** The text to search for, and to which group a sign before it limits the search. */
export interface Sought {
  readonly text: string;
  readonly only?: "do" | "people" | undefined;
}

export function soughtOf(written: string): Sought {
  const [, sign, text = ""] = /^\s*([>@]?)\s*(.*?)\s*$/.exec(written) ?? [];
  return { text, only: sign === ">" ? "do" : sign === "@" ? "people" : undefined };
}

/** Whether every word of a text is in a label. */
export const hasWords = (label: string, text: string) =>
  text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => label.toLowerCase().includes(word));

export const isAddress = (text: string) =>
  /^(\d{1,3}\.){3}\d{1,3}$/.test(text) || (/^[\da-f:.]+$/i.test(text) && text.split(":").length > 2);

/** Whether a text can be the name of a zone. */
export const isName = (text: string) => /^[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*\.?$/u.test(text);
