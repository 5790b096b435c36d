import { expect, test } from "@jest/globals";
import { pino } from "pino";
import { RateLimitedLog } from "../../../src/nameserver/rate-limited-log.ts";

test("a flood of refusals is twenty lines in ten seconds and then a count", () => {
  const lines: { count?: number }[] = [];
  let now = 0;
  const log = new RateLimitedLog(
    pino({}, { write: (line) => void lines.push(JSON.parse(line)) }),
    "more were refused",
    { now: () => now },
  );
  for (let at = 0; at < 1000; at += 1) log.warn({}, "refused");
  expect(lines).toHaveLength(20);
  now = 10_000;
  log.warn({}, "refused");
  expect(lines.map(({ count }) => count).filter(Boolean)).toEqual([980]);
  expect(lines).toHaveLength(22);
});
