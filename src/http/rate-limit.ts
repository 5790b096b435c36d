/**
 * Limits of requests: so many a minute for each key or address, counted in memory; each service counts for itself.
 */
import type { Response } from "express";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { Refusal } from "../errors.ts";

/** Counts a request of `who`; TOO_MANY_REQUESTS with Retry-After when it is one too many. `what` says of what. */
export type Limiter = (who: string, response: Response, what: string) => Promise<void>;

/** Allows `points` a minute to each; 0 is no limit. */
export function limiter(points: number): Limiter {
  if (points === 0) return async () => {};
  const memory = new RateLimiterMemory({ points, duration: 60 });
  return async (who, response, what) => {
    try {
      await memory.consume(who);
    } catch (result) {
      if (!(result instanceof RateLimiterRes)) throw result;
      const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
      response.set("Retry-After", String(seconds));
      throw new Refusal("TOO_MANY_REQUESTS", `Too many ${what}; try again in ${seconds} s.`, {
        details: { retryAfter: seconds },
      });
    }
  };
}
