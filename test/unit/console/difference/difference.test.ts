/** What is shown of a difference: which lines in which order, and where two texts differ. */
import { expect, test } from "@jest/globals";
import {
  type DifferenceLine,
  differenceOf,
  differingPart,
  withMoves,
} from "../../../../console/difference/difference.ts";

const record = (recordId: string, type: string, ttl: number, rdata: string) => ({
  owner: "www",
  recordId,
  type,
  ttl,
  rdata,
});

test("records that move with an edited one are counted at it, and the SOA is last", () => {
  const before = [
    record("0", "SOA", 300, "a"),
    record("1", "A", 300, "192.0.2.1"),
    record("2", "A", 300, "192.0.2.2"),
    record("3", "A", 300, "192.0.2.3"),
  ];
  const after = before.map((row) => ({ ...row, ttl: 60 }));
  const shown = withMoves(differenceOf(before, after, (id) => id === "2"));
  expect(shown.map(({ line, moved }) => [line.row.recordId, moved])).toEqual([
    ["2", 2],
    ["0", 0],
  ]);
});

test("a record that moves is a line of its own where none of its RRset is edited", () => {
  const [from, row] = [record("1", "A", 300, "192.0.2.1"), record("1", "A", 60, "192.0.2.1")];
  const line: DifferenceLine = { kind: "change", from, row, moves: true };
  expect(withMoves([line])).toEqual([{ line, moved: 0 }]);
});

test.each([
  ["203.0.113.80", "203.0.113.77", "80"],
  ["10 mail2.example.", "10 mail.example.", "2"],
  ["10 mail.example.", "10 mail2.example.", ""],
  ["aa", "a", "a"],
  ["5 mx1", "10 relay", "5 mx1"],
])("%s differs from %s by %j", (text, other, part) => {
  expect(text.slice(...differingPart(text, other))).toBe(part);
});
