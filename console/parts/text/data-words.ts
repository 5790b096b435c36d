/** The words of record data in presentation form (RFC 1035 §5.1). */

const quotes = String.raw`"(?:\\[\s\S]|[^"\\])*"?`;
const plain = String.raw`(?:\\[\s\S]|[^\s"\\])`;

/** A text in quotes keeps its quotes, also behind what it is the value of (`alpn="h2,h3"`). */
const wordForm = new RegExp(`${quotes}|${plain}(?:${plain}|${quotes})*`, "g");

export const wordsOf = (text: string): string[] => text.match(wordForm) ?? [];

/** The text with other words in the places of its own. */
export function replaceWords(text: string, wordAt: (word: string, at: number) => string): string {
  let count = 0;
  return text.replace(wordForm, (word) => wordAt(word, count++));
}
