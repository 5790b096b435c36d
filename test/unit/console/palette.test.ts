/** What the palette makes of what is written. */
import { expect, test } from "@jest/globals";
import { isAddress, isName, soughtOf } from "../../../console/palette/sought.ts";

test("a sign before a text limits it to a group", () => {
  expect(soughtOf(" www mx ")).toEqual({ text: "www mx" });
  expect(soughtOf("> new")).toEqual({ text: "new", only: "do" });
  expect(soughtOf("@mara")).toEqual({ text: "mara", only: "people" });
});

test("addresses and names are told apart from other texts", () => {
  expect(["192.0.2.1", "2001:db8::1", "192.0.2", "www:1"].map(isAddress)).toEqual([true, true, false, false]);
  expect(["bücher.example", "foo.", "a b", "192.0.2.0/24"].map(isName)).toEqual([true, true, false, false]);
});
