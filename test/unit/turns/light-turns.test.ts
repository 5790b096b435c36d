/**
 * Turns that take no database connection: they count among the young, and not among those that there are at a time.
 */
import { expect, test } from "@jest/globals";
import { FairQueue, type FairQueueOptions } from "../../../src/turns/fair-queue.ts";

const queue = (options: Partial<FairQueueOptions> = {}) =>
  new FairQueue({
    turns: 1,
    patienceMs: Number.POSITIVE_INFINITY,
    tooLong: () => new Error("too long"),
    now: () => 0,
    ...options,
  });

test("a flow that is alone has as many light turns as it asks for, beside those of full weight", async () => {
  const fair = queue();
  const end = await fair.acquire("a");
  expect(fair.tryAcquire("a")).toBeUndefined();
  const lights = [fair.tryAcquire("a", "light"), fair.tryAcquire("a", "light")];
  expect(lights).toEqual([expect.any(Function), expect.any(Function)]);
  end();
  const next = fair.tryAcquire("a");
  expect(next).toEqual(expect.any(Function));
  for (const each of [...lights, next]) each?.();
  expect(fair.isIdle).toBe(true);
});

test("beside another flow, light turns are young ones: the next waits until one of them ends", async () => {
  const fair = queue({ turns: 10, young: { turns: 2, ms: 60_000 } });
  const first = await fair.acquire("a", undefined, "light");
  const second = fair.tryAcquire("b", "light");
  expect(fair.tryAcquire("a", "light")).toBeUndefined();
  let began = false;
  const waiting = fair.acquire("a", undefined, "light").then((end) => {
    began = true;
    return end;
  });
  await Promise.resolve();
  expect(began).toBe(false);
  second?.();
  (await waiting)();
  first();
  expect(fair.isIdle).toBe(true);
});
