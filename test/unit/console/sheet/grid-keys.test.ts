import { expect, test } from "@jest/globals";
import { actionOf, nextColumn } from "../../../../console/sheet/grid/grid-keys.ts";
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
