/** The fair queue: whose turn is next. */
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { type EndTurn, FairQueue, type FairQueueOptions } from "../../../src/turns/fair-queue.ts";

/** A queue whose clock the test sets, and the order in which it gives turns. */
class Scene {
  now = 0;
  readonly began: string[] = [];
  readonly queue: FairQueue;
  readonly #ends = new Map<string, EndTurn>();

  constructor(options: Partial<FairQueueOptions> = {}) {
    this.queue = new FairQueue({
      turns: 1,
      patienceMs: Number.POSITIVE_INFINITY,
      tooLong: () => new Error("too long"),
      tooMany: () => new Error("too many"),
      now: () => this.now,
      ...options,
    });
  }

  /** Those who have a turn, the longest first. */
  get running(): readonly string[] {
    return [...this.#ends.keys()];
  }

  /** Asks for a turn named FLOW plus a number. */
  async ask(name: string): Promise<void> {
    const end = await this.queue.acquire(name.replace(/\d+$/, ""));
    this.began.push(name);
    this.#ends.set(name, end);
  }

  /** Asks for turns, and lets those begin who may. */
  async askAll(names: readonly string[]): Promise<void> {
    for (const name of names) void this.ask(name);
    await settled();
  }

  /** Ends a turn after so many milliseconds, and lets those begin who may. */
  async end(name: string, ms = 0): Promise<void> {
    this.now += ms;
    this.#ends.get(name)?.();
    this.#ends.delete(name);
    await settled();
  }

  /** Ends the turns in the order they began, each after so many milliseconds, until none is left. */
  async endAll(ms: (name: string) => number = () => 0): Promise<void> {
    for (const name of this.began) await this.end(name, ms(name));
  }
}

/** Lets every promise that can settle do so. */
const settled = async () => {
  for (let at = 0; at < 10; at += 1) await Promise.resolve();
};

const numbered = (flow: string, count: number) => Array.from({ length: count }, (_, at) => `${flow}${at}`);

test("turns begin for so long in an iteration of the event loop, whoever else may have arrived", async () => {
  const scene = new Scene({ turns: 1, burstMs: 2 });
  const asked = numbered("greedy", 6).map((name) => scene.ask(name));
  await settled();
  await scene.end("greedy0", 1);
  await scene.end("greedy1", 1);
  expect(scene.began).toEqual(["greedy0", "greedy1"]);
  asked.push(scene.ask("modest0"));
  await new Promise(setImmediate);
  await settled();
  expect(scene.began).toEqual(["greedy0", "greedy1", "modest0"]);
  for (const name of ["modest0", ...numbered("greedy", 6).slice(2)]) {
    await scene.end(name, 2);
    await new Promise(setImmediate);
    await settled();
  }
  await Promise.all(asked);
  expect(scene.began).toHaveLength(7);
});

describe("a fair queue", () => {
  test("gives turns at once while there are some, and to one flow in the order of its requests", async () => {
    const scene = new Scene({ turns: 2 });
    await scene.askAll(numbered("a", 5));
    expect(scene.began).toEqual(["a0", "a1"]);
    await scene.endAll();
    expect(scene.began).toEqual(numbered("a", 5));
    expect(scene.queue.isIdle).toBe(true);
  });

  test("takes the flows in turn, however many requests each has", async () => {
    const scene = new Scene();
    await scene.askAll([...numbered("a", 4), ...numbered("b", 2), ...numbered("c", 3)]);
    await scene.endAll();
    expect(scene.began).toEqual(["a0", "b0", "c0", "a1", "b1", "c1", "a2", "c2", "a3"]);
  });

  test("gives every next turn to a flow of few requests, although sixteen others with a hundred each were served less", async () => {
    const scene = new Scene({ turns: 4 });
    const greedy = Array.from({ length: 16 }, (_, at) => String.fromCharCode(97 + at));
    await scene.askAll(greedy.flatMap((flow) => numbered(flow, 100)));
    for (let at = 0; at < 50; at += 1) await scene.end(scene.began[at] as string, 10);
    for (let at = 0; at < 30; at += 1) {
      const before = scene.began.length;
      void scene.ask(`modest${at}`);
      await scene.end(scene.running[0] as string, 10);
      expect(scene.began[before]).toBe(`modest${at}`);
      await scene.end(`modest${at}`, 40);
    }
  });

  test("leaves turns to a flow of many requests, however often flows of one request ask", async () => {
    const scene = new Scene({ turns: 2 });
    for (const name of numbered("many", 40)) void scene.ask(name);
    await scene.askAll(["x0", "y0", "z0"]);
    for (let at = 0; at < 60; at += 1) {
      const name = scene.began[at] as string;
      if (!name.startsWith("many")) void scene.ask(`${name[0]}${at + 1}`);
      await scene.end(name, 10);
    }
    expect(scene.began.filter((name) => name.startsWith("many")).length).toBeGreaterThan(15);
  });

  test("takes a flow for one of many requests when they are in progress elsewhere", async () => {
    const scene = new Scene({ turns: 2, inProgress: (flow) => (flow === "elsewhere" ? 50 : 0) });
    await scene.askAll(numbered("many", 10));
    for (let at = 0; at < 5; at += 1) await scene.end(scene.began[at] as string, 10);
    for (const name of ["elsewhere0", "modest0"]) void scene.ask(name);
    await scene.end(scene.running[0] as string, 10);
    expect(scene.began.at(-1)).toBe("modest0");
  });

  test("gives flows of many requests only some of the turns, unless one of them is alone", async () => {
    const scene = new Scene({ turns: 6, turnsOfOthers: 2 });
    await scene.askAll(numbered("a", 20));
    expect(scene.running).toHaveLength(6);
    for (const name of numbered("b", 20)) void scene.ask(name);
    for (let at = 0; at < 12; at += 1) await scene.end(scene.began[at] as string, 10);
    expect(scene.running).toHaveLength(2);
    await scene.ask("modest0");
    expect(scene.running).toHaveLength(3);
  });

  test("counts the time of a turn: a flow of long turns gets fewer of them", async () => {
    const scene = new Scene();
    await scene.askAll([...numbered("long", 20), ...numbered("short", 100)]);
    await scene.endAll((name) => (name.startsWith("long") ? 100 : 10));
    const first = scene.began.slice(0, 55);
    expect(first.filter((name) => name.startsWith("short")).length).toBeGreaterThanOrEqual(44);
  });

  test("lets no flow save turns by waiting, nor owe more than a second of them", async () => {
    const scene = new Scene();
    await scene.ask("a0");
    await scene.end("a0", 60_000);
    await scene.askAll([...numbered("b", 200), "a1"]);
    await scene.endAll(() => 20);
    const place = scene.began.indexOf("a1");
    expect(place).toBeGreaterThan(10);
    expect(place).toBeLessThan(60);
    await scene.ask("b200");
    for (const name of ["c0", "b201", "c1", "b202"]) void scene.ask(name);
    await scene.endAll();
    expect(scene.began.slice(-4)).toEqual(["c0", "b201", "c1", "b202"]);
  });

  test("leaves turns to the other flows", async () => {
    const scene = new Scene({ turns: 3, turnsOfFlow: 2 });
    await scene.askAll(numbered("a", 4));
    expect(scene.began).toEqual(["a0", "a1"]);
    await scene.ask("b0");
    expect(scene.began).toEqual(["a0", "a1", "b0"]);
  });

  test("refuses a flow that has too many waiting", async () => {
    const scene = new Scene({ waitingOfFlow: 1 });
    void scene.ask("a0");
    void scene.ask("a1");
    await expect(scene.ask("a2")).rejects.toThrow("too many");
    void scene.ask("b0");
    await settled();
    await scene.endAll();
    expect(scene.began).toEqual(["a0", "b0", "a1"]);
  });
});

describe("with time", () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ["performance", "nextTick", "queueMicrotask"] }));
  afterEach(() => void jest.useRealTimers());

  test("refuses those who have waited too long, who take no turn then", async () => {
    const scene = new Scene({ patienceMs: 5000 });
    await scene.ask("a0");
    const refused = [expect(scene.ask("a1")).rejects.toThrow("too long"), expect(scene.ask("b0")).rejects.toThrow()];
    jest.advanceTimersByTime(5000);
    await Promise.all(refused);
    void scene.ask("c0");
    await scene.end("a0");
    jest.advanceTimersByTime(5000);
    expect(scene.began).toEqual(["a0", "c0"]);
  });

  test("gives one flow all turns at once, and several flows only some that are young", async () => {
    const scene = new Scene({ turns: 6, turnsOfFlow: 5, young: { turns: 2, ms: 20 } });
    await scene.askAll(numbered("a", 9));
    expect(scene.began).toEqual(numbered("a", 5));
    void scene.ask("b0");
    await scene.end("a0");
    await scene.end("a1");
    expect(scene.began.slice(5)).toEqual([]);
    await scene.end("a2");
    await scene.end("a3");
    expect(scene.began.slice(5)).toEqual(["b0"]);
    scene.now = 1000;
    jest.advanceTimersByTime(20);
    await settled();
    expect(scene.began.slice(6)).toEqual(["a5", "a6"]);
  });

  test("lets a flow of few requests begin beside the young turns of others, who have one young turn until it has ended", async () => {
    const scene = new Scene({ turns: 9, turnsOfFlow: 7, young: { turns: 3, ms: 20 } });
    await scene.askAll(numbered("a", 30));
    jest.advanceTimersByTime(20);
    await settled();
    for (const name of numbered("a", 6)) await scene.end(name);
    void scene.ask("modest0");
    await settled();
    const after = scene.began.indexOf("modest0");
    expect(after).toBeGreaterThan(0);
    const young = scene.began.slice(7, after);
    expect(young.length).toBeGreaterThan(1);
    for (const name of young.slice(1)) await scene.end(name);
    expect(scene.began.slice(after + 1)).toEqual([]);
    await scene.end(young[0] as string);
    expect(scene.began.slice(after + 1)).toHaveLength(1);
    await scene.end("modest0");
    expect(scene.began.slice(after + 1).length).toBeGreaterThan(1);
  });
});

describe("light turns, which take no database connection,", () => {
  test("of a flow that is alone are as many as it asks for, beside those of full weight", async () => {
    const { queue: fair } = new Scene();
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

  test("beside another flow are young ones: the next waits until one of them ends", async () => {
    const { queue: fair } = new Scene({ turns: 10, young: { turns: 2, ms: 60_000 } });
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
});
