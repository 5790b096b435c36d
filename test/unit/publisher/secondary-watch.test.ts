import { beforeEach, expect, test } from "@jest/globals";
import type { Logger } from "pino";
import { SecondaryWatch } from "../../../src/publisher/secondary-watch.ts";
import type { Target } from "../../../src/secondary/sighting.ts";

const lines: string[] = [];
const write = (fields: Record<string, unknown>, message: string) =>
  void lines.push(`${message}: ${Object.values(fields).join(" ")}`);
const log = { warn: write, info: write } as unknown as Logger;
const place = { name: "s1", address: "192.0.2.53", port: 53 };
beforeEach(() => {
  lines.length = 0;
});

/** A zone that is late. */
const late = (domainId: number): Target => ({
  ...{ domainId, zone: `d${domainId}.example.com`, serial: 1 },
  ...{ isDeleted: false, isCatalog: false, since: 0 },
});

test("a secondary that is silent for ten seconds is logged once, and once more when it answers", () => {
  const watched = new SecondaryWatch(log, place);
  for (const now of [0, 9000, 10_000, 11_000, 60_000]) watched.look(now, true, []);
  for (const now of [61_000, 62_000]) watched.look(now, false, []);
  expect(lines).toEqual(["a secondary does not answer: s1 192.0.2.53 53", "a secondary answers again: s1"]);
});

test("a short silence is not logged", () => {
  const watched = new SecondaryWatch(log, place);
  for (const [now, isSilent] of [
    [0, true],
    [5000, false],
    [6000, true],
    [15_000, true],
    [15_500, false],
  ] as const)
    watched.look(now, isSilent, []);
  expect(lines).toEqual([]);
});

test("zones that are late are one line when it begins, one a minute for others, and one when it is over", () => {
  const watched = new SecondaryWatch(log, place);
  const many = Array.from({ length: 5000 }, (_, at) => late(at));
  watched.look(60_000, false, many);
  for (let now = 60_001; now < 119_000; now += 1000) watched.look(now, false, many);
  watched.look(130_000, false, [...many, late(7000)]);
  watched.look(191_000, false, [late(7000)]);
  watched.look(192_000, false, []);
  watched.look(193_000, false, []);
  expect(lines).toEqual([
    "zones are LATE at a secondary: s1 5000 d0.example.com",
    "zones are LATE at a secondary: s1 1 d7000.example.com",
    "no zone is late at a secondary any more: s1",
  ]);
});
