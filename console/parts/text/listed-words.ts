/**
 * Lists of words as they are typed.
 */

/** The words of a text, which blanks or commas separate. */
export const listedWords = (text: string) => text.split(/[\s,]+/).filter((word) => word !== "");
