/**
 * The one error of the dns rooms: text or wire that is not valid DNS data.
 * Limitation: it reports the first error of a value; a reader of many values (a master file) collects several.
 */

/** The kind of fault; the service maps each to one error code. */
type MalformedReason = "name" | "ambiguous-name" | "out-of-zone" | "type" | "rdata" | "ttl" | "syntax";

/** Thrown for malformed input: the message is one sentence for the user, `field` is the RDATA field with the error. */
export class Malformed extends Error {
  override readonly name = "Malformed";
  readonly reason: MalformedReason;
  readonly field?: string;

  constructor(reason: MalformedReason, message: string, field?: string) {
    super(message);
    this.reason = reason;
    if (field !== undefined) this.field = field;
  }
}

/** The error of a message or file that cannot be read. */
export const syntaxError = (message: string) => new Malformed("syntax", message);

const maxQuotedLength = 60;

/** Quotes user input for a message: at most its first 60 characters, with control characters escaped. */
export function quote(input: string): string {
  return `"${clip(input, maxQuotedLength)}"`;
}

/** Shortens user input for a message to its first `maxLength` characters, and escapes control characters. */
export function clip(input: string, maxLength: number): string {
  const clipped = input.length > maxLength ? `${input.slice(0, maxLength)}…` : input;
  return clipped.replace(/[^\x20-\x7e\u00a1-\u1fff\u2010-\u2027\u2030-\ud7ff]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\${String(code).padStart(3, "0")}` : `U+${code.toString(16).toUpperCase()}`;
  });
}
