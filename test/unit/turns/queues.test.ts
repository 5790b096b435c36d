/** A request and its turns: when it gives them up and takes them again. */
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { doWork, inTurn, outOfTurn, partInTurn, pause, Turns, Work } from "../../../src/turns/queues.ts";

/** Connections that make six turns of requests, four of them for one key, and one of searches. */
const limits = { connections: 5, requestsOfFlow: 4 };
let turns: Turns;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ["performance", "nextTick", "queueMicrotask", "setImmediate"] });
  turns = new Turns(limits);
});
afterEach(() => void jest.useRealTimers());

/** Something that ends when the test says so. */
class Task {
  hasBegun = false;
  end = () => {};
  readonly run = () =>
    new Promise<void>((resolve) => {
      this.hasBegun = true;
      this.end = resolve;
    });
}

/** Lets everything settle that can, and every turn that has begun age. */
async function settled(): Promise<void> {
  const iterations = async () => {
    for (let at = 0; at < 10; at += 1) await new Promise(setImmediate);
  };
  await iterations();
  jest.advanceTimersByTime(100);
  await iterations();
}

/** A request of a key that has its turn. */
async function begun(key: string): Promise<Work> {
  const work = new Work(turns, key);
  await work.begin();
  return work;
}

/** As many requests of one key as have turns at once. */
const greedyWorks = () => Promise.all(Array.from({ length: 4 }, () => begun("greedy")));

/** Whether a request of this key would get its turn at once. */
async function hasTurn(key: string): Promise<boolean> {
  const work = new Work(turns, key);
  let has = false;
  void work.begin().then(() => {
    has = true;
  });
  await settled();
  work.end();
  return has;
}

test("a request has one turn at a time, which ends with it: a light one becomes a full one, and that stays", async () => {
  for (let n = 0; n < 20; n += 1) {
    const work = await begun("large");
    expect([work.beginLight(), await work.begin()]).toEqual([true, true]);
    work.end();
    const light = new Work(turns, "large");
    expect([light.beginLight(), await light.begin()]).toEqual([true, true]);
    light.end();
  }
  expect(turns.queues.request.isIdle).toBe(true);
  expect(await hasTurn("large")).toBe(true);
});

test("a key leaves turns to others, and gets another one when it gives one back", async () => {
  const works = await greedyWorks();
  expect([await hasTurn("greedy"), await hasTurn("modest")]).toEqual([false, true]);
  works[0]?.end();
  expect(await hasTurn("greedy")).toBe(true);
});

test("what waits for others has no turn meanwhile, and takes it again after the wait", async () => {
  const works = await greedyWorks();
  const wait = new Task();
  const waiting = doWork(works[0] as Work, () => outOfTurn(wait.run));
  expect(await hasTurn("greedy")).toBe(true);
  wait.end();
  await waiting;
  expect(await hasTurn("greedy")).toBe(false);
});

test("two waits of one request at the same time end with one turn", async () => {
  const works = await greedyWorks();
  const waits = [new Task(), new Task()];
  const waiting = doWork(works[0] as Work, () => Promise.all(waits.map((wait) => outOfTurn(wait.run))));
  for (const wait of waits) wait.end();
  await waiting;
  expect(await hasTurn("greedy")).toBe(false);
  works[0]?.end();
  expect(await hasTurn("greedy")).toBe(true);
});

test("searches run one after the other, the next one of the key that searched least, without a turn of requests", async () => {
  const searches = ["greedy", "greedy", "greedy", "modest"].map((key) => ({ key, task: new Task() }));
  const done = searches.map(async ({ key, task }) => {
    const work = await begun(key);
    await doWork(work, () => inTurn("search", task.run));
    work.end();
  });
  await settled();
  const begunNow = () => searches.map(({ task }) => task.hasBegun);
  expect(begunNow()).toEqual([true, false, false, false]);
  searches[0]?.task.end();
  await settled();
  expect(begunNow()).toEqual([true, false, false, true]);
  expect(await hasTurn("greedy")).toBe(true);
  for (const { task } of [searches[3], searches[1], searches[2]] as typeof searches) {
    task.end();
    await settled();
  }
  await Promise.all(done);
});

