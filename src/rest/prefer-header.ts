/**
 * `Prefer: wait=10` (RFC 7240 §4.3) on a write: the response is held until its change is LIVE or the time is up, and
 * X-Publication says which. The write is committed before the wait. Limitation: deleting a user with domains makes many
 * changes and does not wait.
 */
import type { Request, Response } from "express";

/** Waits until a change is LIVE or the time is up; resolves to its publication state then. */
export type WaitForLive = (changeId: string, waitMs: number, response: Response) => Promise<string>;

/** The longest wait that is granted, seconds. */
const maxWaitSeconds = 60;

/** Holds the response to a committed change for as long as the request prefers. */
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

/**
 * The seconds of the first `wait` in a Prefer header; undefined without one, or with an unreadable one, which is
 * ignored (§2).
 */
export function preferredWait(header: string | undefined): number | undefined {
  const preferences = (header ?? "").match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? [];
  for (const preference of preferences) {
    const wait = /^\s*wait\s*(?:=\s*("?)(\d{1,9})\1\s*)?(?:;|$)/i.exec(preference);
    if (wait) return wait[2] === undefined ? undefined : Number(wait[2]);
    if (/^\s*wait\s*=/i.test(preference)) return undefined;
  }
  return undefined;
}
