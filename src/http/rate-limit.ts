/** Rate limits in fixed windows of a minute from the first request on. Limitation: each instance counts for itself. */
import { Refusal } from "../errors.ts";

const windowMs = 60_000;

interface Window {
  count: number;
  readonly until: number;
}

export class RateLimit {
  readonly #perMinute: number;
  readonly #what: string;
  readonly #windows = new Map<string, Window>();
  #clearAt = 0;

  /** Allows each client `perMinute` requests; 0 means no limit. `what` names the requests in the refusal. */
  constructor(perMinute: number, what: string) {
    this.#perMinute = perMinute;
    this.#what = what;
  }

  /** Counts a request of a client; TOO_MANY_REQUESTS with `retryAfter` when it exceeds the limit. */
  take(client: string): void {
    if (this.#perMinute === 0) return;
    const now = performance.now();
    if (now >= this.#clearAt) this.#clear(now);
    let window = this.#windows.get(client);
    if (!window || now >= window.until) {
      window = { count: 0, until: now + windowMs };
      this.#windows.set(client, window);
    }
    window.count += 1;
    if (window.count <= this.#perMinute) return;
    const seconds = Math.max(1, Math.ceil((window.until - now) / 1000));
    const message = `Too many ${this.#what}; try again in ${seconds} s.`;
    throw new Refusal("TOO_MANY_REQUESTS", message, { details: { retryAfter: seconds } });
  }

  #clear(now: number): void {
    this.#clearAt = now + windowMs;
    for (const [client, { until }] of this.#windows) if (now >= until) this.#windows.delete(client);
  }
}
