/**
 * Slices of the event loop: of each of its turns, those who share them work for a millisecond together, however many they are, so that
 * the service does its other work. They go on one after the other, each with one piece of work.
 */
import { setImmediate } from "node:timers/promises";

/** How long the work of one turn takes, ms; the last piece may take it beyond. */
const sliceMs = 1;

export class Slices {
  readonly #now: () => number;
  /** The end of the turn in which the last slice began; undefined when that is over. */
  #turn: Promise<void> | undefined;
  #since = 0;

  /** `now` is a clock in milliseconds that never goes back. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Runs a piece of work as soon as the slice of a turn has time for it. */
  async run<Result>(piece: () => Result): Promise<Result> {
    while (this.#isOver()) await this.#turn;
    return piece();
  }

  #isOver(): boolean {
    if (this.#turn) return this.#now() - this.#since >= sliceMs;
    this.#since = this.#now();
    this.#turn = setImmediate().then(() => {
      this.#turn = undefined;
    });
    return false;
  }
}
