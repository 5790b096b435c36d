/**
 * The probes of a secondary that wait for their time, each try longer than the one before. Those of one try are in one queue, in the order
 * in which they are due, so that a waiting zone needs no timer. For bulk, a budget limits the probes of a second, first tries first.
 */
import type { Task } from "./task-queue.ts";

const firstWaitMs = 50;
const growth = 1.6;
const longestWaitMs = 30_000;

export const lastTry = Math.ceil(Math.log(longestWaitMs / firstWaitMs) / Math.log(growth));

const waitMs = (tries: number) => Math.min(longestWaitMs, firstWaitMs * growth ** tries);

/** The pause between two checks while the budget or the queue of packets has no room, ms. */
const paceMs = 50;

interface Waiting {
  readonly tries: number;
  /** In ms of performance.now(). */
  readonly dueAt: number;
}

export class WaitingProbes {
  readonly #start: (task: Task) => void;
  readonly #hasRoom: () => boolean;
  readonly #perSecond: number;
  /** By try, in the order in which they are due. */
  readonly #queues = Array.from({ length: lastTry + 1 }, () => new Set<Task>());
  readonly #waiting = new Map<Task, Waiting>();
  /** The probes that may start now, and when that was computed. */
  #tokens = 0;
  #countedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  /** Calls `start` with each due task, `perSecond` a second at most, while `hasRoom`. */
  constructor(start: (task: Task) => void, hasRoom: () => boolean = () => true, perSecond = Number.POSITIVE_INFINITY) {
    this.#start = start;
    this.#hasRoom = hasRoom;
    this.#perSecond = perSecond;
  }

  /** A task that is due sooner keeps its time. */
  add(task: Task, tries: number): void {
    const counted = Math.min(tries, lastTry);
    const dueAt = performance.now() + waitMs(counted);
    const before = this.#waiting.get(task);
    if (before && before.dueAt <= dueAt) return;
    if (before) this.#queues[before.tries]?.delete(task);
    this.#waiting.set(task, { tries: counted, dueAt });
    this.#queues[counted]?.add(task);
    this.#wakeAt(dueAt);
  }

  remove(task: Task): void {
    const waiting = this.#waiting.get(task);
    if (!waiting) return;
    this.#waiting.delete(task);
    this.#queues[waiting.tries]?.delete(task);
  }

  has(task: Task): boolean {
    return this.#waiting.has(task);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
    for (const queue of this.#queues) queue.clear();
  }

  #wakeAt(at: number): void {
    if (at >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer = setTimeout(() => this.#look(), Math.max(0, at - performance.now()));
  }

  #look(): void {
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    this.#tokens = Math.min(this.#perSecond, this.#tokens + ((now - this.#countedAt) / 1000) * this.#perSecond);
    this.#countedAt = now;
    let nextAt = Number.POSITIVE_INFINITY;
    for (const queue of this.#queues)
      for (const task of queue) {
        const { dueAt } = this.#waiting.get(task) as Waiting;
        if (dueAt > now) {
          nextAt = Math.min(nextAt, dueAt);
          break;
        }
        if (this.#tokens < 1 || !this.#hasRoom()) {
          this.#wakeAt(now + paceMs);
          return;
        }
        this.#tokens -= 1;
        this.remove(task);
        this.#start(task);
      }
    this.#wakeAt(nextAt);
  }
}
