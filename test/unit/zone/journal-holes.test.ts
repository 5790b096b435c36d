/** Which ids of the journal are missing, while some are read late, and others never come. */
import { expect, test } from "@jest/globals";
import { JournalHoles } from "../../../src/zone/journal-holes.ts";

/** The nth id of the journal. */
const id = (n: number) => n * 16;
const numberOf = (of: number) => of / 16;

/** The holes that are read, as text. */
const text = (holes: JournalHoles) =>
  holes.ranges.map(({ low, high }) => (low === high ? numberOf(low) : `${numberOf(low)}-${numberOf(high)}`)).join(" ");

const take = (holes: JournalHoles, last: number, ...ids: number[]) => holes.take(id(last), ids.map(id));

/** Holes below a last id of 10. */
function someHoles(): JournalHoles {
  const holes = new JournalHoles();
  take(holes, 0, 4, 6, 10);
  return holes;
}

const table: readonly (readonly [read: string, ids: readonly number[], left: string])[] = [
  ["nothing", [], "1-3 5 7-9"],
  ["the beginning of one", [1], "2-3 5 7-9"],
  ["the end of one", [3], "1-2 5 7-9"],
  ["the middle of one", [2], "1 3 5 7-9"],
  ["the whole of one", [5], "1-3 7-9"],
  ["both ends of one", [7, 9], "1-3 5 8"],
  ["something of each", [3, 5, 8], "1-2 7 9"],
  ["everything", [1, 2, 3, 5, 7, 8, 9], ""],
  ["the next id", [11], "1-3 5 7-9"],
  ["ids above the last one", [12, 15], "1-3 5 7-9 11 13-14"],
  ["ids below and above the last one", [9, 12], "1-3 5 7-8 11"],
  ["ids above the last one twice", [11, 11, 13, 13], "1-3 5 7-9 12"],
];

test.each(table)("of the holes 1-3, 5 and 7-9, when %s is read", (_, ids, left) => {
  const holes = someHoles();
  take(holes, 10, ...ids);
  expect(text(holes)).toBe(left);
  expect(numberOf(holes.first)).toBe(Number.parseInt(left, 10) || Number.POSITIVE_INFINITY);
});

test("a hole is given up once it was read after all that wrote at the first look have ended, and no other one changes by that", () => {
  const holes = someHoles();
  expect(holes.look(["a", "b"])).toBe(false);
  take(holes, 10, 15);
  expect(holes.look(["b", "c"])).toBe(false);
  take(holes, 15);
  // All that the first three wait for have ended; they are read once more.
  holes.look(["c"]);
  expect(text(holes)).toBe("1-3 5 7-9 11-14");
  take(holes, 15, 2, 8, 12, 17);
  expect(text(holes)).toBe("11 13-14 16");
  holes.look([]);
  take(holes, 17, 16);
  expect([text(holes), holes.first]).toEqual(["", Number.POSITIVE_INFINITY]);
});

test("where the ids of open transactions are unknown, they are not read, and anything may have changed as each of these ends", () => {
  const holes = new JournalHoles(id(10), ["a", "b"]);
  take(holes, 10, 12);
  expect([holes.hasVague, numberOf(holes.first), text(holes)]).toEqual([true, 1, "11"]);
  expect(holes.look(["a", "b", "c"])).toBe(false);
  expect(holes.look(["b", "c"])).toBe(true);
  expect(holes.look(["b"])).toBe(false);
  expect(holes.look([])).toBe(true);
  take(holes, 12);
  expect([holes.hasVague, holes.first]).toEqual([false, Number.POSITIVE_INFINITY]);
  expect(new JournalHoles(id(10), []).hasVague).toBe(false);
});

test("1000 holes are read, and more become one, whose transactions are unknown before the next look", () => {
  const holes = new JournalHoles();
  take(holes, 0, ...Array.from({ length: 1000 }, (_, n) => 2 * n + 2));
  expect([holes.ranges.length, holes.hasVague]).toEqual([1000, false]);
  holes.look(["a"]);
  take(holes, 2000, 2002);
  expect([text(holes), holes.hasVague, numberOf(holes.first)]).toEqual(["", true, 1]);
  expect(holes.look(["a", "b"])).toBe(true);
  expect(holes.look(["a", "b", "c"])).toBe(false);
  expect(holes.look(["a", "c"])).toBe(true);
});
