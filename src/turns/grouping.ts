/** Groups work that is cheaper together: one item runs at once, items that come while groups run are the next group. */

interface GroupingOptions<Item, Result> {
  readonly atATime: number;
  /** The greatest sum of the sizes of a group's items; a larger item runs by itself. */
  readonly maxSize: number;
  readonly sizeOf: (item: Item) => number;
  /** A key; two items of one key are never in one group. */
  readonly keyOf: (item: Item) => string;
  /** Runs a group, all or nothing; returns the results in the order of the items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Whether a group that failed with this error had no effect, so that each item runs by itself. */
  readonly mayRunSingly: (error: unknown) => boolean;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export class Grouping<Item, Result> {
  readonly #options: GroupingOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  #underWay = 0;
  #isScheduled = false;

  constructor(options: GroupingOptions<Item, Result>) {
    this.#options = options;
  }

  /** Runs an item, alone or in a group; rejects with the item's own error if its group may run singly. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  /** Starts a group at the end of this turn of the event loop, so that it has all items of the turn. */
  #schedule(): void {
    if (this.#isScheduled || this.#underWay >= this.#options.atATime || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      void this.#start(this.#take());
      this.#schedule();
    });
  }

  async #start(group: readonly Waiting<Item, Result>[]): Promise<void> {
    this.#underWay += 1;
    await this.#run(group);
    this.#underWay -= 1;
    this.#schedule();
  }

  /** Takes the first waiting items that fit into one group; an item whose key is in the group waits on. */
  #take(): Waiting<Item, Result>[] {
    const { keyOf, sizeOf, maxSize } = this.#options;
    const group = new Map<string, Waiting<Item, Result>>();
    const others: Waiting<Item, Result>[] = [];
    let size = 0;
    for (const waiting of this.#waiting) {
      const [key, itsSize] = [keyOf(waiting.item), sizeOf(waiting.item)];
      const fits = group.size === 0 || (size + itsSize <= maxSize && !group.has(key));
      if (!fits) {
        others.push(waiting);
        continue;
      }
      group.set(key, waiting);
      size += itsSize;
    }
    this.#waiting = others;
    return [...group.values()];
  }

  async #run(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.run(group.map(({ item }) => item));
      for (const [at, { resolve }] of group.entries()) resolve(results[at] as Result);
    } catch (error) {
      if (group.length > 1 && this.#options.mayRunSingly(error))
        await Promise.all(group.map((each) => this.#run([each])));
      else for (const { reject } of group) reject(error);
    }
  }
}
