import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import type { Task } from "../../../src/publisher/task-queue.ts";
import { WaitingProbes } from "../../../src/publisher/waiting-probes.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const tasks = (count: number): Task[] => Array.from({ length: count }, () => async () => {});

/** Probes that wait, and those that have left. */
function waiting(hasRoom?: () => boolean, perSecond?: number) {
  const left: Task[] = [];
  return { left, all: new WaitingProbes((task) => void left.push(task), hasRoom, perSecond) };
}

test("a task waits longer with each try, and those of one try leave in their order", () => {
  const { left, all } = waiting();
  const [late, first, second] = tasks(3) as [Task, Task, Task];
  all.add(late, 5);
  all.add(first, 0);
  all.add(second, 0);
  jest.advanceTimersByTime(60);
  expect(left).toEqual([first, second]);
  jest.advanceTimersByTime(400);
  expect(left).toEqual([first, second]);
  jest.advanceTimersByTime(100);
  expect(left).toEqual([first, second, late]);
});

test("a task that is due sooner stays so, and one that is due later is taken forward", () => {
  const { left, all } = waiting();
  const [task, other] = tasks(2) as [Task, Task];
  all.add(task, 0);
  all.add(task, 10);
  all.add(other, 10);
  all.add(other, 0);
  jest.advanceTimersByTime(60);
  expect(left).toEqual([task, other]);
  jest.advanceTimersByTime(60_000);
  expect(left).toEqual([task, other]);
});

test("what is removed does not leave, nor does anything once they are closed", () => {
  const { left, all } = waiting();
  const [removed, other] = tasks(2) as [Task, Task];
  all.add(removed, 0);
  all.add(other, 1);
  all.remove(removed);
  expect([all.has(removed), all.has(other)]).toEqual([false, true]);
  all.close();
  jest.advanceTimersByTime(60_000);
  expect(left).toEqual([]);
});

test("a budget lets so many go in a second, the first tries before the later ones", () => {
  const { left, all } = waiting(undefined, 100);
  const [later, sooner] = [tasks(300), tasks(50)];
  for (const task of later) all.add(task, 3);
  jest.advanceTimersByTime(1000);
  const before = left.length;
  expect(before).toBeGreaterThanOrEqual(50);
  expect(before).toBeLessThanOrEqual(200);
  for (const task of sooner) all.add(task, 0);
  jest.advanceTimersByTime(1000);
  expect(new Set(left).size).toBe(left.length);
  expect(left.length - before).toBeLessThanOrEqual(200);
  expect(sooner.every((task) => left.includes(task))).toBe(true);
  jest.advanceTimersByTime(10_000);
  expect(left).toHaveLength(350);
});

test("none leaves while there is no room, and all do once there is", () => {
  let room = 2;
  const { left, all } = waiting(() => room > left.length);
  for (const task of tasks(5)) all.add(task, 0);
  jest.advanceTimersByTime(10_000);
  expect(left).toHaveLength(2);
  room = 5;
  jest.advanceTimersByTime(100);
  expect(left).toHaveLength(5);
});
