/**
 * Since when the service does not answer, and the attempts to reach it. Nothing else is sent again without a person.
 */
import { observe } from "./run.ts";
import { wait, waitMs } from "./waits.ts";

const listeners = new Set<() => void>();
let lostSince: Date | undefined;

/** Since when there was no answer; undefined while the service answers. */
export const connectionLostSince = () => lostSince;

export function onConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function setLost(since: Date | undefined): void {
  if ((since === undefined) === (lostSince === undefined)) return;
  lostSince = since;
  for (const listener of listeners) listener();
  if (since) void reachAgain();
}

async function reachAgain(): Promise<void> {
  for (let attempt = 0; lostSince; attempt += 1) {
    await wait(waitMs(attempt));
    if (lostSince) await probe();
  }
}

/** Asks whether the service is ready, now. */
export async function probe(): Promise<void> {
  try {
    const response = await fetch("/readyz", { cache: "no-store" });
    if (response.ok) setLost(undefined);
  } catch {
    // Still away; the bar says since when.
  }
}

observe({ answered: () => setLost(undefined), unreachable: () => setLost(new Date()) });
