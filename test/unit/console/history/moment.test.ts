/** Moments as addresses name them, and where they are among the changes of a zone. */
import { expect, test } from "@jest/globals";
import { type Author, placeOf, readMoment } from "../../../../console/history/moment/moment.ts";

test.each([
  ["0", { serial: 0 }],
  ["2026112104", { serial: 2026112104 }],
  ["4294967295", { serial: 4294967295 }],
  ["4294967296", { changeId: "4294967296" }],
  ["1000000000000123", { changeId: "1000000000000123" }],
  ["2026-11-21T12:00:00+01:00", { time: "2026-11-21T11:00:00.000Z" }],
  ["yesterday", undefined],
  ["2026-13-41T00:00:00Z", undefined],
  ["-1", undefined],
  ["12345678901234567", undefined],
])("%s is read as a moment, or as no moment", (text, moment) => {
  expect(readMoment(text)).toEqual(moment);
});

/** A change as `serial kind`, the newest first. */
const changesOf = (...texts: string[]) =>
  texts.map((text, at): Author => {
    const [serial, kind = "EDIT"] = text.split(" ");
    return {
      id: String(1000 - at),
      serial: Number(serial),
      kind: kind as Author["kind"],
      createdAt: `2026-11-21T12:00:${59 - at}.000Z`,
      actor: "laptop",
      user: null,
      appliedBy: null,
      source: "CONSOLE",
      note: null,
    };
  });

test("a moment is at the change that made it, a time at the last before it", () => {
  const changes = changesOf("13", "12", "11 CREATE");
  expect(placeOf(changes, { serial: 12 })).toBe(1);
  expect(placeOf(changes, { serial: 10 })).toBeUndefined();
  expect(placeOf(changes, { changeId: "998" })).toBe(2);
  expect(placeOf(changes, { time: "2026-11-21T12:00:58.500Z" })).toBe(1);
  expect(placeOf(changes, { time: "2026-11-21T12:00:00.000Z" })).toBeUndefined();
  expect(placeOf(changes, undefined)).toBeUndefined();
});
