/**
 * Rate limits per minute for each key or address. Limitation: they are counted in memory, by each instance for itself.
 */
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { Refusal } from "../errors.ts";

/**
 * Counts a request of `client`; TOO_MANY_REQUESTS with `retryAfter` when it exceeds the limit. `what` names what is
 * counted.
 */
export type Limiter = (client: string, what: string) => Promise<void>;

/** A limiter that allows each client `perMinute` requests; 0 means no limit. */
export function limiter(perMinute: number): Limiter {
  if (perMinute === 0) return async () => {};
  const memory = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return async (client, what) => {
    try {
      await memory.consume(client);
    } catch (result) {
      if (!(result instanceof RateLimiterRes)) throw result;
      const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
      throw new Refusal("TOO_MANY_REQUESTS", `Too many ${what}; try again in ${seconds} s.`, {
        details: { retryAfter: seconds },
      });
    }
  };
}
