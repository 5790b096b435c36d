/** Grouping: what runs with what, and what one that fails means for the others. */
import { beforeEach, expect, test } from "@jest/globals";
import { Grouping } from "../../../src/turns/grouping.ts";

/** An item: its key, and its size. */
type Item = readonly [key: string, size: number];

/** The groups that were started, each with what ends it. */
let started: { readonly keys: readonly string[]; end(error?: Error): void }[];
let grouping: Grouping<Item, string>;
beforeEach(() => {
  started = [];
  grouping = new Grouping({
    atATime: 1,
    maxSize: 10,
    sizeOf: ([, size]) => size,
    keyOf: ([key]) => key,
    run: (items) =>
      new Promise((resolve, reject) => {
        const keys = items.map(([key]) => key);
        started.push({ keys, end: (error) => (error ? reject(error) : resolve(keys.map((key) => `${key} done`))) });
      }),
    mayRunSingly: (error) => (error as Error).message !== "lost",
  });
});

const turn = () => new Promise((resolve) => setImmediate(resolve));
const add = (...items: Item[]) => items.map((item) => grouping.add(item));
const keysOfAll = () => started.map(({ keys }) => keys);

/** Ends the last group that was started, and lets the next one start. */
async function end(error?: Error): Promise<void> {
  started.at(-1)?.end(error);
  await turn();
  await turn();
}

test("what comes in one turn is a group, and what comes meanwhile is the next one", async () => {
  const first = add(["a", 1], ["b", 1]);
  await turn();
  const second = add(["c", 1], ["d", 1]);
  await turn();
  expect(keysOfAll()).toEqual([["a", "b"]]);
  await end();
  expect(keysOfAll()).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
  await end();
  expect(await Promise.all([...first, ...second])).toEqual(["a done", "b done", "c done", "d done"]);
});

test("a group keeps to its size, and has each key once; what waits keeps its order", async () => {
  const all = add(["a", 6], ["b", 5], ["a", 1], ["c", 4], ["large", 11], ["d", 1]);
  for (let groups = 0; groups < 4; groups += 1) {
    await turn();
    await end();
  }
  expect(keysOfAll()).toEqual([["a", "c"], ["b", "a", "d"], ["large"]]);
  await Promise.all(all);
});

test("the items of a group that fails are run by themselves, and only those fail that do", async () => {
  const [good, bad] = add(["good", 1], ["bad", 1]);
  await turn();
  await end(new Error("one of them"));
  expect(keysOfAll()).toEqual([["good", "bad"], ["good"], ["bad"]]);
  started[1]?.end();
  started[2]?.end(new Error("this one"));
  expect(await good).toBe("good done");
  await expect(bad).rejects.toThrow("this one");
});

test("nothing is run again that may have been done", async () => {
  const all = add(["a", 1], ["b", 1]);
  await turn();
  await end(new Error("lost"));
  for (const { reason } of (await Promise.allSettled(all)) as PromiseRejectedResult[])
    expect(reason).toMatchObject({ message: "lost" });
  expect(started).toHaveLength(1);
  const after = grouping.add(["c", 1]);
  await turn();
  await end();
  expect(await after).toBe("c done");
});
