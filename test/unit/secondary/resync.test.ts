/** How far past its serial a zone is raised. */
import { describe, expect, test } from "@jest/globals";
import { serial } from "../../../src/dns/serial.ts";
import { isNear } from "../../../src/secondary/resync.ts";

describe("a serial that a lost history can have given, on 2026-11-25", () => {
  test.each<[string, number, number, boolean]>([
    ["behind", 2026112501, 2026112401, true],
    ["the committed one", 2026112501, 2026112501, true],
    ["a few changes past it", 2026112501, 2026112509, true],
    ["an ordinary change and a leap that needs no force past it", 2026112501, 2036112502, true],
    ["one more", 2026112501, 2036112503, false],
    ["today's, of a zone with another kind of serials", 7, 2026112509, true],
    ["as far past that", 7, 2036112502, false],
    ["the farthest that has an order", 2026112501, 2026112501 + 2 ** 31 - 1, false],
    ["half the circle away", 2026112501, 2026112501 + 2 ** 31, false],
  ])("%s", (_what, at, value, expected) => {
    expect(isNear(serial(value), serial(at), "20261125")).toBe(expected);
  });
});
