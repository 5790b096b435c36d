/**
 * Work that is cheaper together: what comes while some of it is under way waits, and is then run as a group. What comes alone runs at once.
 */

export interface GroupingOptions<Item, Result> {
  /** Groups under way at a time. */
  readonly atATime: number;
  /** How large a group is at most, as the sum of its items' sizes; an item that is larger runs by itself. */
  readonly maxSize: number;
  readonly sizeOf: (item: Item) => number;
  /** What an item is about: two of one key are never in a group. */
  readonly keyOf: (item: Item) => string;
  /** Runs a group, all or nothing; its results are in the order of the items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Whether nothing was done by a group that failed of this, so that each of its items is run by itself. */
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

  /** Runs an item, alone or with others; rejects as it would by itself. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  /** Starts a group at the end of this turn of the event loop, so that what comes in the same turn is in it. */
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

  /** The first items that wait, as many as a group takes; one whose key is in the group waits on. */
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
