import { beforeEach, expect, test } from "@jest/globals";
import type { Logger } from "pino";
import { type LogWatch, SecondaryWatch, type Watched } from "../../../src/publisher/secondary-watch.ts";

const lines: string[] = [];
const write = (fields: Record<string, unknown>, message: string) =>
  void lines.push(`${message}: ${Object.values(fields).join(" ")}`);
const log = { warn: write, info: write } as unknown as Logger;
const watch: LogWatch = { log, lateAfterMs: 60_000 };
const place = { name: "s1", address: "192.0.2.53", port: 53, requiredForLive: true };
beforeEach(() => {
  lines.length = 0;
});

/** A delivery of a zone that is due since a moment, or only verified. */
const due = (domainId: number, dueSince: number | undefined): Watched => ({
  target: { domainId, zone: `d${domainId}.example.com`, serial: 1, isDeleted: false, isCatalog: false },
  dueSince,
});

test("a secondary that is silent for ten seconds is logged once, and once more when it answers", () => {
  const watched = new SecondaryWatch(watch, place);
  for (const now of [0, 9000, 10_000, 11_000, 60_000]) watched.look(now, true, []);
  for (const now of [61_000, 62_000]) watched.look(now, false, []);
  expect(lines).toEqual(["a secondary does not answer: s1 192.0.2.53 53", "a secondary answers again: s1"]);
});

test("a short silence is not logged", () => {
  const watched = new SecondaryWatch(watch, place);
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
  const watched = new SecondaryWatch(watch, place);
  const many = Array.from({ length: 5000 }, (_, at) => due(at, 0));
  watched.look(60_000, false, many);
  for (let now = 60_001; now < 119_000; now += 1000) watched.look(now, false, [...many, due(9000, undefined)]);
  watched.look(130_000, false, [...many, due(7000, 1000), due(7001, 100_000)]);
  watched.look(191_000, false, [due(7000, 1000)]);
  watched.look(192_000, false, []);
  watched.look(193_000, false, []);
  expect(lines).toEqual([
    "zones are LATE at a secondary: s1 5000 d0.example.com",
    "zones are LATE at a secondary: s1 1 d7000.example.com",
    "no zone is late at a secondary any more: s1",
  ]);
});

test("no zone is late at a secondary that is not required", () => {
  const watched = new SecondaryWatch(watch, { ...place, requiredForLive: false });
  watched.look(200_000, false, [due(1, 0)]);
  expect(lines).toEqual([]);
});
