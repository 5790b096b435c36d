import { describe, expect, test } from "@jest/globals";
import { type EndTurn, FairTurns, TransferTurns } from "../../../src/nameserver/fair-turns.ts";

/** Turns and the order in which they are given; a request is named by its flow and a number. */
class Scene {
  readonly given: string[] = [];
  readonly #ends = new Map<string, EndTurn>();
  readonly #turns: FairTurns;

  constructor(turns = 1, turnsOfFlow = turns) {
    this.#turns = new FairTurns(turns, turnsOfFlow);
  }

  async ask(...names: string[]): Promise<void> {
    for (const name of names)
      void this.#turns.acquire(name.replace(/\d+$/, "")).then((end) => {
        this.given.push(name);
        this.#ends.set(name, end);
      });
    await settled();
  }

  async end(...names: (string | undefined)[]): Promise<void> {
    for (const name of names) this.#ends.get(name ?? "")?.();
    await settled();
  }

  /** Ends the turns in the order they were given until none is left. */
  async endAll(): Promise<string[]> {
    for (const name of this.given) await this.end(name);
    return this.given;
  }
}

const settled = async () => {
  for (let at = 0; at < 10; at += 1) await Promise.resolve();
};

const numbered = (flow: string, count: number) => Array.from({ length: count }, (_, at) => `${flow}${at}`);

describe("turns", () => {
  test("are given at once while there are some, and to one flow in the order of its requests", async () => {
    const scene = new Scene(2);
    await scene.ask(...numbered("a", 5));
    expect(scene.given).toEqual(["a0", "a1"]);
    expect(await scene.endAll()).toEqual(numbered("a", 5));
  });

  test("go from flow to flow, however many requests each has", async () => {
    const scene = new Scene();
    await scene.ask(...numbered("a", 4), ...numbered("b", 2), ...numbered("c", 3));
    expect(await scene.endAll()).toEqual(["a0", "b0", "c0", "a1", "b1", "c1", "a2", "c2", "a3"]);
  });

  test("go first to a flow that had none in the last round", async () => {
    const scene = new Scene();
    const greedy = [..."abcdefgh"];
    await scene.ask(...greedy.flatMap((flow) => numbered(flow, 5)));
    for (let at = 0; at < 20; at += 1) await scene.end(scene.given[at]);
    await scene.ask("modest0");
    await scene.end(scene.given[20]);
    expect(scene.given[21]).toBe("modest0");
    await scene.ask("modest1");
    for (let at = 21; at < 24; at += 1) await scene.end(scene.given[at]);
    expect(scene.given.slice(22)).not.toContain("modest1");
    expect(await scene.endAll()).toHaveLength(42);
  });

  test("are never all given to one flow", async () => {
    const scene = new Scene(4, 2);
    await scene.ask(...numbered("a", 5), "b0");
    expect(scene.given).toEqual(["a0", "a1", "b0"]);
    await scene.end("b0");
    expect(scene.given).toHaveLength(3);
    await scene.end("a0");
    expect(scene.given.slice(3)).toEqual(["a2"]);
  });

  test("that are given back twice count once", async () => {
    const scene = new Scene();
    await scene.ask("a0", "a1", "a2");
    await scene.end("a0", "a0");
    expect(scene.given).toEqual(["a0", "a1"]);
  });
});

test.each([
  [1, 0],
  [2, 1],
  [3, 2],
  [8, 4],
])("of %d turns at transfers all others leave %d to secondaries", async (turns, left) => {
  const transfers = new TransferTurns(turns);
  const given: string[] = [];
  const ask = (name: string, isSecondary: boolean) =>
    void transfers.acquire(name, isSecondary).then(() => given.push(name));
  for (const user of numbered("user", 10)) ask(user, false);
  await settled();
  for (const secondary of numbered("secondary", 10)) ask(secondary, true);
  await settled();
  expect(given.filter((name) => name.startsWith("secondary"))).toHaveLength(left);
  expect(given).toHaveLength(turns);
});
