/** The one error of the dns rooms: the first fault of a text or wire that is not valid DNS data. */

/** The service maps each to one error code. */
type MalformedReason = "name" | "ambiguous-name" | "out-of-zone" | "type" | "rdata" | "ttl" | "syntax";

/** The message is one sentence for the user, `field` is the RDATA field with the error. */
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

/** At most 60 characters, with control characters escaped. */
export function quote(input: string): string {
  return `"${clip(input, maxQuotedLength)}"`;
}

/** At most `maxLength` characters, with control characters escaped. */
export function clip(input: string, maxLength: number): string {
  const clipped = input.length > maxLength ? `${input.slice(0, maxLength)}…` : input;
  return clipped.replace(/[^\x20-\x7e\u00a1-\u1fff\u2010-\u2027\u2030-\ud7ff]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\${String(code).padStart(3, "0")}` : `U+${code.toString(16).toUpperCase()}`;
  });
}
