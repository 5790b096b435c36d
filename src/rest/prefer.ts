/**
 * `Prefer: wait=10` (RFC 7240 §4.3) on a write: the answer is held until its change is live or the time is up, and X-Publication says
 * which. The write is committed before the wait. Limitation: deleting a user with domains is many changes, and is not waited for.
 */
import type { Request, Response } from "express";
import type { RunOperation } from "./run.ts";

/** How far a change has come, once it is live or the time is up. */
export const waitForLiveQuery =
  "query ($id: ID!, $timeoutMs: Int!) { change(id: $id) { publication(waitFor: LIVE, timeoutMs: $timeoutMs) { state } } }";

/** The longest wait that is granted, seconds. */
const maxWaitSeconds = 60;

/** Holds an answer as long as the request prefers; the change was committed. */
export async function applyPreferredWait(
  wait: RunOperation,
  changeId: string,
  request: Request,
  response: Response,
): Promise<void> {
  const preferred = preferredWait(request.get("prefer"));
  if (preferred === undefined) return;
  const seconds = Math.min(preferred, maxWaitSeconds);
  const { change } = await wait({ id: changeId, timeoutMs: seconds * 1000 }, response);
  response.set("Preference-Applied", `wait=${seconds}`);
  response.set("X-Publication", (change as { publication: { state: string } }).publication.state);
}

/** The seconds of the first `wait` in a Prefer header; undefined without one that can be read, which is then no preference (§2). */
export function preferredWait(header: string | undefined): number | undefined {
  const preferences = (header ?? "").match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? [];
  for (const preference of preferences) {
    const wait = /^\s*wait\s*(?:=\s*("?)(\d{1,9})\1\s*)?(?:;|$)/i.exec(preference);
    if (wait) return wait[2] === undefined ? undefined : Number(wait[2]);
    if (/^\s*wait\s*=/i.test(preference)) return undefined;
  }
  return undefined;
}
