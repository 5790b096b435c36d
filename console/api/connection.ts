/**
 * Since when the service does not answer, and the attempts to reach it. Nothing else is sent again without a person. The waits between
 * attempts are 1, 2, 4, 8, 10, 10 … s, and end when the page is shown again.
 */
import { observe } from "./run.ts";
import { storeOf } from "./store.ts";

/** Since when there was no answer; undefined while the service answers. */
const lost = storeOf<Date | undefined>(undefined);

export const { get: connectionLostSince, subscribe: onConnection } = lost;

function setLost(since: Date | undefined): void {
  if ((since === undefined) === (lost.get() === undefined)) return;
  lost.set(since);
  if (since) void reachAgain();
}

async function reachAgain(): Promise<void> {
  for (let attempt = 0; lost.get(); attempt += 1) {
    await wait(waitMs(attempt));
    if (lost.get()) await probe();
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

/** The longest wait, ms: a person who sees that the service is back does not wait much longer for the page. */
const longestMs = 10_000;

/** The wait before an attempt, ms; `attempt` counts from 0. */
export const waitMs = (attempt: number) => Math.min(longestMs, 1000 * 2 ** Math.min(attempt, 5));

/** Waits, but no longer than until the page is shown again or the signal is aborted. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onShown);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const onShown = () => document.visibilityState === "visible" && done();
    const timer = setTimeout(done, ms);
    document.addEventListener("visibilitychange", onShown);
    signal?.addEventListener("abort", done);
    if (signal?.aborted) done();
  });
}
