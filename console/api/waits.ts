/**
 * The waits between attempts to reach the service: 1, 2, 4, 8, 10, 10 … s. They end when the page is shown again.
 */

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
