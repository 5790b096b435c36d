/** Where keys lead along the line of time. */
import { expect, test } from "@jest/globals";
import { placeAfter } from "../../../../console/history/moment/moment.ts";

const hourMs = 3_600_000;
/** Two changes of today, two of the day before, one of a week ago, the newest first. */
const times = [48, 47, 24, 20, -120].map((hours) => hours * hourMs);

test.each([
  ["ArrowLeft", false, 0, 1],
  ["ArrowRight", false, 2, 1],
  ["ArrowRight", false, 0, 0],
  ["ArrowLeft", true, 0, 2],
  ["ArrowLeft", true, 2, 4],
  ["ArrowLeft", true, 4, 4],
  ["ArrowRight", true, 3, 2],
  ["ArrowRight", true, 4, 3],
  ["ArrowRight", true, 1, 0],
  ["Home", false, 1, 4],
  ["End", false, undefined, 0],
  ["ArrowLeft", false, undefined, undefined],
  ["a", false, 1, undefined],
] as const)("%s, by days %s, from %s leads to %s", (key, isDay, from, to) => {
  expect(placeAfter(key, isDay, times, from)).toBe(to);
});
