/** The one way in which tests wait: for a condition, with a deadline that no slow machine misses, never for an amount of time. */
import { setTimeout as sleep } from "node:timers/promises";

const pollMs = 10;
/** After how long it is given up, ms: far beyond what the slowest machine needs, and only waited for by a test that fails. */
const deadlineMs = 120_000;

/**
 * Waits until the condition holds and returns its value. A condition holds when it neither throws nor returns false; after the
 * deadline the last error is thrown.
 */
export async function eventually<T>(condition: () => T | Promise<T>): Promise<T> {
  for (const end = performance.now() + deadlineMs; ; await sleep(pollMs)) {
    try {
      const value = await condition();
      if (value !== false) return value;
      if (performance.now() > end) throw new Error(`this did not come true: ${condition}`);
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}
