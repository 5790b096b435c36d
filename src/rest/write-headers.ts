/**
 * The headers of a write. `Prefer: wait=10` (RFC 7240 §4.3) holds the response until the change is LIVE or the time is
 * over; X-Publication has the state. The write is committed before the wait. `X-Change-Note` is a note for the journal.
 * Limitation: deleting a user with domains makes many changes and does not wait.
 */
import type { Request, Response } from "express";
import { Refusal } from "../errors.ts";

/** Waits until a change is LIVE or the time is over; returns its publication state. */
export type WaitForLive = (changeId: string, waitMs: number, response: Response) => Promise<string>;

const maxWaitSeconds = 60;

/** Holds the response to a committed change for the time that the request prefers. */
export async function applyPreferredWait(
  waitForLive: WaitForLive,
  changeId: string,
  request: Request,
  response: Response,
): Promise<void> {
  const preferred = preferredWait(request.get("prefer"));
  if (preferred === undefined) return;
  const seconds = Math.min(preferred, maxWaitSeconds);
  const state = await waitForLive(changeId, seconds * 1000, response);
  response.set("Preference-Applied", `wait=${seconds}`);
  response.set("X-Publication", state);
}

/** The seconds of the first `wait` in a Prefer header; undefined without one. An unreadable wait is ignored (§2). */
export function preferredWait(header: string | undefined): number | undefined {
  const preferences = (header ?? "").match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? [];
  for (const preference of preferences) {
    const wait = /^\s*wait\s*(?:=\s*("?)(\d{1,9})\1\s*)?(?:;|$)/i.exec(preference);
    if (wait) return wait[2] === undefined ? undefined : Number(wait[2]);
    if (/^\s*wait\s*=/i.test(preference)) return undefined;
  }
  return undefined;
}

/** The header of a note: UTF-8, as many clients send it; headers have no encoding of their own (RFC 9110 §5.5). */
export const noteHeader = "X-Change-Note";

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
