/** Lists as columns that fit a width. */
import { expect, jest, test } from "@jest/globals";
import { columns, printList } from "../../../src/cli/terminal/print.ts";
import { tableLines, wrapped } from "../../../src/cli/terminal/table.ts";

const headings = ["name", "what it is", "note"];
const rows = [
  ["a", "one", "-"],
  ["a-long-name", "of several words", "which wraps too"],
];

test.each<[number, string]>([
  [
    80,
    `
NAME         WHAT IT IS        NOTE
a            one               -
a-long-name  of several words  which wraps too`,
  ],
  [
    44,
    `
NAME         WHAT IT IS
a            one
a-long-name  of several words
    note: which wraps too`,
  ],
  [
    24,
    `
NAME
a
    what it is: one
a-long-name
    what it is: of
    several words; note:
    which wraps too`,
  ],
])("of a width of %i", (width, text) => {
  expect(tableLines(headings, rows, width)).toEqual(text.split("\n").slice(1));
});

test("a cell is wrapped where its column would be wider than is comfortable", () => {
  const cells = ["x", "one two three four five six seven eight nine ten"];
  expect(tableLines(["a", "b"], [cells], 30)).toEqual([
    "A  B",
    "x  one two three four five six",
    "   seven eight nine ten",
  ]);
});

test.each([
  ["", 5, [""]],
  ["a b c", 3, ["a b", "c"]],
  ["a-word-that-is-longer b", 5, ["a-word-that-is-longer", "b"]],
])("%j in %i characters", (text, width, lines) => {
  expect(wrapped(text, width)).toEqual(lines);
});

test("times are shown to the minute, and with seconds where two of a list differ in nothing else", () => {
  const print = jest.spyOn(console, "log").mockImplementation(() => {});
  const listed = (...seconds: readonly string[]) => {
    print.mockClear();
    const rows = seconds.map((at) => ({ at: `2026-11-27T21:${at}.000Z` }));
    printList(rows, columns("when: at"));
    return print.mock.calls.map(([line]) => line);
  };
  expect(listed("05:10", "06:10")).toEqual(["WHEN", "2026-11-27 21:05Z", "2026-11-27 21:06Z"]);
  expect(listed("05:10", "05:59")).toEqual(["WHEN", "2026-11-27 21:05:10Z", "2026-11-27 21:05:59Z"]);
  print.mockRestore();
});
