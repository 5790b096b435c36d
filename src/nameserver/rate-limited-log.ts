/**
 * Warnings that clients can cause: twenty in ten seconds are logged in full, the others counted, so that no flood of
 * packets becomes a flood of lines.
 */
import type { Logger } from "pino";

const periodMs = 10_000;
const maxLinesPerPeriod = 20;

export class RateLimitedLog {
  readonly #log: Logger;
  readonly #summary: string;
  readonly #now: () => number;
  #periodEnd = Number.NEGATIVE_INFINITY;
  #lines = 0;
  #suppressed = 0;

  /** `summary` is the message of the line that has the count; `now` is a clock in milliseconds that never goes back. */
  constructor(log: Logger, summary: string, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#summary = summary;
    this.#now = now;
  }

  /** Logs a warning, or counts it. */
  warn(details: Readonly<Record<string, unknown>>, message: string): void {
    if (this.admit()) this.#log.warn(details, message);
  }

  /** Whether the caller may write a warning of its own now; one that may not be written is counted. */
  admit(): boolean {
    const now = this.#now();
    if (now >= this.#periodEnd) {
      this.flush();
      this.#periodEnd = now + periodMs;
      this.#lines = 0;
    }
    if (this.#lines < maxLinesPerPeriod) {
      this.#lines += 1;
      return true;
    }
    this.#suppressed += 1;
    return false;
  }

  /** Logs how many warnings were only counted, if any were. */
  flush(): void {
    if (this.#suppressed > 0) this.#log.warn({ count: this.#suppressed }, this.#summary);
    this.#suppressed = 0;
  }
}
