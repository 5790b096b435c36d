/**
 * `X-Change-Note` on a write: why its change is made, for the journal. It is UTF-8, as many clients send it; headers have no encoding of
 * their own (RFC 9110 §5.5).
 */
import type { Request } from "express";
import { Refusal } from "../errors.ts";

export const noteHeader = "X-Change-Note";

/** The longest note, characters. */
const maxLength = 500;

/** The note of a request, without the blanks around it; undefined when there is none. INVALID_VALUE when it is no text of one line. */
export function changeNote(request: Pick<Request, "get">): string | undefined {
  // Node reads headers as Latin-1: a character for each octet.
  const octets = Buffer.from(request.get(noteHeader) ?? "", "latin1");
  const note = readText(octets).trim();
  if (note === "") return undefined;
  if (note.length > maxLength) throw refused(`write at most ${maxLength} characters`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
  if (/[\x00-\x1f\x7f]/.test(note)) throw refused("write it without control characters");
  return note;
}

function readText(octets: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(octets);
  } catch {
    throw refused("write it in UTF-8");
  }
}

const refused = (advice: string) =>
  new Refusal("INVALID_VALUE", `${noteHeader} is not valid; ${advice}.`, { field: noteHeader });
