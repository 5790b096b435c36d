/**
 * A semaphore with a bounded queue: a limited number of tasks runs at a time, a limited number waits, and work beyond
 * that is rejected.
 */

/** The queue of a semaphore is full. */
export class QueueFull extends Error {}

export class Semaphore {
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  /** Lets `permits` tasks run at a time while at most `maxWaiting` others wait. */
  constructor(permits: number, maxWaiting = 0) {
    this.#free = permits;
    this.#maxWaiting = maxWaiting;
  }

  /** Waits for a permit; the result gives it back and is called once. Throws QueueFull. */
  async acquire(): Promise<() => void> {
    const release = this.tryAcquire();
    if (release) return release;
    if (this.#waiting.length >= this.#maxWaiting) throw new QueueFull("too many tasks wait already");
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return () => this.#release();
  }

  /** Takes a permit that is free now; undefined when none is. The result gives it back and is called once. */
  tryAcquire(): (() => void) | undefined {
    if (this.#free === 0) return undefined;
    this.#free -= 1;
    return () => this.#release();
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}
