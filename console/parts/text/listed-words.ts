/** Lists of words as they are typed. */

/** The words of a text, which blanks or commas separate. */
export const listedWords = (text: string) => text.split(/[\s,]+/).filter((word) => word !== "");

/** The same, and undefined where there are none: what a limit is that is left empty. */
export function listedOrNone(text: string): string[] | undefined {
  const words = listedWords(text);
  return words.length > 0 ? words : undefined;
}
