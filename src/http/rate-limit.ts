/** Rate limits in fixed windows of a minute from the first request on. */
import { Refusal } from "../errors.ts";

const windowMs = 60_000;

/** The most counts that are sent at a time. */
const maxSent = 1000;

interface Window {
  count: number;
  /** The requests that other instances do not know of. */
  unsent: number;
  until: number;
}

/** Requests of a name, and the rest of their window, ms. */
export interface Counted {
  readonly name: string;
  readonly count: number;
  readonly leftMs: number;
}

/** The requests of the present minute. What is counted here is sent to other instances, whose sums come back. */
export class RequestCounts {
  readonly #windows = new Map<string, Window>();
  readonly #unsent = new Set<string>();
  #clearAt = 0;

  /** Counts a request; returns the count of its window and the rest of it. */
  add(name: string): Omit<Counted, "name"> {
    const now = performance.now();
    if (now >= this.#clearAt) this.#clear(now);
    let window = this.#windows.get(name);
    if (!window || now >= window.until) {
      window = { count: 0, unsent: 0, until: now + windowMs };
      this.#windows.set(name, window);
    }
    window.count += 1;
    window.unsent += 1;
    if (window.unsent === 1) this.#unsent.add(name);
    return { count: window.count, leftMs: window.until - now };
  }

  takeUnsent(): Counted[] {
    const now = performance.now();
    const taken: Counted[] = [];
    for (const name of this.#unsent) {
      if (taken.length === maxSent) break;
      this.#unsent.delete(name);
      const window = this.#windows.get(name);
      if (!window || now >= window.until) continue;
      taken.push({ name, count: window.unsent, leftMs: window.until - now });
      window.unsent = 0;
    }
    return taken;
  }

  /** Takes the sums over all instances, without what is unsent here. */
  learn(sums: readonly Counted[]): void {
    const now = performance.now();
    for (const { name, count, leftMs } of sums) {
      const window = this.#windows.get(name);
      if (!window) continue;
      window.count = Math.max(window.count, count + window.unsent);
      window.until = now + leftMs;
    }
  }

  #clear(now: number): void {
    this.#clearAt = now + windowMs;
    for (const [name, { until }] of this.#windows) if (now >= until) this.#windows.delete(name);
  }
}

export class RateLimit {
  readonly #perMinute: number;
  readonly #what: string;
  readonly #counts: RequestCounts;

  /** Allows each client `perMinute` requests; 0 means no limit. `what` names the requests in the refusal. */
  constructor(perMinute: number, what: string, counts: RequestCounts) {
    this.#perMinute = perMinute;
    this.#what = what;
    this.#counts = counts;
  }

  /** Counts a request of a client; TOO_MANY_REQUESTS with `retryAfter` when it exceeds the limit. */
  take(client: string): void {
    if (this.#perMinute === 0) return;
    const { count, leftMs } = this.#counts.add(`${this.#what} ${client}`);
    if (count <= this.#perMinute) return;
    const seconds = Math.max(1, Math.ceil(leftMs / 1000));
    const message = `Too many ${this.#what}; try again in ${seconds} s.`;
    throw new Refusal("TOO_MANY_REQUESTS", message, { details: { retryAfter: seconds } });
  }
}
