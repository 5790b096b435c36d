/** How often publications that have not ended are read for those who watch them. */
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type PublicationRow, PublicationState } from "../../../src/secondary/publication.ts";
import { PublicationWatch } from "../../../src/secondary/publication-watch.ts";

/** A watch whose time goes by as it pauses, and the ids that it read, each with the second of it. */
class Scene {
  now = 0;
  readonly read: { readonly id: number; readonly second: number }[] = [];
  readonly live = new Set<number>();
  readonly late = new Set<number>();
  /** What has ended, and then what was last shown of each change to each listener. */
  readonly shown = new Map<string, string[]>();
  /** Is called before each read. */
  beforeRead: () => void = () => {};
  #stops: (() => void)[] = [];

  readonly watch = new PublicationWatch(
    async (ids) => {
      this.beforeRead();
      this.read.push(...ids.map((id) => ({ id, second: Math.floor(this.now / 1000) })));
      return ids.map((id) => this.#row(id));
    },
    {
      now: () => this.now,
      pause: async (ms) => {
        this.now += ms;
        if (this.now < this.#end) return;
        this.#reached();
        await new Promise<void>((resolve) => {
          this.#go = resolve;
        });
      },
    },
  );
  /** Up to when time goes by, ms. */
  #end = 0;
  #reached: () => void = () => {};
  #go: () => void = () => {};

  #row(id: number): PublicationRow {
    const unserved = this.late.has(id) ? PublicationState.LATE : PublicationState.PENDING;
    const state = this.live.has(id) ? PublicationState.LIVE : unserved;
    return { of: "change", id, state, serial: 1, since: new Date(0), userId: null, sightings: state };
  }

  listen(name: string, changes: number): void {
    for (let id = 1; id <= changes; id += 1) {
      const stop = this.watch.watch(id, (row) => {
        const key = `${name} ${id}`;
        this.shown.set(key, [...(this.shown.get(key) ?? []), row?.state ?? "gone"]);
      });
      this.#stops.push(stop);
    }
  }

  /** Lets time go by up to a second of it. */
  async until(second: number): Promise<void> {
    this.#end = second * 1000;
    if (this.now >= this.#end) return;
    await new Promise<void>((resolve) => {
      this.#reached = resolve;
      this.#go();
    });
  }

  readsOf(from: number, to: number): number {
    return this.read.filter(({ second }) => second >= from && second < to).length;
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }
}

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.stop());

test("one that does not move is read once a second, however many watch it, and shown to each once", async () => {
  for (const name of ["a", "b", "c"]) scene.listen(name, 1);
  await scene.until(30);
  expect(scene.readsOf(0, 5)).toBeLessThan(20);
  expect(scene.readsOf(10, 30)).toBeLessThanOrEqual(20);
  expect(scene.readsOf(10, 30)).toBeGreaterThan(10);
  expect([...scene.shown.values()]).toEqual([["PENDING"], ["PENDING"], ["PENDING"]]);
});

test("many that do not move are read at most some thousand a second together", async () => {
  for (const name of ["a", "b", "c"]) scene.listen(name, 10_000);
  await scene.until(120);
  expect(scene.readsOf(60, 120)).toBeLessThan(70_000);
  expect(scene.readsOf(60, 120)).toBeGreaterThan(30_000);
  expect(scene.shown.size).toBe(30_000);
});

test.each<["late" | "live", number]>([
  ["late", 2000],
  ["live", 4500],
])("many of which some turn %s all the time are read at most %i times a second", async (turn, most) => {
  scene.listen("a", 12_000);
  await scene.until(60);
  const from = Math.ceil(scene.now / 1000);
  for (let second = from; second < from + 20; second += 1) {
    for (let each = 0; each < 10; each += 1) scene[turn].add(1 + 1200 * each + second);
    await scene.until(second + 1);
  }
  expect(scene.readsOf(from, from + 20)).toBeLessThan(20 * most);
  expect([...scene.shown.values()].filter((states) => states.length > 1).length).toBeGreaterThan(50);
});

test("each of many is read once before one of them is read again", async () => {
  scene.listen("a", 20_000);
  await scene.until(2);
  expect(new Set(scene.read.slice(0, 20_000).map(({ id }) => id)).size).toBe(20_000);
});

test("what is over is not read any more", async () => {
  scene.listen("a", 3);
  scene.live.add(1).add(2);
  await scene.until(5);
  expect(scene.read.filter(({ id }) => id < 3)).toHaveLength(2);
});

test("one that is watched again while it is read, and is over, is shown", async () => {
  scene.listen("a", 2);
  scene.live.add(1);
  scene.beforeRead = () => {
    scene.beforeRead = () => {};
    scene.stop();
    scene.listen("b", 2);
  };
  await scene.until(1);
  expect(scene.shown.get("b 1")).toEqual(["LIVE"]);
});

test("once one of many turns live that was not for long, all are read soon", async () => {
  scene.listen("a", 10_001);
  await scene.until(120);
  for (let id = 1; id <= 10_000; id += 1) scene.live.add(id);
  const from = Math.ceil(scene.now / 1000);
  await scene.until(from + 4);
  expect([...scene.shown.values()].filter((states) => states.at(-1) === "LIVE")).toHaveLength(10_000);
});

test("what one does not watch any more is not read, and what another watches is", async () => {
  scene.listen("a", 2);
  const stop = scene.watch.watch(3, () => {});
  await scene.until(10);
  scene.stop();
  const from = Math.ceil(scene.now / 1000);
  await scene.until(from + 10);
  expect(new Set(scene.read.filter(({ second }) => second > from).map(({ id }) => id))).toEqual(new Set([3]));
  stop();
});
