/**
 * Refusals in the log: some in each period in full, the others counted, so that no flood of packets becomes a flood of lines.
 */
import type { Logger } from "pino";

const period = 10_000;
const linesAPeriod = 20;

export class RefusalLog {
  private readonly log: Logger;
  private readonly now: () => number;
  private start = Number.NEGATIVE_INFINITY;
  private lines = 0;
  private untold = 0;

  constructor(log: Logger, now: () => number = Date.now) {
    this.log = log;
    this.now = now;
  }

  /** Logs why something was refused, or counts it. */
  note(reason: string, about: Record<string, unknown>): void {
    const now = this.now();
    if (now - this.start >= period) {
      this.tellUntold();
      this.start = now;
      this.lines = 0;
    }
    if (this.lines < linesAPeriod) this.log.warn(about, reason);
    else this.untold += 1;
    this.lines += 1;
  }

  /** Logs how many refusals were only counted. */
  tellUntold(): void {
    if (this.untold > 0) this.log.warn({ count: this.untold }, "more DNS requests were refused than are logged");
    this.untold = 0;
  }
}
