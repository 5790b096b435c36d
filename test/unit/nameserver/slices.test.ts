import { expect, test } from "@jest/globals";
import { Slices } from "../../../src/nameserver/transfer-messages.ts";

test("those who share slices work for a millisecond of a turn together, one after the other, however many they are", async () => {
  let now = 0;
  const slices = new Slices(() => now);
  const made: string[] = [];
  const work = async (name: string) => {
    for (let at = 0; at < 3; at += 1)
      await slices.run(() => {
        made.push(name);
        now += 0.4;
      });
  };
  const turns: string[] = [];
  const watch = async () => {
    for (let at = 0; at < 5; at += 1) {
      await new Promise(setImmediate);
      turns.push(made.splice(0).join(""));
    }
  };
  await Promise.all([watch(), ...[..."abcde"].map(work)]);
  expect(turns).toEqual(["abc", "dea", "bcd", "eab", "cde"]);
});
