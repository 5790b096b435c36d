/** Warnings that clients can cause: some are logged in full and the others counted, so that a flood of packets causes no flood of lines. */
import type { Logger } from "pino";

const periodMs = 10_000;

export class RateLimitedLog {
  readonly #log: Logger;
  readonly #summary: string;
  readonly #maxLines: number;
  readonly #now: () => number;
  #periodEnd = Number.NEGATIVE_INFINITY;
  #lines = 0;
  #suppressed = 0;

  /** `summary` is the message of the count; `maxLines` in ten seconds; `now` is a monotonic clock, ms. */
  constructor(log: Logger, summary: string, options: { maxLines?: number; now?: () => number } = {}) {
    const { maxLines = 20, now = () => performance.now() } = options;
    this.#log = log;
    this.#summary = summary;
    this.#maxLines = maxLines;
    this.#now = now;
  }

  warn(details: Readonly<Record<string, unknown>>, message: string): void {
    if (this.admit()) this.#log.warn(details, message);
  }

  /** Whether the caller may log a warning itself now; otherwise it is counted. */
  admit(): boolean {
    const now = this.#now();
    if (now >= this.#periodEnd) {
      this.flush();
      this.#periodEnd = now + periodMs;
      this.#lines = 0;
    }
    if (this.#lines < this.#maxLines) {
      this.#lines += 1;
      return true;
    }
    this.#suppressed += 1;
    return false;
  }

  flush(): void {
    if (this.#suppressed > 0) this.#log.warn({ count: this.#suppressed }, this.#summary);
    this.#suppressed = 0;
  }
}
