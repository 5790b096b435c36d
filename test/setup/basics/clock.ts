/** The real clock, for the few things that need it: TSIG signs the time of day (RFC 8945 §4.2), pauses count from what was. */

export const secondsNow = () => Math.floor(Date.now() / 1000);

export const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** Eight in the evening, UTC, of tomorrow (RFC 3339). */
export const tomorrowEvening = () => new Date(Date.now() + 86_400_000).toISOString().replace(/T.*/, "T20:00:00Z");

/** A clock that is so many milliseconds ahead, or behind below 0. */
export const clockAhead = (ms: number) => () => new Date(Date.now() + ms);

/** The moment in so many milliseconds, ms of performance.now(): for what is told the moment. */
export const momentIn = (ms: number) => performance.now() + ms;

/** Runs something while performance.now() is so many milliseconds ahead. */
export async function withMomentsAhead(ms: number, run: () => Promise<unknown>): Promise<void> {
  const { now } = performance;
  performance.now = () => now.call(performance) + ms;
  try {
    await run();
  } finally {
    performance.now = now;
  }
}
