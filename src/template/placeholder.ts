/** Placeholders in texts of templates: `${name}` stands for a value, `$$` for a dollar sign. Quotes change how a value is written. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates have placeholders of that form

export type Piece = string | { readonly name: string; readonly isQuoted: boolean };

/** Thrown for a text with wrong placeholders or quotes; the message says what is wrong. */
export class BadTemplate extends Error {}

/** Returns the pieces of a text. Only with `mayQuote` are quotes special: record data has quotes, an owner does not. */
export function readPieces(text: string, mayQuote: boolean): Piece[] {
  const pieces: Piece[] = [];
  let [literal, isQuoted] = ["", false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] as string;
    if (character === "\\") {
      literal += text.slice(at, at + 2);
      at += 1;
    } else if (character !== "$") {
      if (character === '"' && mayQuote) {
        if (!isQuoted && /[^\s(]$/.test(text.slice(0, at)))
          throw new BadTemplate("a quote is within a word; write it at the beginning of a text");
        isQuoted = !isQuoted;
      }
      literal += character;
    } else if (text[at + 1] === "$") {
      literal += "$";
      at += 1;
    } else {
      const [whole, name] = /^\$\{([^{}]*)\}/.exec(text.slice(at)) ?? [];
      if (whole === undefined || name === undefined)
        throw new BadTemplate("a $ begins the name of a variable, as in ${zone}; write $$ for a dollar sign");
      pieces.push(literal, { name, isQuoted });
      literal = "";
      at += whole.length - 1;
    }
  }
  if (isQuoted) throw new BadTemplate("a quote is open at the end");
  return [...pieces, literal].filter((piece) => piece !== "");
}

export const namesIn = (pieces: readonly Piece[]): string[] =>
  pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.name]));
