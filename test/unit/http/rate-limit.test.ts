/**
 * The window of a rate limit, which both ways of a request share.
 */
import { expect, test } from "@jest/globals";
import { RateLimit } from "../../../src/http/rate-limit.ts";

test("a client has so many requests a minute, another its own, and looking does not count", () => {
  const limit = new RateLimit(2, "requests of this kind");
  for (let n = 0; n < 5; n += 1) expect(limit.hasRoom("a")).toBe(true);
  limit.take("a");
  limit.take("a");
  expect(limit.hasRoom("a")).toBe(false);
  expect(() => limit.take("a")).toThrow(/^Too many requests of this kind; try again in \d+ s\.$/);
  expect(limit.hasRoom("b")).toBe(true);
});

test("0 is no limit", () => {
  const limit = new RateLimit(0, "requests");
  for (let n = 0; n < 5; n += 1) limit.take("a");
  expect(limit.hasRoom("a")).toBe(true);
});
