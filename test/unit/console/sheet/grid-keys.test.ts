import { expect, test } from "@jest/globals";
import { actionOf, cellAt, moveOf, nextColumn } from "../../../../console/sheet/grid/grid-keys.ts";
import { columns } from "../../../../console/sheet/records/row.ts";

test("a key without Ctrl or Alt that is a letter or a digit is no command", () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  const keys = [..."abcdefghijklmnopqrstuvwxyzNDEG0123456789@_*-"];
  expect(keys.filter((key) => actionOf({ ...plain, key }, true) !== "replace")).toEqual([]);
  expect(["/", "?"].map((key) => actionOf({ ...plain, key }, true))).toEqual([undefined, undefined]);
  expect(["/", "?"].map((key) => actionOf({ ...plain, key }, false))).toEqual(["replace", "replace"]);
});

test("Tab goes through the columns as they are shown, and back", () => {
  expect(columns.map((column) => nextColumn(column, false))).toEqual([...columns.slice(1), undefined]);
  expect(columns.map((column) => nextColumn(column, true))).toEqual([undefined, ...columns.slice(0, -1)]);
});

test("Ctrl with an arrow goes to the first row of a name, and stays at the last one", () => {
  const keys = ["a1", "a2", "b1", "b2", "b3"];
  const isContinued = (at: number) => /[^1]$/.test(keys[at] ?? "");
  const after = (key: string, from: string) => {
    const move = moveOf({ key, ctrlKey: true, metaKey: false, altKey: false, shiftKey: false });
    return move && cellAt(keys, { key: from, column: "type" }, move, isContinued);
  };
  const rows = (key: string) => keys.map((from) => after(key, from)?.key);
  expect(rows("ArrowDown")).toEqual(["b1", "b1", "b1", "b2", "b3"]);
  expect(rows("ArrowUp")).toEqual(["a1", "a1", "a1", "b1", "b1"]);
});