test("searches by plans have four turns, three of them for one key", async () => {
  const keys = ["greedy", "greedy", "greedy", "greedy", "modest", "third"];
  const searches = keys.map((key) => ({ key, task: new Task() }));
  const done = searches.map(({ key, task }) => doWork(new Work(turns, key), () => inTurn("find", task.run)));
  await settled();
  const begunNow = () => searches.map(({ task }) => task.hasBegun);
  expect(begunNow()).toEqual([true, true, true, false, true, false]);
  searches[0]?.task.end();
  await settled();
  // The next one is of a key that has had no turn.
  expect(begunNow()).toEqual([true, true, true, false, true, true]);
  searches[1]?.task.end();
  await settled();
  expect(begunNow()).toEqual([true, true, true, true, true, true]);
  for (const { task } of searches) task.end();
  await Promise.all(done);
});

test("a key that has too many searches is refused, with what to do", async () => {
  const search = () => doWork(new Work(turns, "greedy"), () => inTurn("search", new Task().run));
  for (let at = 0; at < 3; at += 1) void search();
  await expect(search()).rejects.toMatchObject({
    code: "TOO_MANY_REQUESTS",
    message:
      "2 searches and counts of this key or its user are in progress; wait for their answers before you send more.",
    retryAfter: 1,
  });
});

test("a search whose client has left does not run", async () => {
  const first = new Task();
  void doWork(new Work(turns, "a"), () => inTurn("search", first.run));
  await settled();
  const [work, task] = [new Work(turns, "b"), new Task()];
  const left = expect(doWork(work, () => inTurn("search", task.run))).rejects.toThrow("left");
  work.end();
  first.end();
  await left;
  expect(task.hasBegun).toBe(false);
});

test("a stream has no turn but for its parts, and a key has so many streams", async () => {
  const streams = await Promise.all([begun("a"), begun("a")]);
  for (const stream of streams) stream.becomeStream();
  const third = await begun("a");
  expect(() => third.becomeStream()).toThrow("2 streams of this key or its user are in progress");
  third.end();
  const parts = streams.flatMap((stream) => {
    const tasks = [new Task(), new Task()];
    for (const task of tasks) void doWork(stream, () => partInTurn(task.run));
    return tasks;
  });
  await settled();
  expect(parts.map(({ hasBegun }) => hasBegun)).toEqual([true, true, true, true]);
  expect(await hasTurn("a")).toBe(false);
  for (const part of parts) part.end();
  await settled();
  expect(await hasTurn("a")).toBe(true);
  streams[0]?.end();
  expect(() => streams[0]?.end()).not.toThrow();
  (await begun("a")).becomeStream();
});

test("a part of a stream whose client has left does not run", async () => {
  const works = await greedyWorks();
  const [stream, task] = [new Work(turns, "greedy"), new Task()];
  const left = expect(doWork(stream, () => partInTurn(task.run))).rejects.toThrow("left");
  stream.end();
  works[0]?.end();
  await left;
  expect(task.hasBegun).toBe(false);
});

test("a request whose client left while it waited gives its turn to the next one", async () => {
  const works = await greedyWorks();
  const gone = new Work(turns, "greedy");
  const isThere = gone.begin();
  gone.end();
  works[0]?.end();
  expect(await isThere).toBe(false);
  expect(await hasTurn("greedy")).toBe(true);
});

test("a search that takes long is joined by the next, and not before", async () => {
  turns = new Turns({ connections: 10, requestsOfFlow: 4 });
  const searches = ["a", "b", "c"].map((key) => ({ work: new Work(turns, key), task: new Task() }));
  const done = searches.map(({ work, task }) => doWork(work, () => inTurn("search", task.run)));
  const begunNow = () => searches.map(({ task }) => task.hasBegun);
  await settled();
  expect(begunNow()).toEqual([true, false, false]);
  jest.advanceTimersByTime(1000);
  await settled();
  expect(begunNow()).toEqual([true, true, false]);
  for (const { task } of searches) {
    task.end();
    await settled();
  }
  await Promise.all(done);
});

test("long work pauses until it is the turn of its key, and keeps no turn", async () => {
  const beginning = Promise.all(["a", "a", "b", "b", "c", "c"].map((key) => begun(key)));
  await settled();
  const works = await beginning;
  let goesOn = false;
  const long = new Work(turns, "long");
  const paused = doWork(long, () => pause()).then(() => {
    goesOn = true;
  });
  await settled();
  expect(goesOn).toBe(false);
  works[0]?.end();
  await paused;
  expect(await hasTurn("d")).toBe(true);
  works[1]?.giveUp();
  await doWork(works[2] as Work, () => pause());
});
