/** Progress of what takes long: on a terminal alone, after a second, without colours, and gone at the end. */
import { expect, test } from "@jest/globals";
import { Progress } from "../../../src/cli/terminal/progress.ts";

/** A stream that keeps what it is given, and a clock that is set by hand, ms. */
function scene(isTTY: boolean) {
  const clock = { now: 5000 };
  const written: string[] = [];
  const progress = new Progress({ isTTY, write: (text) => written.push(text) }, () => clock.now);
  return { clock, written, progress };
}

test("is shown after a second, ten times a second at most, and taken away at the end", () => {
  const { clock, written, progress } = scene(true);
  progress.show("loading", 0.1);
  clock.now += 999;
  progress.show("loading", 0.2);
  expect(written).toEqual([]);
  clock.now += 1;
  progress.show("loading", 0.25);
  clock.now += 99;
  progress.show("loading", 0.26);
  clock.now += 1;
  progress.show("comparing");
  progress.end();
  const bar = `[${"#".repeat(10)}${".".repeat(30)}]  25 %`;
  expect(written).toEqual([`\r\x1b[K${bar} loading`, "\r\x1b[Kcomparing", "\r\x1b[K"]);
});

test("what ends within a second shows nothing, and so does what is not on a terminal", () => {
  for (const [isTTY, passed] of [
    [true, 900],
    [false, 5000],
  ] as const) {
    const { clock, written, progress } = scene(isTTY);
    clock.now += passed;
    progress.show("loading", 1);
    progress.end();
    expect(written).toEqual([]);
  }
});

test("a share that is past all is all", () => {
  const { clock, written, progress } = scene(true);
  clock.now += 1000;
  progress.show("writing", 1.2);
  expect(written).toEqual([`\r\x1b[K[${"#".repeat(40)}] 100 % writing`]);
});
