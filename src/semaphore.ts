/**
 * Turns: work of which so much runs at once, so much waits in line, and the rest is turned away.
 */

/** Too many wait already. */
export class NoTurn extends Error {}

export class Turns {
  private free: number;
  private readonly mostWaiting: number;
  private readonly waiting: (() => void)[] = [];

  constructor(most: number, mostWaiting: number) {
    this.free = most;
    this.mostWaiting = mostWaiting;
  }

  /** Waits for a turn; answers how to give it back, once. Throws NoTurn when the line is full. */
  async take(): Promise<() => void> {
    if (this.free > 0) this.free -= 1;
    else if (this.waiting.length >= this.mostWaiting) throw new NoTurn("too many wait for a turn");
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    return () => {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    };
  }
}
